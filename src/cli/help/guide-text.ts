import { type LinkTarget, renderMarkdown } from '../../output/markdown.ts';
import { guides } from './guides.ts';

/** How a guide is laid out: cells in a line, and whether with color. */
interface Layout {
  readonly width: number;
  readonly color: boolean;
}

/** The text of a guide; undefined: no guide has this name. */
export async function guideText(name: string, layout: Layout): Promise<string | undefined> {
  const load = Object.hasOwn(guides, name) ? guides[name]?.[1] : undefined;
  if (load === undefined) return undefined;
  const { default: markdown } = await load();
  return renderMarkdown(markdown, { ...layout, linkTarget });
}

/** Links in docs/guides: to other guides, to other documents of the repository, to the web, and within the guide. */
function linkTarget(href: string): LinkTarget | undefined {
  if (/^https?:/.test(href)) return { address: href };
  const [path = ''] = href.split('#');
  if (path === '') return undefined;
  const name = path.replace(/\.md$/, '');
  return Object.hasOwn(guides, name)
    ? { command: `lanyard help ${name}` }
    : { address: path.replace(/^\.\.\//, 'docs/') };
}
