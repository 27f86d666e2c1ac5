import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tree } from '../../../src/commands/tree.ts';
import { keyPair } from '../../support/keys.ts';
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

interface Case {
  /** `server`: about the entire service, or the same in every namespace. */
  readonly effect: 'reads' | 'writes' | 'server';
  /** The line after the command; `{name}` is an ID of `TwoNamespaces`. */
  readonly line: string;
  /** What the output contains in this namespace, and in no other (default: its mark). */
  readonly shows?: string;
  readonly stdin?: string;
  /** With the token of the namespace that has this ID. */
  readonly as?: string;
  /** After a login with the token of the namespace that has this ID. */
  readonly stored?: string;
  /** Only OpenBao can do it: the embedded service rejects it. */
  readonly isOpenBao?: true;
  /** It succeeds in a namespace that does not exist too. */
  readonly anywhere?: true;
  /** It fails everywhere, and changes nothing. */
  readonly fails?: true;
}
type Options = Omit<Case, 'effect' | 'line'>;
const reads = (line: string, options: Options = {}): Case => ({ effect: 'reads', line, ...options });
const writes = (line: string, options: Options = {}): Case => ({ effect: 'writes', line, ...options });
const server = (line = ''): Case => ({ effect: 'server', line });
const openBao = { isOpenBao: true } as const;

const cases: Readonly<Record<string, readonly Case[]>> = {
  'kv get': [
    reads('kv/app'),
    reads('app --mount kv -o json'),
    reads('old/gone'),
    reads('kv/app --version 1'),
  ],
  'kv list': [reads('kv/dir'), reads('kv --recursive')],
  'kv metadata get': [reads('kv/app')],
  'kv config get': [reads('kv -o json', { shows: '' })],
  'kv put': [writes('kv/new MARK=new'), writes('kv/app MARK=new --cas 2'), writes('old/new MARK=new')],
  'kv patch': [writes('kv/patched MARK=new')],
  'kv edit': [writes('kv/edited')],
  'kv delete': [writes('kv/gone --yes'), writes('old/gone --yes')],
  'kv undelete': [writes('kv/back --versions 1')],
  'kv rollback': [writes('kv/edited --version 1 --yes')],
  'kv destroy': [writes('kv/destroyed --versions 1 --yes')],
  'kv metadata put': [writes('kv/app --max-versions 5')],
  'kv metadata delete': [writes('kv/erased --yes')],
  'kv config put': [writes('kv --max-versions 7')],
  'secrets read': [reads('kv/data/app'), reads('sys/policies/acl/p')],
  'secrets list': [reads('kv/metadata/dir')],
  'secrets help': [server('kv')],
  'secrets write': [writes('kv/data/written --in data.json'), writes('old/new MARK=written')],
  'secrets patch': [writes('kv/data/merged --in data.json')],
  'secrets delete': [writes('kv/data/merged --yes')],
  'secrets mount list': [reads('')],
  'secrets mount get': [reads('kv')],
  'secrets mount enable': [writes('kv --path new')],
  'secrets mount tune': [writes('tuned --description new')],
  'secrets mount move': [writes('moved elsewhere --yes')],
  'secrets mount disable': [writes('gone --yes')],
  'secrets auth list': [reads('')],
  'secrets auth get': [reads('users')],
  'secrets auth enable': [writes('approle')],
  'secrets auth tune': [writes('tuned --description new')],
  'secrets auth move': [writes('moved elsewhere --yes')],
  'secrets auth disable': [writes('gone --yes')],
  'secrets policy list': [reads('', { shows: '' })],
  'secrets policy get': [reads('p')],
  'secrets policy put': [writes('new @policy.hcl'), writes('p @policy.hcl')],
  'secrets policy delete': [writes('gone --yes')],
  'secrets token create': [writes('--policy p'), writes('--policy p --wrap-ttl 5m')],
  'secrets token self': [reads('-o json', { as: 'token' })],
  'secrets token lookup': [reads('- -o json', { stdin: '{token}' }), reads('--accessor {accessor} -o json')],
  'secrets token renew': [
    writes('--accessor {renewed} --increment 2h'),
    writes('--increment 3h', { as: 'token' }),
  ],
  'secrets token keep-alive': [writes('--increment 4h -- true', { as: 'token' })],
  'secrets token capabilities': [reads('kv/data/{mark} --accessor {accessor}', { shows: 'read' })],
  'secrets token revoke': [
    writes('--accessor {renewed} --yes'),
    writes('- --yes', { stdin: '{endedToken}' }),
    writes('--self --yes', { as: 'selfToken' }),
  ],
  'secrets lease list': [reads('ssh/creds/otp -o json', { shows: '{leaseName}' })],
  'secrets lease lookup': [reads('{lease}', { shows: '{leaseName}' })],
  'secrets lease renew': [reads('{lease}', { fails: true })],
  'secrets lease revoke': [writes('{revokedLease} --yes'), writes('ssh/creds/otp-{mark} --prefix --yes')],
  'secrets unwrap': [writes('-', { stdin: '{wrapping}' })],
  'secrets namespace list': [reads('-o json', { shows: '"{namespace}/below/' })],
  'secrets namespace create': [writes('created')],
  'secrets namespace delete': [writes('ended --yes')],
  'secrets status': [server()],
  'secrets login': [
    writes('--method userpass --path users --username bob --password env://PASSWORD --no-store'),
  ],
  'secrets logout': [writes('', { stored: 'leavingToken' })],
  'secrets init': [{ ...server('--dry-run'), fails: true }],
  'secrets unseal': [server('--reset')],
  'secrets seal': [server('--dry-run')],
  'ssh sign': [reads('deploy --key key.pub')],
  'ssh issue': [reads('deploy --key-type ed25519 --out issued')],
  'ssh explain': [reads('deploy --key key.pub -o json')],
  'ssh creds': [writes('otp --ip 10.1.2.3')],
  'ssh lookup': [reads('10.1.2.3')],
  'ssh verify': [reads('-', { stdin: '{otp}' })],
  'ssh trust': [reads('--hosts * --known-hosts known', { shows: '{ca}' })],
  'ssh ca get': [reads('', { shows: '{ca}' })],
  'ssh ca public-key': [reads('', { shows: '{ca}' })],
  'ssh ca create': [writes('--key-type ed25519 --mount ssh-new')],
  'ssh ca delete': [writes('--mount ssh-gone --yes')],
  'ssh ca recover': [reads('--snapshot 1 --yes', { fails: true })],
  'ssh issuer list': [reads('-o json', { ...openBao, shows: '{issuer-used}' })],
  'ssh issuer get': [reads('used', { ...openBao, shows: '{issuer-used}' })],
  'ssh issuer import': [writes('new --key-type ed25519', openBao)],
  'ssh issuer use': [writes('used --yes', openBao)],
  'ssh issuer delete': [writes('gone --yes', openBao)],
  'ssh role list': [reads('', { shows: 'otp-{mark}' })],
  'ssh role get': [reads('deploy')],
  'ssh role put': [writes('changed --ttl 7m --allowed-users other'), writes('new --allow-user-certificates')],
  'ssh role delete': [writes('gone --yes')],
  'ssh zero-address get': [reads('')],
  'ssh zero-address put': [writes('otp')],
  'ssh zero-address delete': [writes('--yes')],
  'ssh tidy': [server('--yes')],
  // Sends nothing; test/commands/ssh/config-pinned.test.ts has the namespace that it writes.
  'ssh config': [server('web --role deploy --dry-run')],
  'ssh connect': [reads('{mark}@10.1.2.3 --role otp-{mark} --mode otp --dry-run')],
  'ssh proxy': [reads('127.0.0.1 {port} --role deploy --key key.pub', { anywhere: true })],
  'wait kv': [reads('kv/app --timeout 1s -o json')],
  'wait secrets': [server('unsealed')],
  'ci export': [reads('--kv kv/app --env')],
};

const commands = await Promise.all(
  tree.map(async ({ path, load }) => ({ path, command: (await load()).default })),
).then((all) => all.filter(({ command }) => command.service === 'secrets'));

test('every command of the secrets service has a case', () => {
  expect(Object.keys(cases).sort()).toEqual(commands.map(({ path }) => path).sort());
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
  await new Promise<void>((listening) => listener.listen(0, '127.0.0.1', listening));
  port = (listener.address() as AddressInfo).port;
});
afterAll(async () => {
  listener.close();
  await two.close();
});

const filled = (text: string, way: NamespaceName): string =>
  text.replace(/\{([\w-]+)\}/g, (_all, name: string) => ({ ...two.ids[way], port: `${port}` })[name] ?? name);

/** Runs a case in the namespace of a way. @returns with what it wrote into files */
async function run(path: string, one: Case, way: Way, namespace: string = way): Promise<Ran> {
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
const each = Object.entries(cases)
  .flatMap(([path, of]) => of.map((one) => ({ path, ...one })))
  .map((one, index) => ({ ...one, asked: isSoak ? ways : ways.slice(index % 3, (index % 3) + 1) }));
const isPossible = ({ fails, isOpenBao }: Case): boolean => !fails && (!isOpenBao || two.isOpenBao);

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
        expect(found.code, found.stderr).toBe(0);
        if (one.effect === 'server') continue;
        const shown = new Map(namespaceNames.map((name) => [name, filled(one.shows ?? '{mark}', name)]));
        expect(found.stdout, way).toContain(shown.get(way));
        for (const other of shown.values())
          if (other !== shown.get(way)) expect(found.stdout, way).not.toContain(other);
      }
      if (one.effect === 'server' || one.anywhere) return;
      const nowhere = await run(path, one, 'flag', 'nowhere');
      expect(nowhere.code, nowhere.stdout).not.toBe(0);
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
