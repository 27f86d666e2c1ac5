import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { item, manPage, paragraph, prose, roff, verbatim } from '../../../scripts/generate/roff.ts';
import { manText } from '../../../src/cli/help/man-text.ts';
import { withoutOverstrikes } from '../../support/overstrikes.ts';
import { has } from '../../support/require.ts';

const edition = { version: '1.2.3', date: '2026-01-02' };

/** Texts that roff would read as requests, escapes, quotes or typographic characters. */
const texts = [
  '.TH is no request',
  "'TH is none either",
  '.',
  '..',
  '\\fBnot bold\\fR \\(bu \\n[x] \\*[y] \\',
  'trailing \\',
  '"quoted" \'single\' `backquoted`',
  '--flag -x - a-b --',
  '~/file ^C a^b ~',
  'naïve – “typographic” → 日本 🔑',
  '{{token}} %d $HOME #{x} a|b <c> & d; e',
  '.\\" no comment',
];

const page = manPage(
  {
    name: 'lanyard-sample',
    section: 1,
    summary: 'test what - and "quotes" become',
    sections: [
      ['PARAGRAPHS', texts.flatMap((text) => paragraph(prose(text)))],
      ['ITEMS', texts.flatMap((text) => item(roff(text), prose(text)))],
      ['VERBATIM', verbatim(texts)],
    ],
  },
  edition,
);

/** The output of a formatter without bold and underlined text. */
const shown = (program: string, args: readonly string[]): string => {
  const { status, stdout, stderr } = spawnSync(program, args, {
    input: page,
    encoding: 'utf8',
    env: { ...process.env, MANWIDTH: '100', MANROFFOPT: '-c', LC_ALL: 'C.UTF-8' },
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return withoutOverstrikes(stdout);
};

const formatters: readonly (readonly [name: string, isThere: boolean, format: () => string])[] = [
  ['Lanyard', true, () => manText(page, 100)],
  ['mandoc', has('mandoc'), () => shown('mandoc', ['-T', 'utf8', '-O', 'width=100'])],
  ['groff', has('groff'), () => shown('groff', ['-K', 'utf8', '-T', 'utf8', '-P', '-c', '-m', 'an'])],
];

describe('a man page', () => {
  test('is ASCII, and no text of it is a request', () => {
    expect(page).toMatch(/^[\n -~]*$/);
    const requests = page.split('\n').filter((line) => /^[.']/.test(line));
    const known = /^\.(\\"|TH|nh|ad l|SH|PP|TP|RS 4|nf|fi|RE)( |$)/;
    expect(requests.filter((line) => !known.test(line))).toEqual([]);
  });

  test('has the version and date that it is given', () => {
    expect(page).toContain('\n.TH LANYARD\\-SAMPLE 1 2026-01-02 "lanyard 1.2.3" "Lanyard Manual"\n');
  });

  for (const [name, isThere, format] of formatters) {
    test.skipIf(!isThere)(`is shown by ${name} with each character as it was given`, () => {
      const output = format();
      const lines = output.split('\n').map((line) => line.trim());
      for (const text of texts) {
        // A paragraph, a line as it is, and an item of which a short term is in the line of its text.
        const isShort = text.length < 7;
        const item = isShort ? [text.padEnd(7) + text] : [text, text];
        const isOne = (line: string): boolean => line === text || item.includes(line);
        expect(lines.filter(isOne).toSorted(), text).toEqual([text, text, ...item].toSorted());
      }
      expect(output).toContain('lanyard-sample - test what - and "quotes" become\n');
    });
  }

  test.skipIf(!has('mandoc'))('has no warnings of mandoc', () => {
    shown('mandoc', ['-T', 'lint', '-W', 'warning']);
  });
});
