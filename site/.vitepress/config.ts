import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';
import { checkSite } from '../lib/check.ts';
import { linkResolver } from '../lib/links.ts';
import { documentRules, type MarkdownIt } from '../lib/markdown.ts';
import { navigationOf } from '../lib/navigation.ts';
import { pagesOf, slug, sourceEntries } from '../lib/pages.ts';

// The site shows the documents of the repository in place: its sources are the files of docs and of the repository's
// folder that lib/pages.ts lists. Their titles, order and links are derived from the files.

const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');
const site = join(root, 'site');
const { version, description } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const pages = pagesOf(root);
const navigation = navigationOf(pages, root);
const resolveLink = linkResolver(pages, root);

/** The browser loads nothing from elsewhere. VitePress needs the inline script that sets light or dark early. */
const contentSecurityPolicy = [
  "default-src 'self'",
  "script-src 'self' 'unsafe-inline'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "object-src 'none'",
].join('; ');

export default defineConfig({
  title: 'Lanyard',
  titleTemplate: ':title - Lanyard',
  description,
  lang: 'en',
  cleanUrls: true,
  srcDir: '..',
  srcExclude: [
    ...readdirSync(root, { withFileTypes: true })
      .filter(({ name }) => !sourceEntries.includes(name))
      .map((entry) => (entry.isDirectory() ? `${entry.name}/**` : entry.name)),
    ...readdirSync(site)
      .filter((name) => name !== 'index.md')
      .map((name) => `site/${name}{,/**}`),
  ],
  rewrites: Object.fromEntries(
    pages.filter(({ source, route }) => source !== route).map(({ source, route }) => [source, route]),
  ),
  outDir: './dist',
  cacheDir: './node_modules/.cache/vitepress',
  // One page after the other, so that the search index has the same order in each build.
  buildConcurrency: 1,
  head: [
    ['meta', { 'http-equiv': 'Content-Security-Policy', content: contentSecurityPolicy }],
    ['meta', { name: 'color-scheme', content: 'light dark' }],
  ],
  transformHead: ({ siteData }) => [
    ['link', { rel: 'icon', type: 'image/svg+xml', href: `${siteData.base}logo.svg` }],
  ],
  transformPageData(data) {
    const page = pages.find(({ source }) => source === data.filePath);
    if (!page) return undefined;
    if (page.route !== 'index.md') {
      return { title: page.title, description: page.description || `${page.title}. ${description}` };
    }
    const { hero } = data.frontmatter;
    const actions = [
      { theme: 'brand', text: 'Get started', link: navigation.start },
      { theme: 'alt', text: 'Install', link: '/overview#install' },
      { theme: 'alt', text: 'Commands', link: navigation.commands },
    ];
    return { description, frontmatter: { ...data.frontmatter, hero: { ...hero, actions } } };
  },
  markdown: {
    anchor: { slugify: slug },
    // Addresses in the documents are examples.
    linkify: false,
    // Braces in the documents are text.
    attrs: { disable: true },
    // Shiki gives up on a line after 0.5 s: two builds would differ on a busy machine.
    shikiSetup(shiki) {
      const { codeToHtml } = shiki;
      shiki.codeToHtml = (code, options) => codeToHtml(code, { ...options, tokenizeTimeLimit: 0 });
    },
    config: (md) =>
      documentRules(md as unknown as MarkdownIt, (source, target) =>
        resolveLink(relative(root, source).replaceAll('\\', '/'), target),
      ),
  },
  themeConfig: {
    logo: '/logo.svg',
    nav: [...navigation.bar, { text: version, link: '/changelog' }],
    sidebar: navigation.sidebar,
    outline: { level: [2, 3] },
    search: {
      provider: 'local',
      options: {
        // No functions: VitePress would evaluate their text in the browser, which the policy forbids.
        miniSearch: { searchOptions: { fuzzy: 0.2, prefix: true, boost: { title: 4, text: 2, titles: 1 } } },
      },
    },
    notFound: {
      title: 'Page not found',
      quote: 'This page does not exist. Search for its title, or open the list of commands.',
      linkLabel: 'Go to the home page',
      linkText: 'Home page',
    },
    footer: { message: 'MIT licensed.' },
  },
  vite: {
    publicDir: join(site, 'public'),
    plugins: [
      {
        name: 'external-vue',
        enforce: 'pre',
        // The documents are outside the folder that contains Vue. The bundle that renders them is inside.
        resolveId: (id, _importer, { ssr }) =>
          ssr && /^vue(\/server-renderer)?$/.test(id) ? { id, external: true } : null,
      },
    ],
    build: { target: 'es2022', chunkSizeWarningLimit: 4000 },
  },
  async buildEnd({ outDir, site: { base } }) {
    const { problems, pages: count, sections } = await checkSite(outDir, base);
    if (problems.length > 0) throw new Error(`the site has errors:\n${problems.join('\n')}`);
    process.stdout.write(`${count} pages and ${sections} sections in the search index\n`);
  },
});
