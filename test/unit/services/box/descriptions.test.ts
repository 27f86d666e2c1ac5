import { expect, test } from 'vitest';
import { markdownRenderer } from '../../../../src/services/box/markdown.ts';
import { boxes } from './support.ts';

test('descriptions of boxes and versions are rendered from markdown', async () => {
  const { json } = await boxes();
  const description = '# Title\n\n*md*';
  const rendered = {
    description_html: '<h1>Title</h1>\n<p><em>md</em></p>',
    description_markdown: description,
  };
  await json('POST', 'boxes', { box: { username: 'ada', name: 'base', description, is_private: false } });
  const version = { version: '1.0.0', description: 'a\n\n- b\n- `c`' };
  const versionHtml = '<p>a</p>\n<ul>\n<li>b</li>\n<li><code>c</code></li>\n</ul>';
  expect(await json('POST', 'box/ada/base/versions', { version })).toMatchObject({
    description_html: versionHtml,
    description_markdown: version.description,
  });
  expect(await json('GET', 'box/ada/base')).toMatchObject({
    ...rendered,
    versions: [{ description_html: versionHtml }],
  });
  expect(await json('GET', 'user/ada')).toMatchObject({ boxes: [rendered] });
});

test.each([
  ['', ''],
  ['first', '<p>first</p>'],
  ['a  \nb', '<p>a<br>\nb</p>'],
  ['a <b>\n\nc & "d"', '<p>a &lt;b&gt;</p>\n<p>c &amp; &quot;d&quot;</p>'],
  ['```sh\nvagrant <up>\n```', '<pre><code class="language-sh">vagrant &lt;up&gt;\n</code></pre>'],
  [
    '[home](https://a.example/b?c=d&e "t")',
    '<p><a href="https://a.example/b?c=d&amp;e" title="t">home</a></p>',
  ],
  ['[mail](mailto:a@a.example)', '<p><a href="mailto:a@a.example">mail</a></p>'],
  ['[path](b/c:d) ![](x.png)', '<p><a href="b/c:d">path</a> <img src="x.png" alt=""></p>'],
  [
    '| a |\n| - |\n| b |',
    '<table>\n<thead>\n<tr>\n<th>a</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>b</td>\n</tr>\n</tbody>\n</table>',
  ],
])('renders %j', async (markdown, html) => {
  expect((await markdownRenderer())(markdown)).toBe(html);
});

const schemes = [
  'javascript',
  'JaVaScRiPt',
  'vbscript',
  'data',
  'file',
  'blob',
  'java&Tab;script',
  '&#106;avascript',
];
const links = schemes.flatMap((scheme) => [
  `[x](${scheme}:alert(1))`,
  `[x](<${scheme}:alert(1)>)`,
  `![x](${scheme}:alert(1))`,
  `<${scheme}:alert(1)>`,
  `[x][a]\n\n[a]: ${scheme}:alert(1)`,
  `[x]( ${scheme}:alert(1) "title")`,
]);

test.each([
  ...links,
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<!-- <script> -->',
  '<svg/onload=alert(1)>',
  'a\n<iframe src="https://a.example"></iframe>',
  '`<script>`',
  '```"><script>\n</code></pre><script>\n```',
  '&lt;script&gt;',
  '[x](https://a.example/"onclick="alert(1))',
  '[x](https://a.example "\\"><script>")',
  '![" onerror="alert(1)](https://a.example/x.png)',
  '[x](\u0001javascript:alert(1))',
])('renders %j without anything that a browser runs', async (markdown) => {
  const html = (await markdownRenderer())(markdown);
  const tags = html.match(/<[^>]*>/g) ?? [];
  for (const tag of tags) {
    expect(tag).toMatch(
      /^<\/?(p|a|img|pre|code|br|em)( (href|src)="(https?:\/\/|x)[^"<>]*")?( (alt|title|class)="[^"<>]*")*>$/,
    );
  }
  expect(html.replace(/<[^>]*>/g, '')).not.toContain('<');
});

test.each([
  '['.repeat(50_000),
  '> '.repeat(20_000),
  '*a '.repeat(20_000),
  '**_'.repeat(15_000),
  '[a]('.repeat(15_000),
  '<!--'.repeat(15_000),
  '&'.repeat(50_000),
])('renders deeply nested or unfinished markdown (%.8s)', async (markdown) => {
  expect((await markdownRenderer())(markdown)).toMatch(/^<(p|blockquote)>/);
});
