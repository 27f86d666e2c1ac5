import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import type { Page } from './pages.ts';

/** A page in the sidebar or in the bar at the top, in the format of VitePress. */
export interface Item {
  text: string;
  link: string;
}

interface Group {
  text: string;
  items: Item[];
  /** Of the sidebar: whether its pages are hidden until the group is opened. */
  collapsed?: boolean;
}

export interface Navigation {
  /** All pages except the home page, in groups. */
  readonly sidebar: (Item | Group)[];
  readonly bar: (Item | Group)[];
  /** The page for new users: the guide for getting started, or the first guide. */
  readonly start: string;
  /** The page that lists all commands. */
  readonly commands: string;
}

/** Groups with a folder of docs, in this order. A folder that is not listed becomes a group after them. */
const folders: Readonly<Record<string, { readonly text: string; readonly collapsed?: boolean }>> = {
  guides: { text: 'Guides', collapsed: false },
  commands: { text: 'Commands', collapsed: true },
  library: { text: 'Library', collapsed: true },
  protocol: { text: 'Protocol', collapsed: true },
  adr: { text: 'Decisions', collapsed: true },
};

/** Pages outside these folders: the group of each, in this order. Other documents of docs are in "Reference". */
const project = ['CHANGELOG.md', 'docs/release.md', 'SECURITY.md', 'CONTRIBUTING.md', 'ARCHITECTURE.md'];

/** Titles that differ from the first heading of the page. */
const titles: Readonly<Record<string, string>> = {
  'README.md': 'Overview',
  'SECURITY.md': 'Security policy',
  'commands/index.md': 'All commands',
  'library/index.md': 'Use the library',
  'protocol/index.md': 'About these pages',
  'adr/index.md': 'List of decisions',
};

/**
 * The navigation, derived from the pages that exist.
 *
 * @param pages all pages
 * @param root folder of the repository, to read the order of the pages from the index of their folder
 */
export function navigationOf(pages: readonly Page[], root: string): Navigation {
  const item = (page: Page): Item => ({ text: textOf(page), link: page.link });
  const of = (sources: readonly string[]): Item[] =>
    sources.flatMap((source) => pages.filter((page) => page.source === source)).map(item);
  const group = (name: string): Item[] => ordered(pagesIn(pages, name), root).map(item);

  const found = pages
    .filter(({ route }) => route.includes('/'))
    .map(({ route }) => route.split('/')[0] ?? '');
  const names = [...new Set([...Object.keys(folders), ...found])].filter((name) => found.includes(name));
  const inFolder = new Set(names.flatMap((name) => pagesIn(pages, name)));
  const reference = pages.filter(
    (page) => page.source.startsWith('docs/') && !inFolder.has(page) && !project.includes(page.source),
  );
  const groups = names.map((name) => ({
    ...(folders[name] ?? { text: capitalized(name.replaceAll('-', ' ')), collapsed: true }),
    items: group(name),
  }));
  const [guides = '/overview', commands = '/overview'] = ['guides', 'commands'].map(
    (name) => group(name)[0]?.link,
  );
  const referenceItems = reference.map(item);
  const users = groups.filter((_, at) => ['guides', 'commands', 'library'].includes(names[at] ?? ''));
  const contributors = groups.filter((each) => !users.includes(each));
  const others = groups.filter((_, at) => !['guides', 'commands'].includes(names[at] ?? ''));
  const projectItems = of(project);

  return {
    start: pages.find(({ route }) => /^guides\/.*getting-started/.test(route))?.link ?? guides,
    commands,
    sidebar: [
      ...of(['README.md']),
      ...users,
      { text: 'Reference', collapsed: false, items: referenceItems },
      ...contributors,
      { text: 'Project', collapsed: false, items: projectItems },
    ],
    bar: [
      { text: 'Guides', link: guides },
      { text: 'Commands', link: commands },
      {
        text: 'Reference',
        items: [
          ...referenceItems,
          ...others.map(({ text, items }) => ({ text, link: items[0]?.link ?? '/overview' })),
        ],
      },
      { text: 'Project', items: projectItems },
    ],
  };
}

/** The title of a page in the sidebar, without what the group says: "ssh" for "lanyard ssh" in commands. */
function textOf({ source, route, title }: Page): string {
  const fixed = titles[source] ?? titles[route];
  if (fixed) return fixed;
  const folder = route.split('/')[0] ?? '';
  if (folder === 'commands') return title.replace('lanyard ', '');
  const prefix = `${folders[folder]?.text}: `;
  return title.startsWith(prefix) ? capitalized(title.slice(prefix.length)) : title;
}

const pagesIn = (pages: readonly Page[], name: string): Page[] =>
  pages.filter(({ route }) => route.startsWith(`${name}/`));

/**
 * The pages of a folder: its index, then the pages to which the index (without one, the README of the repository)
 * links, in that order, then "getting started", then the others by title (by file name if the names are numbered).
 */
function ordered(pages: readonly Page[], root: string): Page[] {
  const index = pages.find(({ route }) => /^[^/]+\/index\.md$/.test(route));
  const linked = linksOf(index?.source ?? 'README.md', root);
  const rank = (page: Page): number => {
    if (page === index) return -1;
    const position = linked.indexOf(page.source);
    if (position >= 0) return position;
    return /getting-started/.test(page.route) ? linked.length : linked.length + 1;
  };
  const numbered = pages.filter((page) => page !== index).every(({ route }) => /\/\d+-[^/]+$/.test(route));
  const name = (page: Page) => (numbered ? page.route : page.title);
  return pages.toSorted((a, b) => rank(a) - rank(b) || name(a).localeCompare(name(b), 'en'));
}

/** The documents to which a page links. */
function linksOf(source: string, root: string): string[] {
  if (!existsSync(join(root, source))) return [];
  const links = readFileSync(join(root, source), 'utf8').matchAll(/\]\(([^)\s#]+\.md)(?:#[^)]*)?\)/g);
  return [...links].map(([, target = '']) => posix.join(posix.dirname(source), target));
}

const capitalized = (name: string): string => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
