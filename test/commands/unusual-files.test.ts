import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdirSync, openSync, truncateSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import type { AnyCommand, Arg, Flag } from '../../src/command/command.ts';
import { toKebabCase } from '../../src/command/command.ts';
import { tree } from '../../src/commands/tree.ts';
import { embeddedForAll } from '../support/command-tests.ts';
import type { Ran } from '../support/run.ts';

// Every argument and flag that takes a file, with things that are no usable files.

const { at, running } = embeddedForAll();
beforeAll(async () => {
  const addresses = Object.entries(running.addresses).map(([name, address]) => `${name}.address=${address}`);
  await at.run(['profile', 'put', 'own', ...addresses]);
  mkdirSync(at.file('directory'));
  at.write('sparse', '');
  truncateSync(at.file('sparse'), 2 ** 30);
  at.write('forbidden', '\0', 0o000);
  at.write('keys.age', 'age-encryption.org/v1\n-> X25519 x\n');
  at.write('passphrase.age', 'age-encryption.org/v1\n-> scrypt x\n');
  if (process.platform !== 'win32') execFileSync('mkfifo', [at.file('fifo')]);
});

/** Files that are written. */
const outputs: readonly string[] = ['out', 'file', 'auditLog', 'knownHosts', 'undo', 'users', 'usersFile'];
/** Commands that write to the directory, or run until they are ended. */
const ignored: readonly string[] = ['dev', 'export', 'var export'];
/** Values of required arguments and flags that the command checks before it reads a file. */
const values: Readonly<Record<string, string>> = {
  'OWNER/NAME': 'dev/a',
  PATH: 'secret/a',
  PROVIDER: 'qemu',
  VERSION: '1.0.0',
  SERVICE: 'secrets',
};
/** Documents of a set that are encrypted: the flags are read for them. */
const encrypted: Readonly<Record<string, string>> = {
  '--identity': 'keys.age',
  '--passphrase': 'passphrase.age',
};
/** Flags without which other ones are not read. */
const further: Readonly<Record<string, readonly string[]>> = {
  'ssh ca create': ['--public-key', 'none', '--private-key', 'none'],
  'ssh issuer import': ['--public-key', 'none', '--private-key', 'none'],
  'ssh connect': ['--role', 'x'],
  'secrets login --password': ['--method', 'userpass', '--username', 'x'],
  'secrets login --secretId': ['--method', 'approle', '--role-id', 'x'],
  'secrets login --jwt': ['--method', 'jwt', '--role', 'x'],
  'acl binding-rule test': ['--method', 'x'],
  'apply --undoPassphrase': ['--undo', 'undo.yaml'],
};

type Spec = Pick<Arg<unknown> | Flag<unknown>, 'help' | 'completes'>;
const takesFile = (form: string | undefined, { completes }: Spec): boolean =>
  (completes === 'file' || /FILE|\bDIR\b/.test(form ?? '')) && form !== undefined;

/** How a path is written in a value of this form. */
function written(form: string, path: string): string {
  if (form.includes('K=')) return `key=@${path}`;
  return form === 'SRC' || form.includes('@FILE') ? `@${path}` : path;
}

interface Input {
  readonly name: string;
  readonly argv: (path: string) => readonly string[];
}

function inputsOf(path: string, { args, flags }: AnyCommand): readonly Input[] {
  const required = Object.entries(flags).filter(([, { help }]) => help.endsWith('(required)'));
  const line = (place: string, file: string): readonly string[] => [
    ...path.split(' '),
    ...Object.entries(args).flatMap(([key, { name, required }]) => {
      if (place === key) return [written(name, file)];
      const usual = values[name] ?? (name === 'COMMAND' ? 'true' : 'x');
      return required ? [(name === 'FILE|DIR' ? encrypted[place] : undefined) ?? usual] : [];
    }),
    ...(further[`${path} ${place}`] ?? further[path] ?? []),
    ...required.flatMap(([key, { value = '' }]) =>
      place === `--${key}` ? [] : [`--${toKebabCase(key)}`, values[value] ?? '1'],
    ),
    ...(place.startsWith('--')
      ? [`--${toKebabCase(place.slice(2))}`, written(flags[place.slice(2)]?.value ?? '', file)]
      : []),
    '--yes',
    '--no-input',
  ];
  const places = [
    ...Object.entries(args).flatMap(([key, spec]) => (takesFile(spec.name, spec) ? [key] : [])),
    ...Object.entries(flags).flatMap(([key, spec]) =>
      takesFile(spec.value, spec) && !outputs.includes(key) ? [`--${key}`] : [],
    ),
  ];
  return places.map((place) => ({ name: `${path} ${place}`, argv: (file) => line(place, file) }));
}

const inputs = (
  await Promise.all(
    tree
      .filter(({ path }) => !ignored.includes(path))
      .map(async ({ path, load }) => inputsOf(path, (await load()).default)),
  )
).flat();

const run = (input: Input, path: string, signal?: AbortSignal): Promise<Ran> =>
  at.run(input.argv(path), { inventedResponses: true, ...(signal && { signal }) });

const tooLong = /longer than \d+ bytes|not a (regular file|directory)/;
/** What the error says of the file. */
const causes: readonly (readonly [kind: string, path: string, cause: RegExp])[] = [
  ['a directory', 'directory', /is a directory|no files|not a|no such/],
  ['a missing file', 'missing', /no such (file|directory)/],
  ['a device', '/dev/zero', tooLong],
  ['a file of 1 GiB', 'sparse', tooLong],
  ['a name with NUL', 'a\0b', /invalid file name "a\\x00b": contains a NUL character/],
  ['a name that is not UTF-8', 'a\ufffdb', /the file name is not UTF-8|no such (file|directory)/],
];

describe.skipIf(process.platform === 'win32')('commands that take a file', () => {
  test('are many', () => {
    expect(inputs.length).toBeGreaterThan(75);
  });

  test.each(causes)('reject %s with the reason', async (_kind, path, cause) => {
    let read = 0;
    for (const input of inputs) {
      const { code, stderr } = await run(input, path);
      expect([input.name, stderr]).not.toEqual([
        input.name,
        expect.stringMatching(/internal error|Received/),
      ]);
      const [error = ''] = stderr.split('\n');
      if (!/^error: (cannot read .*(directory|missing|\/dev|sparse|a.b)|invalid file name)/.test(error))
        continue;
      read += 1;
      expect([input.name, code, error]).toEqual([input.name, 2, expect.stringMatching(cause)]);
    }
    // Others check something else first.
    expect(read).toBeGreaterThan(60);
  });

  test('do not wait for a pipe after a signal', async () => {
    let waited = 0;
    for (const input of inputs) {
      const controller = new AbortController();
      let isEnded = false;
      const ending = run(input, at.file('fifo'), controller.signal).finally(() => {
        isEnded = true;
      });
      let writer: number | undefined;
      while (!isEnded && writer === undefined) {
        try {
          // Fails until there is a reader.
          writer = openSync(at.file('fifo'), constants.O_WRONLY | constants.O_NONBLOCK);
        } catch {
          await turn();
        }
      }
      if (writer !== undefined) controller.abort('SIGTERM');
      const { code, stderr } = await ending;
      if (writer !== undefined) closeSync(writer);
      if (code === 143) waited += 1;
      else
        expect([input.name, stderr]).toEqual([input.name, expect.stringMatching(/^error: (?!internal)|^$/)]);
    }
    expect(waited).toBeGreaterThan(50);
  });
});
