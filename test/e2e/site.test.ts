import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkSite, searchIndex } from '../../site/lib/check.ts';
import { pagesOf } from '../../site/lib/pages.ts';
import { type Browser, startBrowser } from '../support/chromium.ts';
import { has, hasSitePackages } from '../support/require.ts';
import { sized } from '../support/soak.ts';
import { root } from '../support/sources.ts';
import { type StaticServer, serveFolder } from '../support/static-server.ts';

// The documentation site, built as for a host that has it under a path.

const base = '/tools/lanyard/';
const pages = pagesOf(root);
const site = join(root, 'site');

describe.skipIf(!hasSitePackages())('the documentation site', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lanyard-site-'));
    const vitepress = join(site, 'node_modules/vitepress/bin/vitepress.js');
    await promisify(execFile)(process.execPath, [vitepress, 'build', '--base', base, '--outDir', folder], {
      cwd: site,
      env: { ...process.env, NODE_ENV: 'production' },
      maxBuffer: 2 ** 26,
    });
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test('has all documents in its sidebar and search index, and no dead link', async () => {
    const { problems, pages: count, sections } = await checkSite(folder, base);
    expect(problems).toEqual([]);
    expect(count).toBe(pages.length);
    const documents = globSync('docs/**/*.md', { cwd: root });
    expect(pages.length).toBeGreaterThan(documents.length);
    expect(sections).toBeGreaterThan(500);
  });

  test('has a title and a description for each page', () => {
    for (const { source, title, description } of pages) {
      if (source === 'site/index.md') continue;
      expect(title, source).not.toBe('');
      expect(description.length, source).toBeLessThanOrEqual(160);
    }
    expect(pages.filter(({ description }) => description.length > 30).length).toBeGreaterThan(
      0.8 * pages.length,
    );
  });

  test('has a home page with text, links and features', () => {
    const home = readFileSync(join(folder, 'index.html'), 'utf8');
    expect(home).toMatch(/<title>Lanyard\b/);
    expect(home).toContain('One command line for five services');
    expect(home.match(/class="VPButton/g)).toHaveLength(3);
    expect(home.match(/class="[^"]*\bVPFeature\b/g)).toHaveLength(6);
  });

  test('finds commands in the search index', async () => {
    const MiniSearch = createRequire(join(site, 'package.json'))('minisearch');
    const fields = { fields: ['title', 'titles', 'text'], storeFields: ['title', 'titles'] };
    const index = MiniSearch.loadJSON(await searchIndex(folder), fields);
    const boost = { title: 4, text: 2, titles: 1 };
    for (const command of ['ssh sign', 'kv put', 'var export', 'box upload', 'account change-password']) {
      const [first] = index.search(command, { fuzzy: 0.2, prefix: true, boost });
      expect(first, command).toMatchObject({ title: `lanyard ${command}` });
      expect(first.id, command).toMatch(new RegExp(`^${base}commands/.*#lanyard-`));
    }
  });

  describe.skipIf(!has('chromium'))('in a browser', () => {
    let server: StaticServer;
    let browser: Browser;

    beforeAll(async () => {
      server = await serveFolder(folder, base);
      browser = await startBrowser();
    });
    afterAll(async () => {
      await browser.close();
      server.close();
    });

    /** Of the folders with many pages of one form a third; all in a soak. */
    const sampled = pages.filter(
      ({ source }, index) => !/^docs\/(adr|commands)\//.test(source) || index % sized(1, 3) === 0,
    );

    /** Waits in the page until an expression is true. */
    const until = (condition: string): Promise<void> =>
      browser.evaluate(`new Promise((resolve) => {
        const look = () => ((${condition}) ? resolve() : setTimeout(look, 20));
        look();
      })`);
    /** Opens a page, and waits until its scripts have started. */
    const open = async (link: string): Promise<void> => {
      await browser.open(new URL(`.${link}`, server.address).href);
      await until(`document.querySelector('#app')?.__vue_app__`);
    };
    /** What reaches over the edge of the window, and cannot be scrolled in an element of its own. */
    const overflowing = `[...document.querySelectorAll('body *')].filter((element) => {
      const { right, width } = element.getBoundingClientRect();
      if (width === 0 || right <= WIDTH + 1 || !element.checkVisibility()) return false;
      for (let parent = element.parentElement; parent; parent = parent.parentElement) {
        if (/auto|scroll|hidden/.test(getComputedStyle(parent).overflowX)) return false;
        if (getComputedStyle(parent).position === 'fixed') return false;
      }
      return true;
    }).map((element) => element.outerHTML.slice(0, 200))`;

    test.each([
      { name: 'phone', width: 390, height: 844, scheme: 'light' },
      { name: 'phone, dark', width: 390, height: 844, scheme: 'dark' },
      { name: 'desktop', width: 1280, height: 800, scheme: 'light' },
    ] as const)('no page is wider than the window ($name)', async ({ name, width, height, scheme }) => {
      await browser.emulate({ width, height, scheme });
      // Colors do not change the layout: the dark pages are samples.
      for (const { link } of name === 'phone' ? sampled : pages.slice(0, 12)) {
        await open(link);
        expect(await browser.evaluate('document.documentElement.scrollWidth'), link).toBe(width);
        expect(await browser.evaluate(overflowing.replace('WIDTH', `${width}`)), link).toEqual([]);
      }
    });

    test('tables and code that are too wide scroll in an element of their own', async () => {
      await browser.emulate({ width: 390, height: 844, scheme: 'light' });
      await open('/compatibility');
      const scrolling = `[...document.querySelectorAll('.vp-doc :is(table, pre)')]
        .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).length`;
      expect(await browser.evaluate(scrolling)).toBeGreaterThan(0);
      // What the test above would find.
      const wide = '<div style="width: 500px">wide</div>';
      await browser.evaluate(`document.querySelector('.vp-doc').insertAdjacentHTML('beforeend', '${wide}')`);
      expect(await browser.evaluate(overflowing.replace('WIDTH', '390'))).toContainEqual(
        expect.stringContaining('wide'),
      );
    });

    test('is dark if the user prefers it, and after a click on the switch', async () => {
      const colors = `(() => {
        const light = (color) => color.match(/\\d+/g).slice(0, 3).reduce((sum, part) => sum + Number(part), 0);
        const { backgroundColor } = getComputedStyle(document.body);
        const text = getComputedStyle(document.querySelector('.vp-doc p')).color;
        return light(backgroundColor) > light(text) ? 'light' : 'dark';
      })()`;
      for (const scheme of ['light', 'dark'] as const) {
        await browser.emulate({ width: 1280, height: 800, scheme });
        await open('/security');
        expect(await browser.evaluate(colors)).toBe(scheme);
      }
      await browser.evaluate(`document.querySelector('.VPNavBar .VPSwitchAppearance').click()`);
      await until(`!document.documentElement.classList.contains('dark')`);
      await open('/security');
      expect(await browser.evaluate(colors)).toBe('light');
      await browser.evaluate('localStorage.clear()');
    });

    test('finds a command, and opens it', async () => {
      await browser.emulate({ width: 390, height: 844, scheme: 'light' });
      await open('/');
      await browser.evaluate(`document.querySelector('.VPNavBarSearch button').click()`);
      await until(`document.querySelector('.VPLocalSearchBox input')`);
      await browser.evaluate(`(() => {
        const input = document.querySelector('.VPLocalSearchBox input');
        input.value = 'ssh role put';
        input.dispatchEvent(new Event('input', { bubbles: true }));
      })()`);
      await until(
        `document.querySelector('.VPLocalSearchBox a.result')?.textContent.includes('lanyard ssh role put')`,
      );
      await browser.evaluate(`document.querySelector('.VPLocalSearchBox a.result').click()`);
      await until(`location.hash === '#lanyard-ssh-role-put' && document.querySelector(location.hash)`);
      expect(await browser.evaluate('location.pathname')).toMatch(new RegExp(`^${base}commands/`));
    });

    test('follows links under its path, and shows a page for unknown addresses', async () => {
      await browser.emulate({ width: 1280, height: 800, scheme: 'light' });
      await open('/overview');
      await browser.evaluate(`document.querySelector('.VPSidebar a[href$="/compatibility"]').click()`);
      await until(`document.querySelector('.vp-doc h1')?.textContent.startsWith('Compatibility')`);
      expect(await browser.evaluate('location.pathname')).toBe(`${base}compatibility`);
      await open('/guides/missing');
      await until(`document.body.textContent.includes('Page not found')`);
    });

    test('loads nothing from elsewhere, without errors', () => {
      const elsewhere = browser.requested.filter(
        (url) => !url.startsWith(server.address) && !/^(data|about):/.test(url),
      );
      expect(elsewhere).toEqual([]);
      expect(browser.requested.length).toBeGreaterThan(pages.length);
      expect(browser.errors.filter((error) => !error.includes('/guides/missing'))).toEqual([]);
    });
  });
});
