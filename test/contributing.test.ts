import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { root } from './support/sources.ts';

// Applies the changes that CONTRIBUTING.md shows to a copy of the sources, and checks them there.

const sources = [
  'src',
  'test',
  'scripts',
  'types',
  'docs',
  'schemas',
  'completions',
  'man',
  'bin',
  'site/lib',
];
const others = ['package.json', 'tsconfig.json', 'vitest.config.ts', 'CHANGELOG.md', 'CONTRIBUTING.md'];

/** Only what is named: the settings of the repository build the program first. */
const settings = `import config from './vitest.config.ts';
const { plugins } = config({ mode: 'test' });
export default { plugins, test: { include: ['test/**/*.test.ts'], testTimeout: 300_000, hookTimeout: 300_000 } };
`;

/** The change below a heading, by the paths of its files. */
function changeOf(heading: string): ReadonlyMap<string, string> {
  const text = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
  const [section = ''] = text.split(`\n## ${heading}\n`)[1]?.split('\n## ') ?? [];
  const diff = /^```diff\n(.*?)^```$/ms.exec(section)?.[1] ?? '';
  const [, ...parts] = diff.split(/^--- .*\n\+\+\+ b\/(.*)\n/m);
  return new Map(parts.flatMap((path, at) => (at % 2 === 0 ? [[path, parts[at + 1] ?? ''] as const] : [])));
}

/** The lines of one side of a part: those in both, and those with the sign. */
const side = (part: string, sign: '-' | '+'): string =>
  part
    .split('\n')
    .filter((line) => line === '' || line.startsWith(' ') || line.startsWith(sign))
    .map((line) => line.slice(1))
    .join('\n');

/** Applies the parts of a change to a file. Lines have no numbers: the text that is replaced occurs once. */
function applied(text: string, change: string): string {
  const [, ...parts] = change.split(/^@@\n/m);
  return parts.reduce((before, part) => {
    const [old, changed] = [side(part, '-'), side(part, '+')];
    expect(old === '' ? 2 : before.split(old).length, part).toBe(2);
    return old === '' ? changed : before.replace(old, () => changed);
  }, text);
}

let copy: string;
beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'lanyard-contributing-'));
  for (const path of [...sources, ...others])
    if (existsSync(join(root, path))) cpSync(join(root, path), join(copy, path), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  writeFileSync(join(copy, 'own.config.ts'), settings);
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

function run(program: string, ...args: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync(join(copy, 'node_modules/.bin', program), args, {
    cwd: copy,
    encoding: 'utf8',
    env: { PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH}`, HOME: copy },
  });
  expect(status, `${program} ${args.join(' ')}\n${stdout}${stderr}`).toBe(0);
}

describe.each([
  {
    heading: 'Add a field to an object',
    files: 3,
    tests: ['test/commands/kept-fields.test.ts', '-t', 'ssh role put'],
  },
  {
    heading: 'Add an operation with a command',
    files: 8,
    tests: [
      ...['test/commands/region.test.ts', 'test/commands/operations.test.ts', 'test/facts/facts.test.ts'],
      ...['test/unit/catalogue.test.ts', 'test/commands/var/two-namespaces.test.ts'],
      ...['-t', 'region|every row|scoped'],
    ],
  },
])('"$heading"', ({ heading, files, tests }) => {
  const change = changeOf(heading);

  test(`changes ${files} files`, () => {
    expect(change.size).toBe(files);
    for (const [path, parts] of change) {
      const file = join(copy, path);
      const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, applied(text, parts));
    }
  });

  test('has its tests pass', () => run('vitest', 'run', '--config', 'own.config.ts', ...tests));
});

test('the types of all changes agree', () => run('tsc', '--noEmit', '-p', '.'));
