import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { type MarkdownOptions, renderMarkdown } from '../../../src/output/markdown.ts';

const render = (markdown: string, options: Partial<MarkdownOptions> = {}): Promise<string> =>
  renderMarkdown(markdown, { width: 40, color: false, linkTarget: () => undefined, ...options });

describe('Markdown as text', () => {
  test('has headings at the margin, and wrapped text below them', async () => {
    const markdown =
      '# Title\n\nA paragraph that is wider than\nforty cells, and **strong**.\n\n## Part\n\n### Detail\n\nText.\n';
    expect(await render(markdown)).toBe(
      'Title\n\n  A paragraph that is wider than forty\n  cells, and strong.\n\nPart\n\n  Detail\n\n  Text.\n',
    );
  });

  test('has code unchanged, also if it is wider', async () => {
    const line = `lanyard ${'x'.repeat(60)} # a  comment`;
    expect(await render(`\`\`\`sh\n${line}\n\n  next\n\`\`\`\n`)).toBe(`    ${line}\n\n      next\n`);
    expect(await render('Run `lanyard a very long command line that is not broken` now.')).toBe(
      '  Run\n  `lanyard a very long command line that is not broken`\n  now.\n',
    );
  });

  test('has lists with hanging indents', async () => {
    const markdown =
      '- one, which is wider than the line of a terminal\n- two\n  - inner\n\n1. first\n\n   ```sh\n   run\n   ```\n\n2. second\n';
    expect(await render(markdown)).toBe(
      '  - one, which is wider than the line of\n    a terminal\n  - two\n    - inner\n\n' +
        '  1. first\n\n       run\n\n  2. second\n',
    );
  });

  test('has the targets of links after their text', async () => {
    const markdown = 'See [one](one.md), [two](https://example.com/) and [three](#three).';
    const linkTarget = (href: string) =>
      href === 'one.md' ? { command: 'help one' } : href.startsWith('https') ? { address: href } : undefined;
    expect(await render(markdown, { width: 80, linkTarget })).toBe(
      '  See one (`help one`), two (https://example.com/) and three.\n',
    );
  });

  test('leaves comments out', async () => {
    expect(await render('One.\n\n<!-- part: begin -->\n\nTwo.\n')).toBe('  One.\n\n  Two.\n');
  });

  test('rejects what has no form in a terminal', async () => {
    await expect(render('> quoted')).rejects.toThrow('unsupported Markdown: blockquote_open');
    await expect(render('![image](x.png)')).rejects.toThrow('unsupported Markdown: image');
  });
});

describe('tables', () => {
  const markdown =
    '| name | `--flag` | meaning |\n| --- | --- | --- |\n| first | `a` | a text that needs more than one line here |\n| second | `b` | short |\n';

  test('have aligned columns with wrapped cells', async () => {
    expect(await render(markdown, { width: 50 })).toBe(
      [
        '  NAME    `--flag`  MEANING',
        '  first   `a`       a text that needs more than',
        '                    one line here',
        '  second  `b`       short',
        '',
      ].join('\n'),
    );
  });

  test('have their rows below each other in a narrow terminal', async () => {
    expect(await render(markdown, { width: 30 })).toBe(
      [
        '  first',
        '    `--flag`: `a`',
        '    meaning: a text that needs',
        '    more than one line here',
        '',
        '  second',
        '    `--flag`: `b`',
        '    meaning: short',
        '',
      ].join('\n'),
    );
  });

  test('have no header if all its cells are empty', async () => {
    expect(await render('| | |\n| --- | --- |\n| a | b |\n')).toBe('  a  b\n');
  });
});

describe('color', () => {
  test('replaces the quotes of code, and sets commands off from output', async () => {
    const markdown = '# Title\n\nRun `it`.\n\n```console\n$ one \\\n    --two\noutput\n$ three\n```\n';
    const colored = await render(markdown, { color: true });
    expect(stripVTControlCharacters(colored)).toBe((await render(markdown)).replaceAll('`', ''));
    expect(colored).toContain('\u001b[1mTitle\u001b[22m');
    expect(colored).toContain('\u001b[36mit\u001b[39m.');
    expect(colored).toContain('\u001b[2m$ \u001b[22m\u001b[36mone \\\u001b[39m');
    expect(colored).toContain('\u001b[36m    --two\u001b[39m');
    expect(colored).toContain('\u001b[2moutput\u001b[22m');
  });

  test('is only in the text if it is wanted', async () => {
    expect(await render('# Title\n\n`code`')).not.toContain('\u001b');
  });
});
