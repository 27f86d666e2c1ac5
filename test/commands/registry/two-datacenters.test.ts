import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tree } from '../../../src/commands/tree.ts';
import type { Ran } from '../../support/run.ts';
import { globalToken, type TwoDatacenters, twoDatacenters } from '../../support/two-datacenters.ts';

// Every command of the registry in a federation of two datacenters, whose objects have the same names: it reads and
// changes the datacenter that was asked for and no other, or says that it cannot.

/** What a command does in the datacenter that is asked for. */
type Effect =
  /** Shows what only this datacenter has. */
  | 'reads'
  /** Shows a copy of what all datacenters share. */
  | 'reads shared'
  /** Changes only this datacenter. */
  | 'writes'
  /** Changes what all datacenters share. */
  | 'writes shared'
  /** Has no datacenter in its requests, so that it is an error if the agent is in another one. */
  | 'only the agent'
  /** Nothing in it depends on a datacenter. */
  | 'none';

interface Case {
  readonly effect: Effect;
  /** The line after the command; `{name}` is an ID of `TwoDatacenters`. */
  readonly line: string;
  /** It fails in the datacenter that was asked for too, for another reason than elsewhere. */
  readonly fails?: true;
  /** With the token of the login in `dc2`. */
  readonly asLogin?: true;
}

const reads = (line = ''): Case => ({ effect: 'reads', line });
const readsShared = (line = ''): Case => ({ effect: 'reads shared', line });
const writes = (line: string): Case => ({ effect: 'writes', line });
const writesShared = (line: string): Case => ({ effect: 'writes shared', line });
const onlyAgent = (line: string): Case => ({ effect: 'only the agent', line });
const none = (line: string): Case => ({ effect: 'none', line });

const cases: Readonly<Record<string, Case | readonly Case[]>> = {
  'acl bootstrap': onlyAgent(''),
  'acl login': [
    writes('--method login --bearer-token env://JWT --no-store'),
    { ...reads('--method corp --bearer-token env://JWT --no-store'), fails: true },
  ],
  'acl logout': { ...writes(''), asLogin: true },
  'acl oidc auth-url': { ...reads('--method corp --redirect-uri http://localhost/cb'), fails: true },
  'acl oidc callback': { ...reads('--method corp --state st --code env://JWT --no-store'), fails: true },
  'acl explain': [readsShared(''), reads('{local}')],
  'acl can': readsShared('key:read app/name'),
  'acl policy list': readsShared(),
  'acl policy get': readsShared('p'),
  'acl policy put': [writesShared('p --description new'), writesShared('other --rules ""')],
  'acl policy delete': writesShared('p --yes'),
  'acl token list': reads(),
  'acl token get': [reads('{local}'), readsShared(globalToken)],
  'acl token self': readsShared(),
  'acl token create': [writesShared('--description new'), onlyAgent('--local')],
  'acl token update': [
    writesShared(`${globalToken} --description new`),
    onlyAgent('{local} --description new'),
  ],
  'acl token clone': [writesShared(globalToken), onlyAgent('{local}')],
  'acl token delete': [writesShared(`${globalToken} --yes`), onlyAgent('{local} --yes')],
  'acl role list': readsShared(),
  'acl role get': readsShared('r'),
  'acl role put': [writesShared('r --description new'), writesShared('other')],
  'acl role delete': writesShared('r --yes'),
  'acl auth-method list': reads(),
  'acl auth-method get': reads('login'),
  'acl auth-method put': [writes('login --description new'), writes('other --in method.json')],
  'acl auth-method delete': writes('login --yes'),
  'acl binding-rule list': reads(),
  'acl binding-rule get': reads('{rule}'),
  'acl binding-rule create': writes('--method login --bind-type service --bind-name new'),
  'acl binding-rule update': writes('{rule} --description new'),
  'acl binding-rule delete': writes('{rule} --yes'),
  'acl binding-rule test': reads('--method login --claims claims.json'),
  'acl templated-policy list': none(''),
  'acl templated-policy get': none('builtin/service'),
  'acl templated-policy preview': none('builtin/service --name web'),
  'acl translate-rules': none('rules.hcl'),
  'acl replication': reads(),
  'query list': reads(),
  'query get': reads('q'),
  'query create': writes('other --service web'),
  'query update': writes('q --service other'),
  'query put': writes('--file query.json'),
  'query delete': writes('q --yes'),
  'query edit': writes('q'),
  'query exec': reads('q'),
  'query explain': reads('t-x'),
  'chain get': reads('web'),
  'discovery-chain get': reads('web'),
  'txn apply': [writes('set.json'), reads('get.json')],
  'registry service list': reads(),
  'registry service get': reads('web'),
  'registry service register': onlyAgent('other'),
  'registry service deregister': onlyAgent('web --yes'),
  'registry node list': reads(),
  'registry node get': reads('n-dc2'),
  'registry kv get': [reads('app/name'), reads('app/ --recursive')],
  'registry kv list': reads('only/'),
  'registry kv put': [writes('app/name new'), writes('new value --cas 0')],
  'registry kv delete': [writes('app/name --yes'), writes('app/ --recursive --yes')],
  'registry kv export': reads(),
  'registry kv import': writes('keys.json'),
  'registry config list': readsShared(),
  'registry config get': readsShared('service-defaults web'),
  'registry config put': [writesShared('entry.json'), writesShared('new-entry.json --cas 0')],
  'registry config delete': writesShared('service-defaults web --yes'),
  'registry session list': reads(),
  'registry session get': reads('{session}'),
  'registry session create': writes('--node n-dc2'),
  'registry session delete': writes('{session} --yes'),
  'registry lock': writes('locks/a --node n-dc2 -- true'),
  'wait service': reads('only --timeout 1s'),
  'wait key': reads('only/here --timeout 1s'),
};

/** Without a flag: their requests have no datacenter. */
const withoutFlag = new Set(
  Object.entries(cases).flatMap(([path, each]) =>
    [each].flat().some(({ effect }) => effect === 'none') ? [path] : [],
  ),
);
for (const path of ['acl bootstrap', 'registry service register', 'registry service deregister'])
  withoutFlag.add(path);

const registryCommands = await Promise.all(
  tree.map(async ({ path, load }) => ({ path, command: (await load()).default })),
).then((all) => all.filter(({ command }) => command.service === 'registry'));

test('every command of the registry has a case, and a flag for the datacenter', () => {
  expect(Object.keys(cases).sort()).toEqual(registryCommands.map(({ path }) => path).sort());
  const lacking = registryCommands.filter(({ command }) => !Object.hasOwn(command.flags, 'dc'));
  expect(lacking.map(({ path }) => path).sort()).toEqual([...withoutFlag].sort());
});

type Way = (dc: string) => {
  readonly before?: readonly string[];
  readonly after?: readonly string[];
  readonly env?: Record<string, string>;
};
const ways: Readonly<Record<string, Way>> = {
  'the flag': (dc) => ({ after: ['--dc', dc] }),
  'the variable': (dc) => ({ env: { LANYARD_REGISTRY_DATACENTER: dc } }),
  'the profile': (dc) => ({ before: ['--profile', dc] }),
};

async function run(
  two: TwoDatacenters,
  path: string,
  { line, asLogin }: Case,
  asked: ReturnType<Way>,
): Promise<Ran> {
  const { at, ids, jwt } = two;
  const words = line.replace(/\{(\w+)\}/g, (_all, name: string) => ids[name] ?? '').split(' ');
  const given = words.filter((word) => word !== '').map((word) => (word === '""' ? '' : word));
  const end = given.indexOf('--');
  const own = end < 0 ? given : given.slice(0, end);
  const rest = end < 0 ? [] : given.slice(end);
  const isWaiting = path.startsWith('wait ');
  return at.run([...(asked.before ?? []), ...path.split(' '), ...own, ...(asked.after ?? []), ...rest], {
    env: {
      JWT: jwt,
      EDITOR: at.file('editor.sh'),
      ...(asLogin ? { LANYARD_REGISTRY_TOKEN: String(ids.secret) } : {}),
      ...asked.env,
    },
    cwd: at.path,
    random: (length) => new Uint8Array(length),
    ...(isWaiting ? { timeout: (ms: number) => AbortSignal.timeout(ms) } : {}),
  });
}

async function prepared(): Promise<TwoDatacenters> {
  const two = await twoDatacenters();
  const { at, ids } = two;
  at.write(
    'method.json',
    JSON.stringify({ Name: 'other', Type: 'jwt', Config: { JWKSURL: 'http://127.0.0.1:1' } }),
  );
  at.write('claims.json', '{"team":"ops"}');
  at.write('rules.hcl', 'key "a" { policy = "read" }');
  at.write('query.json', '{"Name":"q","Service":{"Service":"other"}}');
  at.write('set.json', '[{"KV":{"Verb":"set","Key":"app/name","Value":"MQ=="}}]');
  at.write('get.json', '[{"KV":{"Verb":"get","Key":"app/name"}}]');
  at.write('keys.json', '[{"key":"app/name","flags":0,"value":"MQ=="}]');
  at.write('entry.json', '{"Kind":"service-defaults","Name":"web","Protocol":"tcp"}');
  at.write('new-entry.json', '{"Kind":"service-defaults","Name":"new","Protocol":"tcp"}');
  at.write('editor.sh', '#!/bin/sh\nsed -i s/web/edited/ "$1"\n', 0o755);
  // The first profile becomes active: none is when it is deleted.
  await at.run(['profile', 'put', 'first', `registry.address=${two.address}`]);
  for (const dc of ['dc1', 'dc2', 'nowhere'])
    await at.run([
      ...['profile', 'put', dc, `registry.address=${two.address}`, `registry.datacenter=${dc}`],
      'registry.token=env://LANYARD_REGISTRY_TOKEN',
    ]);
  await at.run(['profile', 'delete', 'first', '--yes']);
  expect((await at.run(['profile', 'list'])).stdout).not.toContain('active');
  return { ...two, ids };
}

const each = Object.entries(cases).flatMap(([path, of]) => [of].flat().map((one) => ({ path, ...one })));
const changing: readonly Effect[] = ['writes', 'writes shared'];

describe('reads', () => {
  let two: TwoDatacenters;
  beforeAll(async () => {
    two = await prepared();
  });
  afterAll(() => two.close());

  test.each(each.filter(({ effect }) => !changing.includes(effect)))('$path $line', async (one) => {
    const { path, effect } = one;
    const before = [await two.own('dc1'), await two.own('dc2'), await two.shared()];
    for (const [name, way] of Object.entries(ways)) {
      if (name === 'the flag' && withoutFlag.has(path)) continue;
      const found = await run(two, path, one, way('dc2'));
      if (effect === 'only the agent') {
        expect(found, name).toMatchObject({ code: 2, stdout: '' });
        expect(found.stderr, name).toContain('in datacenter "dc2": the agent');
        continue;
      }
      if (one.fails) expect(found.code, found.stderr).not.toBe(0);
      else expect(found, name).toMatchObject({ code: 0 });
      if (effect === 'none') continue;
      const elsewhere = await run(two, path, one, way('dc1'));
      if (effect === 'reads') expect(elsewhere, name).not.toEqual(found);
      expect(found.stdout, name).not.toContain('mark-dc1');
      expect(elsewhere.stdout, name).not.toContain('mark-dc2');
      const nowhere = await run(two, path, one, way('nowhere'));
      expect(nowhere.code, nowhere.stdout).not.toBe(0);
    }
    expect([await two.own('dc1'), await two.own('dc2'), await two.shared()]).toEqual(before);
  });
});

describe('writes', () => {
  test.each(
    each
      .filter(({ effect }) => changing.includes(effect))
      .flatMap((one) => Object.keys(ways).map((way) => ({ ...one, way })))
      .filter(({ path, way }) => way !== 'the flag' || !withoutFlag.has(path)),
  )('$path $line, by $way', async ({ way, ...one }) => {
    const two = await prepared();
    try {
      const before = { dc1: await two.own('dc1'), dc2: await two.own('dc2'), shared: await two.shared() };
      const nowhere = await run(two, one.path, one, ways[way]?.('nowhere') ?? {});
      expect(nowhere.code, nowhere.stdout).not.toBe(0);
      expect([await two.own('dc1'), await two.own('dc2'), await two.shared()]).toEqual(Object.values(before));
      expect(await run(two, one.path, one, ways[way]?.('dc2') ?? {})).toMatchObject({ code: 0 });
      expect(await two.own('dc1')).toBe(before.dc1);
      if (one.effect === 'writes') {
        expect(await two.own('dc2')).not.toBe(before.dc2);
        expect(await two.shared()).toBe(before.shared);
      } else {
        expect(await two.own('dc2')).toBe(before.dc2);
        expect(await two.shared()).not.toBe(before.shared);
      }
    } finally {
      await two.close();
    }
  });
});

test('a session whose node is not in the datacenter: the error names --node', async () => {
  const two = await prepared();
  try {
    for (const line of [
      'registry lock locks/a --dc dc2 -- true',
      'registry lock locks/a --dc dc2 --node n-dc1 -- true',
      'registry session create --dc dc2',
      'registry session create --dc dc2 --node n-dc1',
    ]) {
      const ran = await two.at.run(line.split(' '));
      expect(ran, line).toMatchObject({ code: 1, stdout: '' });
      expect(ran.stderr).toContain('Missing node registration');
      expect(ran.stderr).toContain('Specify a node of the datacenter with --node.');
    }
  } finally {
    await two.close();
  }
});
