import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tree } from '../../../src/commands/tree.ts';
import { factsAbout, factsOf } from '../../facts/facts.ts';
import type { Scoped } from '../../facts/row.ts';
import { keyPair } from '../../support/keys.ts';
import { listening } from '../../support/ports.ts';
import type { Ran } from '../../support/run.ts';
import { isSoak } from '../../support/soak.ts';
import {
  type NamespaceName,
  namespaceNames,
  type TwoNamespaces,
  twoNamespaces,
} from '../../support/two-namespaces.ts';

// Every command of the secrets service in several namespaces whose objects have the same names: it reads and changes the
// one that was asked for, whichever way that was.

/** The commands of the secrets service, and what each of them does in one namespace. */
const commands = await Promise.all(
  tree.map(async ({ path, load }) => ({ path, command: (await load()).default })),
).then((all) => all.filter(({ command }) => command.service === 'secrets'));

test('every command of the secrets service has `scoped` in its facts', () => {
  expect(commands.flatMap(({ path }) => (factsOf(path).scoped === undefined ? [path] : []))).toEqual([]);
});

const ways = ['flag', 'variable', 'profile'] as const;
type Way = (typeof ways)[number];
const argumentsOf: Readonly<
  Record<Way, (namespace: string) => [string[], string[], Record<string, string>]>
> = {
  flag: (namespace) => [[], ['--namespace', namespace], {}],
  variable: (namespace) => [[], [], { LANYARD_SECRETS_NAMESPACE: namespace }],
  profile: (namespace) => [['--profile', namespace], [], {}],
};

let two: TwoNamespaces;
let port: number;
const listener = createServer((socket) => socket.end());
beforeAll(async () => {
  two = await twoNamespaces();
  const { at } = two;
  for (const way of ways) {
    at.write(`${way}/key.pub`, keyPair('ed25519').publicLine);
    at.write(`${way}/data.json`, '{"data":{"MARK":"new"}}');
    at.write(`${way}/policy.hcl`, 'path "kv/*" { capabilities = ["list"] }');
  }
  at.write('editor.sh', '#!/bin/sh\nsed -i s/mark/edited/ "$1"\n', 0o755);
  ({ port } = await listening(listener));
});
afterAll(async () => {
  listener.close();
  await two.close();
});

const filled = (text: string, way: NamespaceName): string =>
  text.replace(/\{([\w-]+)\}/g, (_all, name: string) => ({ ...two.ids[way], port: `${port}` })[name] ?? name);

/** Runs a case in the namespace of a way. @returns with what it wrote into files */
async function run(path: string, one: Scoped, way: Way, namespace: string = way): Promise<Ran> {
  const { at } = two;
  const words = filled(one.line, way)
    .split(' ')
    .filter((word) => word !== '');
  const end = words.includes('--') ? words.indexOf('--') : words.length;
  const [before, after, env] = argumentsOf[way](namespace);
  const files = at.list(way);
  const ran = await at.run(
    [...before, ...path.split(' '), ...words.slice(0, end), ...after, ...words.slice(end)],
    {
      cwd: at.file(way),
      stdin: filled(one.stdin ?? '', way),
      env: {
        EDITOR: at.file('editor.sh'),
        PASSWORD: 'correct horse',
        GITHUB_ACTIONS: 'true',
        GITHUB_ENV: at.write('github.env', ''),
        GITHUB_OUTPUT: at.write('github.out', ''),
        ...(one.as === undefined ? {} : { LANYARD_SECRETS_TOKEN: two.ids[way][one.as] ?? '' }),
        ...env,
      },
      random: (length) => new Uint8Array(length),
      ...(path.startsWith('wait ') ? { timeout: (ms: number) => AbortSignal.timeout(ms) } : {}),
    },
  );
  const written = at.list(way).filter((name) => !files.includes(name));
  const texts = written.flatMap((name) => [at.read(name), decoded(at.read(name))]);
  for (const name of written) at.clear(name);
  return { ...ran, stdout: [ran.stdout, at.read('github.env'), ...texts].join('\n') };
}

/** The bytes of a certificate, which contain its names. */
const decoded = (line: string): string => Buffer.from(line.split(' ')[1] ?? '', 'base64').toString('latin1');

const contents = async (names: readonly NamespaceName[] = namespaceNames) =>
  Object.fromEntries(await Promise.all(names.map(async (name) => [name, await two.own(name)])));

/** All ways in a soak, else one of them for each case. */
const each = factsAbout('scoped')
  .filter(([path]) => commands.some((own) => own.path === path))
  .flatMap(([path, of]) => of.map((one) => ({ path, ...one })))
  .map((one, index) => ({ ...one, asked: isSoak ? ways : ways.slice(index % 3, (index % 3) + 1) }));
const isPossible = ({ fails, isOpenBao }: Scoped): boolean => !fails && (!isOpenBao || two.isOpenBao);

/** What is in the namespaces after the last case. */
let before: Readonly<Record<string, string>>;
beforeAll(async () => {
  before = await contents();
});

describe('reads', () => {
  test.each(each.filter(({ effect }) => effect !== 'writes'))(
    '$path $line',
    async ({ path, asked, ...one }) => {
      for (const way of asked) {
        const found = await run(path, one, way);
        if (!isPossible(one)) {
          expect(found.code, way).not.toBe(0);
          continue;
        }
        expect(found.code, found.stderr).toBe(one.code ?? 0);
        if (one.effect === 'unscoped') continue;
        const shown = new Map(namespaceNames.map((name) => [name, filled(one.shows ?? '{mark}', name)]));
        expect(found.stdout, way).toContain(shown.get(way));
        for (const other of shown.values())
          if (other !== shown.get(way)) expect(found.stdout, way).not.toContain(other);
      }
      if (one.effect === 'unscoped' || one.anywhere) return;
      const nowhere = await run(path, one, 'flag', 'nowhere');
      expect([0, one.code], nowhere.stdout).not.toContain(nowhere.code);
    },
  );

  test('change nothing', async () => {
    expect(await contents()).toEqual(before);
  });
});

describe('writes', () => {
  test.each(each.filter(({ effect }) => effect === 'writes'))(
    '$path $line',
    async ({ path, asked, ...one }) => {
      if (one.stored === undefined) {
        const nowhere = await run(path, one, 'flag', 'nowhere');
        expect(nowhere.code, nowhere.stdout).not.toBe(0);
      }
      for (const way of asked) {
        if (one.stored !== undefined)
          await run('secrets login', { effect: 'writes', line: '-', stdin: `{${one.stored}}` }, way);
        const ran = await run(path, one, way);
        if (isPossible(one)) expect(ran.code, ran.stderr).toBe(0);
        else expect(ran.code, way).not.toBe(0);
      }
      const looked: readonly NamespaceName[] = ['', 'active', ...asked];
      const [earlier, after] = [before, await contents(looked)];
      before = { ...before, ...after };
      for (const name of looked)
        if (asked.includes(name as Way) && isPossible(one)) expect(after[name], name).not.toBe(earlier[name]);
        else expect(after[name], name).toBe(earlier[name]);
    },
  );
});
