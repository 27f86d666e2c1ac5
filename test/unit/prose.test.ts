import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { documents, withoutBlocks } from '../support/documents.ts';
import { root } from '../support/sources.ts';

/** Phrases that the documents do not use, and the standard term. */
const avoided: readonly (readonly [phrase: RegExp, instead: string])[] = [
  [/\bis there\b/, 'exists'],
  [/\bis none\b/, 'does not exist, missing'],
  [/\bare no\b/, 'not found, missing, or "no X" in a list'],
  [/\bnobody\b/, 'no user, no client'],
  [/\bwhoever\b/, 'a user who'],
  [/\bas it (?:is|was)\b/, 'unchanged'],
  [/\bstands\b/, 'is'],
  [/\brests\b/, 'is stored'],
  [/\bbeside\b/, 'next to, in addition to'],
  [/\btells\b/, 'reports, shows'],
  [/\bis told\b/, 'receives'],
  [/\banswer(?:s|ed|ing)?\b/, 'response, responds'],
  [/\brefus(?:e|es|ed|ing|al|als)\b/, 'reject'],
  [/\bin words\b/, 'as text'],
  [/\bwhole\b/, 'complete, all'],
  [/\bat the most\b/, 'at most'],
  [/\bby itself\b/, 'separately, automatically'],
  [/\bgoes on\b/, 'continues'],
  [/\bhas to be\b/, 'must'],
  [/\bmended\b/, 'fixed'],
  [/\blets you in\b/, 'permits the login'],
  [/\bone that\b/, 'name the object'],
  [/\bso many\b/, 'the number'],
  [/\bmade usual\b/, 'normalized'],
  [/\bbegin anew\b/, 'start again'],
];

/** Standard terms that contain an avoided word. */
const permitted: readonly RegExp[] = [
  // The standard name of ECONNREFUSED.
  /\bconnection refused\b/g,
];

/** Prose: code blocks, code spans and link targets have texts of programs and names of files. */
const proseOf = (text: string): string =>
  permitted.reduce(
    (prose, term) => prose.replaceAll(term, ''),
    withoutBlocks(text)
      .replaceAll(/`[^`\n]*`/g, '`')
      .replaceAll(/\]\([^)\s]+\)/g, ']')
      .toLowerCase(),
  );

describe('hand-written documents', () => {
  test.each(documents().map(({ path, text }) => [path, text]))('%s uses standard terms', (_path, text) => {
    const lines = proseOf(text).split('\n');
    const found = avoided.flatMap(([phrase, instead]) =>
      lines
        .filter((line) => phrase.test(line))
        .map((line) => `"${phrase.exec(line)?.[0]}" (use: ${instead}): ${line.trim().slice(0, 160)}`),
    );
    expect(found).toEqual([]);
  });
});

test.each(['ARCHITECTURE.md', 'CONTRIBUTING.md', 'docs/security.md', 'docs/protocol/README.md'])(
  '%s names files that exist',
  (document) => {
    const text = withoutBlocks(documents().find(({ path }) => path === document)?.text ?? '');
    // The worked examples of CONTRIBUTING.md add these.
    const added = ['src/commands/region/list.ts', 'test/commands/region.test.ts', 'docs/adr/NNNN-title.md'];
    const named = [...text.matchAll(/`((?:src|test|scripts|docs|bin)\/[\w./-]+)`/g)].map(
      ([, name = '']) => name,
    );
    expect(named.filter((name) => !existsSync(`${root}/${name}`) && !added.includes(name))).toEqual([]);
  },
);

test('each ADR has a date, context, decision and consequences, and a line in the index', () => {
  const all = documents().filter(({ path }) => path.startsWith('docs/adr/'));
  const index = all.find(({ path }) => path.endsWith('README.md'))?.text ?? '';
  for (const { path, text } of all.filter((one) => !one.path.endsWith('README.md'))) {
    const name = path.slice('docs/adr/'.length);
    expect(text, path).toMatch(/^# \d+\. .+\n\nDate: \d{4}-\d{2}-\d{2}\. Status: .+\n/);
    expect(
      [...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading),
      path,
    ).toEqual(expect.arrayContaining(['Context', 'Decision', 'Consequences']));
    expect(index, path).toContain(`(${name})`);
  }
});
