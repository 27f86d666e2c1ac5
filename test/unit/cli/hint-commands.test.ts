import { describe, expect, test } from 'vitest';
import { repeatFlags } from '../../../src/cli/help/hint-commands.ts';
import { isGroup } from '../../../src/cli/help/usage-hints.ts';
import { type Invocation, parseArgv } from '../../../src/cli/parse/program.ts';
import { tree } from '../../../src/commands/tree.ts';
import { literalsIn } from '../../support/literals.ts';
import { sources } from '../../support/sources.ts';

const commands = await Promise.all(
  tree.map(async (entry) => ({ entry, command: (await entry.load()).default })),
);

/** A command line with all flags that hints repeat. */
const lineOf = (path: string, globals: Partial<Invocation['globals']> = {}): Invocation => {
  const found = commands.find(({ entry }) => entry.path === path);
  if (found === undefined) throw new Error(`no command ${path}`);
  return {
    ...found,
    args: {},
    flags: { mount: 'own mount', dc: 'dc2' },
    globals: { profile: 'work', namespace: 'team', address: 'https://one:8200', ...globals },
  } as unknown as Invocation;
};

/** The commands in backticks of all texts of the program, with X for what is inserted. */
const hints = [
  ...new Set(
    sources()
      .filter(({ path }) => !/^src\/(services|wire)\//.test(path))
      .flatMap(({ text }) => literalsIn(text).map((literal) => literal.text.replaceAll('{}', 'X')))
      .flatMap((text) => [...text.matchAll(/(?<=\\?`)lanyard ([a-z][^`\\]*)/g)].map(([line]) => line)),
  ),
];

/** The words of a command line that the shell would pass. */
const wordsOf = (line: string): string[] =>
  (line.match(/'[^']*'|\S+/g) ?? []).map((word) => word.replace(/^'(.*)'$/, '$1')).slice(1);

test('the source has hints', () => {
  expect(hints.length).toBeGreaterThan(100);
});

test.each(hints)('%s is a command', (line) => {
  const words = wordsOf(line.replace(/^lanyard -p \S+/, 'lanyard'));
  const paths = words.map((_, index) => words.slice(0, index + 1).join(' '));
  const isKnown = paths.some((path) => tree.some((entry) => entry.path === path) || isGroup(path));
  expect(isKnown || ['help', 'X', '__complete'].includes(words[0] ?? '')).toBe(true);
});

describe('a hint repeats the flags of the line that its command has', () => {
  test.each(hints)('%s', async (line) => {
    const target = [...commands]
      .sort((one, other) => other.entry.path.length - one.entry.path.length)
      .find(({ entry }) => `${line} `.startsWith(`lanyard ${entry.path} `));
    if (target === undefined) {
      expect(await repeatFlags(`Run \`${line}\`.`, lineOf('ssh sign'))).toBe(`Run \`${line}\`.`);
      return;
    }
    const { entry, command } = target;
    const { service } = command;
    const hasNamespaces = service !== 'box' && service !== 'accounts';
    const globals = hasNamespaces ? {} : { namespace: undefined };
    const repeated = await repeatFlags(`Run \`${line}\`.`, lineOf(entry.path, globals));
    const [, shown = ''] = /^Run `(.*)`\.$/.exec(repeated) ?? [];
    const added = wordsOf(shown).filter((word) => !wordsOf(line).includes(word));
    const isOfService = service !== undefined;
    expect(added.includes('work')).toBe(
      (isOfService || command.namespaceOf !== undefined || entry.path === 'status') && !/ -p /.test(line),
    );
    expect(added.includes('team')).toBe(isOfService && hasNamespaces && !/ (-n|--namespace) /.test(line));
    expect(added.includes('own mount')).toBe(
      Object.hasOwn(command.flags, 'mount') && !/ --mount /.test(line),
    );
    // The target accepts them: no unknown option.
    const flags = added.slice(added.indexOf('work') + 1);
    const parsed = await parseArgv([...entry.path.split(' '), ...flags], 80).catch(
      (error: Error) => error.message,
    );
    if (typeof parsed === 'string') expect(parsed).not.toContain('unknown option');
  });
});

test.each([
  [
    'ssh sign',
    '`lanyard ssh role list`',
    "`lanyard -p work ssh role list --address https://one:8200 --namespace team --mount 'own mount'`",
  ],
  // What the hint has, and what is of another service or area, is not repeated.
  [
    'ssh sign',
    '`lanyard -p other ssh role list --mount x -n y`',
    '`lanyard -p other ssh role list --mount x -n y --address https://one:8200`',
  ],
  ['kv get', '`lanyard acl can key:read`', '`lanyard -p work acl can key:read --dc dc2`'],
  [
    'kv get',
    '`lanyard ssh role list`',
    '`lanyard -p work ssh role list --address https://one:8200 --namespace team`',
  ],
  ['ssh sign', '`lanyard dev` or `lanyard help flags`', '`lanyard dev` or `lanyard help flags`'],
  [
    'ssh sign',
    '`lanyard profile put NAME secrets.address=URL`',
    '`lanyard profile put NAME secrets.address=URL`',
  ],
  ['status', '`lanyard secrets unseal`', '`lanyard -p work secrets unseal`'],
  ['run', '`lanyard status`', '`lanyard -p work status`'],
  [
    'ssh connect',
    '`lanyard ssh connect web1 -- -L 1:a:2`',
    "`lanyard -p work ssh connect web1 --address https://one:8200 --namespace team --mount 'own mount' -- -L 1:a:2`",
  ],
])('%s: %s', async (path, hint, expected) => {
  expect(await repeatFlags(`Run ${hint}.`, lineOf(path))).toBe(`Run ${expected}.`);
});

test('nothing is added to the hint of a line without such flags', async () => {
  const { flags: _, ...line } = lineOf('ssh sign', {
    profile: undefined,
    namespace: undefined,
    address: undefined,
  });
  expect(await repeatFlags('Run `lanyard ssh role list`.', { ...line, flags: {} })).toBe(
    'Run `lanyard ssh role list`.',
  );
});
