import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import markdownIt from 'markdown-it';
import { expect, test } from 'vitest';
import { checkSite } from '../../../site/lib/check.ts';
import { linkResolver } from '../../../site/lib/links.ts';
import { documentRules, type MarkdownIt } from '../../../site/lib/markdown.ts';
import { navigationOf } from '../../../site/lib/navigation.ts';
import { pagesOf, slug } from '../../../site/lib/pages.ts';
import { anchors, documents } from '../../support/documents.ts';
import { folderForTest } from '../../support/folders.ts';
import { root } from '../../support/sources.ts';

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = folderForTest();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

const repository = {
  'README.md': '# Lanyard\n\nOne command line. See [commands](docs/commands.md).\n',
  'CHANGELOG.md': '# Changelog\n',
  'docs/commands.md':
    '<!-- generated -->\n\n# Commands\n\nAll areas: [var](commands/var.md), [ssh](commands/ssh.md).\n',
  'docs/commands/ssh.md': '# ssh\n\n## lanyard ssh sign\n',
  'docs/commands/var.md': '# var\n',
  'docs/guides/zebra.md': '# A first guide\n\nText with `code` and [a link](../security.md):\n',
  'docs/guides/getting-started.md': '# Start here\n',
  'docs/adr/README.md': '# Decisions\n',
  'docs/adr/0002-b.md': '# 2. A\n',
  'docs/adr/0001-a.md': '# 1. B\n',
  'docs/security.md': '# Security\n\n```sh\n# no heading\n```\n',
  'src/main.ts': '',
};

test('derives pages from the files, with a folder of commands and without', () => {
  const links = (files: Readonly<Record<string, string>>) =>
    Object.fromEntries(pagesOf(folderWith(files)).map(({ source, link }) => [source, link]));
  expect(links(repository)).toEqual({
    'README.md': '/overview',
    'CHANGELOG.md': '/changelog',
    'docs/commands.md': '/commands/',
    'docs/commands/ssh.md': '/commands/ssh',
    'docs/commands/var.md': '/commands/var',
    'docs/guides/zebra.md': '/guides/zebra',
    'docs/guides/getting-started.md': '/guides/getting-started',
    'docs/adr/README.md': '/adr/',
    'docs/adr/0001-a.md': '/adr/0001-a',
    'docs/adr/0002-b.md': '/adr/0002-b',
    'docs/security.md': '/security',
  });
  expect(links({ 'docs/commands.md': '# Commands\n' })).toEqual({ 'docs/commands.md': '/commands/' });
  expect(links({ 'docs/commands/README.md': '# Commands\n', 'docs/commands/ssh.md': '# ssh\n' })).toEqual({
    'docs/commands/README.md': '/commands/',
    'docs/commands/ssh.md': '/commands/ssh',
  });
});

test('reads title and description of a page as text', () => {
  const pages = pagesOf(folderWith(repository));
  expect(pages.find(({ link }) => link === '/guides/zebra')).toMatchObject({
    title: 'A first guide',
    description: 'Text with code and a link.',
  });
  expect(pages.find(({ link }) => link === '/commands/ssh')?.title).toBe('lanyard ssh');
  expect(pages.find(({ link }) => link === '/security')).toMatchObject({
    title: 'Security',
    description: '',
  });
});

test('orders the navigation by the index of a folder, and has every page', () => {
  const at = folderWith({
    ...repository,
    'docs/plugins/README.md': '# Plugins\n',
    'docs/library.md': '# Use it\n',
    'docs/library/box.md': '# Library: box registry\n',
  });
  const { sidebar, start, commands } = navigationOf(pagesOf(at), at);
  const texts = sidebar.map((entry) =>
    'items' in entry ? [entry.text, entry.items.map(({ text }) => text)] : entry.text,
  );
  expect(texts).toEqual([
    'Overview',
    ['Guides', ['Start here', 'A first guide']],
    ['Commands', ['All commands', 'var', 'ssh']],
    ['Library', ['Use the library', 'Box registry']],
    ['Reference', ['Security']],
    ['Decisions', ['List of decisions', '1. B', '2. A']],
    ['Plugins', ['Plugins']],
    ['Project', ['Changelog']],
  ]);
  expect({ start, commands }).toEqual({ start: '/guides/getting-started', commands: '/commands/' });
});

test('resolves links between documents, and shows the path of other files', () => {
  const at = folderWith(repository);
  const resolve = linkResolver(pagesOf(at), at);
  const md = markdownIt({ html: true });
  documentRules(md as unknown as MarkdownIt, resolve);
  const html = (text: string) => md.renderInline(text, { path: 'docs/guides/zebra.md' });
  expect(html('[the rules](../security.md#limits)')).toBe('<a href="/security#limits">the rules</a>');
  expect(html('[docs/security.md](../security.md)')).toBe('<a href="/security">Security</a>');
  expect(html('[read me](../../README.md), [below](#below)')).toBe(
    '<a href="/overview">read me</a>, <a href="#below">below</a>',
  );
  expect(html('[decisions](../adr)')).toBe('<a href="/adr/">decisions</a>');
  expect(html('[elsewhere](https://example.com/a.md)')).toBe(
    '<a href="https://example.com/a.md">elsewhere</a>',
  );
  expect(html('[src](../../src) has [the program](../../src/main.ts)')).toBe(
    '<code>src/</code> has the program (<code>src/main.ts</code>)',
  );
  for (const target of ['missing.md', '../../../outside.md', '/missing']) {
    expect(() => html(`[x](${target})`), target).toThrow(/^docs\/guides\/zebra.md: the target of the link/);
  }
});

test('shows braces and flags as text', () => {
  const md = markdownIt();
  documentRules(md as unknown as MarkdownIt, () => ({ kind: 'link', href: '' }));
  expect(md.renderInline('a {{b}} & `{{c}} --dry-run=true -v x-y`')).toBe(
    'a &#123;&#123;b}} &amp; <code>&#123;&#123;c}} <span class="flag">--dry-run</span>=true <span class="flag">-v</span> x-y</code>',
  );
});

test('makes the anchors of headings as the documents use them', () => {
  for (const { path, text } of documents()) {
    for (const anchor of anchors(text)) expect(slug(anchor), path).toBe(anchor);
  }
  expect(slug(' From `lanyard dev` to a cluster: HTTP/2 & _x_ ')).toBe(
    'from-lanyard-dev-to-a-cluster-http2--_x_',
  );
});

test('resolves every link of the repository', () => {
  const pages = pagesOf(root);
  const md = markdownIt({ html: true });
  documentRules(md as unknown as MarkdownIt, linkResolver(pages, root));
  for (const { path, text } of documents().filter((document) =>
    pages.some(({ source }) => source === document.path),
  )) {
    expect(() => md.render(text, { path }), path).not.toThrow();
  }
});

const page = (sidebar: string, content: string) =>
  `<html><head><link href="/base/assets/a.css"></head><body><aside class="VPSidebar">${sidebar}</aside>${content}</body></html>`;
const links = '<a href="/base/a">a</a><a href="/base/b/">b</a>';
const site = {
  'index.html': '<a href="/base/a">start</a>',
  'a.html': page(links, '<h2 id="one">One</h2><a href="#one">1</a><a href="/base/b/#two">2</a>'),
  'b/index.html': page(
    links,
    '<h2 id="two">Two</h2><a href="https://example.com">elsewhere</a><a href="../a">a</a>',
  ),
  '404.html': '',
  'assets/a.css': 'a { background: url(data:image/png;base64,AAAA) }',
  'assets/chunks/@localSearchIndexroot.x.js':
    'export default \'{"documentCount":2,"documentIds":{"0":"/base/a#one","1":"/base/b/"}}\'',
};

test('finds no problem in a complete site', async () => {
  expect(await checkSite(folderWith(site), '/base/')).toEqual({ problems: [], pages: 2 + 1, sections: 2 });
});

test.each([
  [
    'a link to a missing page',
    { 'index.html': '<a href="/base/c">c</a>' },
    ['index.html: dead link /base/c'],
  ],
  ['a link outside its path', { 'index.html': '<a href="/a">a</a>' }, ['index.html: dead link /a']],
  ['a link to a missing anchor', { 'index.html': '<a href="a#two">a</a>' }, ['index.html: dead link a#two']],
  [
    'a script from elsewhere',
    { 'index.html': '<script src="https://example.com/x.js"></script>' },
    ['index.html: loads https://example.com/x.js'],
  ],
  [
    'a font from elsewhere',
    { 'assets/a.css': 'a { src: url("//example.com/f.woff2") }' },
    ['/base/assets/a.css: loads url("//example.com/f.woff2")'],
  ],
  [
    'a page that is not in the navigation',
    { 'c.html': page(links, '') },
    [
      'a.html: the sidebar does not list /base/c',
      'b/index.html: the sidebar does not list /base/c',
      'c.html: the sidebar does not list /base/c',
      'search index: c.html has no section',
    ],
  ],
  [
    'a search index with a missing section',
    {
      'assets/chunks/@localSearchIndexroot.x.js':
        'export default \'{"documentIds":{"0":"/base/a#three","1":"/base/b/"}}\'',
    },
    ['search index: /base/a#three does not exist'],
  ],
])('reports %s', async (_what, change, problems) => {
  const found = await checkSite(folderWith({ ...site, ...(change as Record<string, string>) }), '/base/');
  expect([...found.problems].sort()).toEqual(problems);
});

test('reports a site without a search index', async () => {
  const { 'assets/chunks/@localSearchIndexroot.x.js': _index, ...rest } = site;
  await expect(checkSite(folderWith(rest), '/base/')).rejects.toThrow('has no search index');
});
