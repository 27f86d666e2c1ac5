import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

/** A document of the repository that is a page of the site. */
export interface Page {
  /** From the folder of the repository: `docs/guides/ssh.md`. */
  readonly source: string;
  /** From the folder of the site, as VitePress names it: `guides/ssh.md`. */
  readonly route: string;
  /** Without the base: `/guides/ssh`; of an index page `/guides/`. */
  readonly link: string;
  /** The first heading, without markup; of an area of commands with `lanyard`. */
  readonly title: string;
  /** The first paragraph as text, at most 160 characters; empty if the page has none. */
  readonly description: string;
}

/** Documents outside docs that are pages, with their route. */
const others: Readonly<Record<string, string>> = {
  'site/index.md': 'index.md',
  'README.md': 'overview.md',
  'CHANGELOG.md': 'changelog.md',
  'SECURITY.md': 'security-policy.md',
  'CONTRIBUTING.md': 'contributing.md',
  'ARCHITECTURE.md': 'architecture.md',
};

/** The entries of the repository's folder that contain pages. */
export const sourceEntries: readonly string[] = ['docs', ...Object.keys(others)].map(
  (path) => path.split('/')[0] ?? path,
);

/**
 * All pages of the site: the home page, the documents of the repository's folder and all of docs.
 *
 * @param root folder of the repository
 */
export function pagesOf(root: string): readonly Page[] {
  const documents = globSync('docs/**/*.md', { cwd: root }).map((path) => path.replaceAll('\\', '/'));
  const present = Object.keys(others).filter((path) => existsSync(join(root, path)));
  return [...present, ...documents.sort()].map((source) => {
    const route = others[source] ?? routeOf(source, documents);
    const text = readFileSync(join(root, source), 'utf8');
    return {
      source,
      route,
      link: `/${route.replace(/(?:(^|\/)index)?\.md$/, '$1')}`,
      title: pageTitle(route, titleOf(text) || posix.basename(route, '.md')),
      description: descriptionOf(text),
    };
  });
}

/** The title outside the page: an area of commands has its command line, such as "lanyard ssh". */
const pageTitle = (route: string, heading: string): string =>
  /^commands\/(?!index\.md)/.test(route) && !heading.startsWith('lanyard ') ? `lanyard ${heading}` : heading;

/**
 * Where a document of docs is in the site. A README is the index of its folder; commands.md is the index of commands,
 * and so is every document with a folder of the same name, unless the folder has a README.
 */
function routeOf(source: string, documents: readonly string[]): string {
  const path = source.slice('docs/'.length);
  if (/(^|\/)README\.md$/.test(path)) return path.replace(/README\.md$/, 'index.md');
  const folder = path.slice(0, -'.md'.length);
  const inFolder = documents.filter((document) => document.startsWith(`docs/${folder}/`));
  const hasIndex = inFolder.some((document) => /^docs\/.*\/(README|index)\.md$/.test(document));
  return (folder === 'commands' || inFolder.length > 0) && !hasIndex ? `${folder}/index.md` : path;
}

/** The text of Markdown without fenced blocks, comments and front matter. */
const prose = (text: string): string =>
  text
    .replace(/^---\n[\s\S]*?\n---\n/, '')
    .replaceAll(/^ *(```+|~~~+)[^\n]*\n[\s\S]*?^ *\1 *$/gm, '')
    .replaceAll(/<!--[\s\S]*?-->/g, '');

/** Markdown of one line as text. */
export const plain = (markdown: string): string =>
  markdown
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/`([^`]*)`/g, '$1')
    .replaceAll(/(\*\*|__)(.+?)\1/g, '$2')
    .replaceAll(/\\([\\`*_{}[\]()#+.!|<>~-])/g, '$1')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** The first heading of a document, without markup; empty without a heading. */
export const titleOf = (text: string): string => plain(/^# +(.+?) *#*$/m.exec(prose(text))?.[1] ?? '');

function descriptionOf(text: string): string {
  const paragraphs = prose(text).split(/\n\s*\n/);
  const first = paragraphs.find((paragraph) => /^[^\s#|>\-*+\d<]/.test(paragraph.trim()));
  const description = plain(first ?? '').replace(/:$/, '.');
  if (description.length <= 160) return description;
  const sentences = description.slice(0, 160).match(/^.*[.!?](?= )/)?.[0];
  return sentences ?? `${description.slice(0, 157).replace(/[ ,;:]+\S*$/, '')}...`;
}

/** The anchor of a heading, as code hosts make it, so that a link works there and in the site. */
export const slug = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
