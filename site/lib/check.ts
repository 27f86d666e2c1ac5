import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

interface Html {
  /** From the folder of the site: `guides/ssh.html`. */
  readonly file: string;
  /** With the base, as links name it: `/guides/ssh`. */
  readonly address: string;
  readonly text: string;
  readonly ids: ReadonlySet<string>;
}

export interface SiteCheck {
  /** What is wrong, with the file; empty if the site is complete. */
  readonly problems: readonly string[];
  /** Number of pages without the page for 404. */
  readonly pages: number;
  /** Number of sections in the search index. */
  readonly sections: number;
}

/**
 * Checks a built site: each link leads to a page, anchor or file of the site, no page loads anything from elsewhere,
 * the sidebar has all pages, and the search index has sections of all pages.
 *
 * @param folder the built site
 * @param base the path under which it is served, with a slash at both ends
 */
export async function checkSite(folder: string, base: string): Promise<SiteCheck> {
  const files = new Set(
    globSync('**/*', { cwd: folder }).map((file) => `${base}${file.replaceAll('\\', '/')}`),
  );
  const all = [...files].filter((file) => file.endsWith('.html')).map((file) => read(folder, base, file));
  const pages = all.filter(({ file }) => file !== '404.html');
  const byAddress = new Map(pages.map((page) => [page.address, page]));
  const exists = (address: string, anchor: string): boolean => {
    const page = byAddress.get(address);
    return page ? anchor === '' || page.ids.has(anchor) : files.has(address) && anchor === '';
  };

  const problems = all.flatMap((page) => referencesOf(page, exists));
  for (const file of [...files].filter((name) => name.endsWith('.css'))) {
    const css = readFileSync(join(folder, file.slice(base.length)), 'utf8');
    for (const [use] of css.matchAll(/@import[^;]*|url\(\s*["']?(?:https?:)?\/\/[^)]*\)/g)) {
      problems.push(`${file}: loads ${use}`);
    }
  }
  for (const page of pages.filter(({ file }) => file !== 'index.html')) {
    const listed = sidebarOf(page);
    const missing = pages.filter(({ file, address }) => file !== 'index.html' && !listed.has(address));
    for (const { address } of missing) problems.push(`${page.file}: the sidebar does not list ${address}`);
  }
  const sections = await searchSections(folder);
  for (const section of sections) {
    const [address = '', anchor = ''] = section.split('#');
    if (!exists(address, anchor)) problems.push(`search index: ${section} does not exist`);
  }
  const indexed = new Set(sections.map((section) => section.split('#')[0]));
  for (const { file, address } of pages.filter((page) => page.file !== 'index.html')) {
    if (!indexed.has(address)) problems.push(`search index: ${file} has no section`);
  }
  return { problems, pages: pages.length, sections: sections.length };
}

/**
 * The search index of a built site, as JSON for MiniSearch.
 *
 * @throws Error: the site has none
 */
export async function searchIndex(folder: string): Promise<string> {
  const [file] = globSync('assets/chunks/@localSearchIndexroot.*.js', { cwd: folder });
  if (file === undefined) throw new Error(`${folder} has no search index`);
  return (await import(pathToFileURL(join(folder, file)).href)).default;
}

/** The addresses of all sections in the search index, with anchors. */
async function searchSections(folder: string): Promise<string[]> {
  const { documentIds } = JSON.parse(await searchIndex(folder)) as {
    readonly documentIds?: Readonly<Record<string, string>>;
  };
  return Object.values(documentIds ?? {});
}

function read(folder: string, base: string, path: string): Html {
  const file = path.slice(base.length);
  const text = readFileSync(join(folder, file), 'utf8').replaceAll(/<!--[\s\S]*?-->/g, '');
  const ids = new Set([...text.matchAll(/\sid="([^"]*)"/g)].map(([, id = '']) => decoded(id)));
  return { file, address: path.replace(/(?:(\/)index)?\.html$/, '$1'), text, ids };
}

const decoded = (value: string): string =>
  value.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&lt;', '<').replaceAll('&amp;', '&');

/** The problems of the links of a page, and of what it loads. */
function referencesOf(page: Html, exists: (address: string, anchor: string) => boolean): string[] {
  const found = page.text.matchAll(/<(\w+)\b[^>]*?\s(?:href|src|srcset|poster|data)="([^"]*)"/g);
  return [...found].flatMap(([, tag = '', value = '']) => {
    const target = decoded(value);
    if (/^(?:[a-z][a-z\d+.-]*:|\/\/)/i.test(target)) {
      return tag === 'a' || target.startsWith('data:') ? [] : [`${page.file}: loads ${target}`];
    }
    const { pathname, hash } = new URL(target, new URL(page.address, 'http://site.invalid'));
    const anchor = decodeURIComponent(hash.slice(1));
    return exists(decodeURIComponent(pathname), anchor) ? [] : [`${page.file}: dead link ${target}`];
  });
}

function sidebarOf({ text }: Html): ReadonlySet<string> {
  const sidebar = /<aside class="VPSidebar[\s\S]*?<\/aside>/.exec(text)?.[0] ?? '';
  return new Set([...sidebar.matchAll(/\shref="([^"]*)"/g)].map(([, href = '']) => decoded(href)));
}
