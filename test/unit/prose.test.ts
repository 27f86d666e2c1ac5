import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { documents, withoutBlocks } from '../support/documents.ts';
import { root, sources } from '../support/sources.ts';

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

/** More phrases that comments do not use. */
const avoidedInComments: typeof avoided = [
  [/\btold\b/, 'receives, is reported'],
  [/\bby themselves\b/, 'separately, automatically'],
  [/\bhave to be\b/, 'must'],
  [/\blets go\b/, 'releases'],
  [/\bof use\b/, 'needed, useful'],
  [/\bgood (?:for|now)\b/, 'valid'],
  [/\bis over\b/, 'has expired, has ended'],
  [/\bbeg[aiu]n anew\b/, 'restart'],
  [/\bno one\b/, 'no user, no client'],
];

/** Idioms of the documents that are fine in a comment: "or one that is missing", "there are no rows". */
const permittedInComments: readonly string[] = ['name the object', 'not found, missing, or "no X" in a list'];

/** Standard terms that contain an avoided word. */
const permitted: readonly RegExp[] = [
  // The standard name of ECONNREFUSED.
  /\bconnection (?:was )?refused\b/g,
  /\bas soon as it is\b/g,
  /\bwhole (?:number|second)s?\b/g,
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

/** The avoided phrases of some lines, each with its line. */
const findings = (lines: readonly string[], phrases: typeof avoided): string[] =>
  phrases.flatMap(([phrase, instead]) =>
    lines
      .filter((line) => phrase.test(line))
      .map((line) => `"${phrase.exec(line)?.[0]}" (use: ${instead}): ${line.trim().slice(0, 160)}`),
  );

describe('hand-written documents', () => {
  test.each(documents().map(({ path, text }) => [path, text]))('%s uses standard terms', (_path, text) => {
    expect(findings(proseOf(text).split('\n'), avoided)).toEqual([]);
  });
});

/** The comments of a source file that are on lines of their own, each on one line. */
const commentsIn = (source: string): string[] =>
  [...source.matchAll(/^[ \t]*(\/\*[\s\S]*?\*\/|(?:\/\/.*(?:\n[ \t]*)?)+)/gm)].map(([, comment = '']) =>
    proseOf(comment.replaceAll(/^[ \t]*(?:\/\*\*?|\*\/|\*|\/\/)|\*\/$/gm, '').replaceAll(/\s+/g, ' ')),
  );

describe('comments', () => {
  const phrases = [
    ...avoided.filter(([, instead]) => !permittedInComments.includes(instead)),
    ...avoidedInComments,
  ];

  test.each(sources().map(({ path, text }) => [path, text]))('of %s use standard terms', (_path, text) => {
    expect(findings(commentsIn(text), phrases)).toEqual([]);
  });

  test('are read over several lines, without code', () => {
    const source =
      "/** One\n * two `as it is`. */\nconst a = 'nobody';\n  // Three\n  // four.\nconst b = 1;\n";
    expect(commentsIn(source).map((comment) => comment.trim())).toEqual(['one two `.', 'three four.']);
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
