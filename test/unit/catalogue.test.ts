import { describe, expect, test } from 'vitest';
import { topics } from '../../src/cli/help/topics.ts';
import { commonFlags, resultFlags, serviceFlags, writeFlags } from '../../src/cli/parse/globals.ts';
import type { AnyCommand } from '../../src/command/command.ts';
import { groups, tree } from '../../src/commands/tree.ts';
import { literalsIn } from '../support/literals.ts';
import { sources } from '../support/sources.ts';
import { pending } from './catalogue-pending.ts';

/*
 * What a machine can check of the wording of help, errors and hints. Files in catalogue-pending.ts are not rewritten
 * yet; the list only shrinks, and a file that has no findings must be removed from it.
 */

/** First words of summaries. */
const verbs = [
  ...[
    'Add',
    'Apply',
    'Change',
    'Check',
    'Compare',
    'Complete',
    'Configure',
    'Copy',
    'Create',
    'Delete',
    'Deregister',
    'Destroy',
    'Download',
  ],
  ...[
    'Edit',
    'Execute',
    'Explain',
    'Export',
    'Generate',
    'Get',
    'Import',
    'Initialize',
    'Inspect',
    'List',
    'Log',
    'Manage',
  ],
  ...[
    'Print',
    'Publish',
    'Read',
    'Register',
    'Release',
    'Remove',
    'Renew',
    'Request',
    'Restore',
    'Revoke',
    'Run',
    'Save',
    'Restore',
    'Seal',
    'Search',
  ],
  ...['Disable', 'Enable', 'Extend', 'Move', 'Unwrap'],
  ...[
    'Send',
    'Set',
    'Show',
    'Sign',
    'Take',
    'Translate',
    'Unseal',
    'Update',
    'Upload',
    'Verify',
    'Wait',
    'Write',
  ],
];

/** What plain technical English says otherwise. */
const unwanted: readonly RegExp[] = [
  ...[
    /\bis there\b/,
    /\bis none\b/,
    /\bthere (is|are) no\b/,
    /\bthat (is|are) there\b/,
    /\bare no\b/,
    /\bnobody\b/,
    /\bwhoever\b/,
    /\bas (it|they) (is|are|was|were)\b/,
  ],
  ...[/\bstands\b/, /\brests\b/, /\bbeside\b/, /\btells\b/, /\b(is|are) told\b/, /\banswer(s|ed|ing)?\b/],
  ...[/(?<!connection )\brefus(e|es|ed|ing|al|als)\b/, /\bin words\b/, /\bwhole\b/, /\bat the most\b/],
  ...[
    /\bby itself\b/,
    /\bgoes on\b/,
    /\b(has|have) to be\b/,
    /\bmended\b/,
    /\blets you in\b/,
    /\bone that\b/,
  ],
  ...[/\bso many\b/, /\bmade usual\b/, /\bbeg[aiu]n anew\b/],
].map((phrase) => new RegExp(phrase.source, 'i'));

const phrasesIn = (text: string): string[] =>
  unwanted.flatMap((phrase) => {
    const [found] = phrase.exec(text) ?? [];
    return found === undefined ? [] : [`do not use "${found}": ${text}`];
  });

const hasFullStop = (text: string): boolean => /\.$|\.\s+[A-Z]/.test(text);

const sentencesIn = (text: string): number => text.split(/[.!?](?=\s+["A-Z-]|$)|\n/).filter(Boolean).length;

/** What is wrong with a summary. */
const inSummary = (text: string): string[] => [
  ...(verbs.includes(/^\w+/.exec(text)?.[0] ?? '')
    ? []
    : [`does not start with a verb of the list: ${text}`]),
  ...(text.length > 60 ? [`has ${text.length} characters, more than 60: ${text}`] : []),
  ...(hasFullStop(text) ? [`has a full stop: ${text}`] : []),
  ...phrasesIn(text),
];

const inTerm = (name: string, help: string): string[] => [
  ...(help.length > 120 ? [`${name} has ${help.length} characters, more than 120: ${help}`] : []),
  ...(hasFullStop(help) ? [`${name} has a full stop: ${help}`] : []),
  ...(/^[A-Z][a-z]+ /.test(help) ? [`${name} starts with a capital letter: ${help}`] : []),
  ...phrasesIn(help),
];

/** What is wrong with the texts of a command's definition. */
function inCommand({ description = '', examples = [], args, flags }: AnyCommand): string[] {
  const count = sentencesIn(description);
  return [
    ...(count > 3 ? [`the description has ${count} sentences, more than 3`] : []),
    ...(description.length > 400
      ? [`the description has ${description.length} characters, more than 400`]
      : []),
    ...(description !== '' && !/[.:]$/.test(description)
      ? ['the description does not end with a full stop']
      : []),
    ...(examples.length === 0 ? ['there is no example'] : []),
    ...phrasesIn(description),
    ...Object.values(args).flatMap(({ name, help }) => inTerm(name, help)),
    ...Object.entries(flags).flatMap(([name, { help }]) => inTerm(name, help)),
  ];
}

/** The unwanted phrases in the texts of a source file: literals of several words. */
const inSource = (source: string): string[] =>
  literalsIn(source)
    .filter(({ text }) => /\w \w/.test(text))
    .flatMap(({ text, start }) =>
      phrasesIn(text).map((finding) => `line ${source.slice(0, start).split('\n').length}: ${finding}`),
    );

const fileOf = (path: string): string =>
  `src/commands/${path.replace(/^discovery-chain/, 'chain').replaceAll(' ', '/')}.ts`;

const commands = await Promise.all(
  tree.map(async ({ path, load }) => ({ path: fileOf(path), command: (await load()).default })),
);
const texts = sources().filter(({ path }) => !path.startsWith('src/services/'));
const findingsOf = ({ path, text }: (typeof texts)[number]): string[] => [
  ...inSource(text),
  ...commands.filter((each) => each.path === path).flatMap(({ command }) => inCommand(command)),
];
const pendingFiles = Object.entries(pending).flatMap(([folder, files]) =>
  files.map((file) => `${folder}/${file}`),
);

test.each([...tree.map(({ path, summary }) => [path, summary] as const), ...Object.entries(groups)])(
  'the summary of %s is an imperative of at most 60 characters',
  (_path, summary) => {
    expect(inSummary(summary)).toEqual([]);
  },
);

const smallWords = new Set(
  'a an and are as at be by each for from if in is it its may of on one or some that the this to with'.split(
    ' ',
  ),
);
/** The words of a text, without endings and small words. */
const stemsOf = (text: string): string[] =>
  (text.match(/[A-Za-z][A-Za-z-]*/g) ?? [])
    .map((word) => word.toLowerCase())
    .filter((word) => !smallWords.has(word))
    .map((word) => word.replace(/ies$/, 'y').replace(/(ing|ed|es|s|e)$/, ''));

/** How a description says what the summary before it says. */
function repetitionsIn(summary: string, description: string): string[] {
  const [first = ''] = description.split(/[.;](?:\s|$)/);
  const [known, words] = [stemsOf(summary), stemsOf(first)];
  const added = words.filter((word) => !known.includes(word));
  const isSameStart = known.slice(0, 2).join() === words.slice(0, 2).join();
  return description !== '' && (added.length < 2 || isSameStart) ? [`repeats the summary: ${first}`] : [];
}

test.each(tree.map(({ path, summary, load }) => ({ path, summary, load })))(
  'the description of $path does not repeat its summary',
  async ({ summary, load }) => {
    expect(repetitionsIn(summary, (await load()).default.description ?? '')).toEqual([]);
  },
);

test('every command and every group has exactly one summary', () => {
  expect(new Set(tree.map(({ path }) => path)).size).toBe(tree.length);
  const above = tree.flatMap(({ path }) =>
    path
      .split(' ')
      .slice(0, -1)
      .map((_word, index, all) => all.slice(0, index + 1).join(' ')),
  );
  const runs = new Set(tree.map(({ path }) => path));
  expect(new Set(Object.keys(groups))).toEqual(new Set(above.filter((path) => !runs.has(path))));
});

test.each(texts.filter(({ path }) => !pendingFiles.includes(path)).map((file) => [file.path, file] as const))(
  'the texts of %s follow the style',
  (_path, file) => {
    expect(findingsOf(file)).toEqual([]);
  },
);

test('the files that are not rewritten yet exist and have findings', () => {
  const known = new Map(texts.map((file) => [file.path, file]));
  const done = pendingFiles.filter((path) => {
    const file = known.get(path);
    return file === undefined || findingsOf(file).length === 0;
  });
  expect(done, 'remove these from test/unit/catalogue-pending.ts').toEqual([]);
});

test.each(Object.entries({ ...commonFlags, ...resultFlags, ...serviceFlags, ...writeFlags }))(
  'the help of the shared flag %s follows the style',
  (name, { help }) => {
    expect(inTerm(name, help)).toEqual([]);
  },
);

test.each(Object.entries(topics))('the help topic %s follows the style', (_name, { summary, text }) => {
  expect(phrasesIn(summary)).toEqual([]);
  expect(text(1000).split('\n').flatMap(phrasesIn)).toEqual([]);
});

describe('the checks', () => {
  test.each([
    ['the roles', ['verb']],
    ['list roles', ['verb']],
    ['List roles.', ['full stop']],
    [`List ${'x'.repeat(60)}`, ['60']],
    ['Show what lets you in', ['lets you in']],
  ])('find the fault of the summary "%s"', (summary, expected) => {
    const found = inSummary(summary);
    expect(found).toHaveLength(expected.length);
    for (const [index, part] of expected.entries()) expect(found[index]).toContain(part);
  });

  test.each([
    ['Extend a lease', 'Extends a lease. The service may grant less.', 1],
    ['Delete a version and its images', 'Deletes a version with its images.', 1],
    ['Show a node', 'Shows the node with its services and checks.', 1],
    ['Extend a lease', 'The service may grant less.', 0],
    ['List roles', '', 0],
  ])('find the summary "%s" in "%s"', (summary, description, count) => {
    expect(repetitionsIn(summary, description)).toHaveLength(count);
  });

  test('allow "connection refused" only', () => {
    expect(phrasesIn('connection refused')).toEqual([]);
    expect(phrasesIn('Refused by the service')).toHaveLength(1);
  });

  test.each([
    ['One. Two. Three.', 3],
    ['Reads FILE.pub and 1.5 MB. Writes id.json.', 2],
    ['One line.\nAnother line.', 2],
    ['', 0],
  ])('count the sentences of "%s"', (text, count) => {
    expect(sentencesIn(text)).toBe(count);
  });

  test('read literals, but no comments and no regular expressions', () => {
    const source = [
      "// it's a comment",
      "const a = 'one ' +",
      `  \`two \${b ? 'inner' : \`deep \${c}\`} three\`;`,
      "/* 'none' */ const d = /'[^'/]*'/.test(\"it's\");",
      'const e = 6 / 2 / 3;',
      String.raw`throw usage('it\'s', { hint: 'Run this.' });`,
    ].join('\n');
    expect(literalsIn(source).map(({ text }) => text)).toEqual([
      'one two {} three',
      'inner',
      'deep {}',
      "it's",
      "it's",
      'Run this.',
    ]);
  });
});
