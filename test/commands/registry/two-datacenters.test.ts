import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { tree } from '../../../src/commands/tree.ts';
import { factsOf } from '../../facts/facts.ts';
import type { Scoped } from '../../facts/row.ts';
import type { Ran } from '../../support/run.ts';
import { globalToken, type TwoDatacenters, twoDatacenters } from '../../support/two-datacenters.ts';

// Every command of the registry in a federation of two datacenters, whose objects have the same names: it reads and
// changes the datacenter that was asked for and no other, or says that it cannot.

const registryCommands = await Promise.all(
  tree.map(async ({ path, load }) => ({ path, command: (await load()).default })),
).then((all) => all.filter(({ command }) => command.service === 'registry'));

/** What they do in one datacenter. */
const each = registryCommands.flatMap(({ path }) =>
  (factsOf(path).scoped ?? []).map((one) => ({ path, ...one })),
);

/** Without a flag: their requests have no datacenter. */
const withoutFlag = new Set(each.flatMap(({ path, effect }) => (effect === 'unscoped' ? [path] : [])));
for (const path of [
  ...['acl bootstrap', 'registry service register', 'registry service deregister', 'registry member list'],
  ...['get', 'enable', 'disable'].map((verb) => `registry maintenance ${verb}`),
])
  withoutFlag.add(path);

test('every command of the registry has `scoped` in its facts, and a flag for the datacenter', () => {
  expect(registryCommands.filter(({ path }) => factsOf(path).scoped === undefined)).toEqual([]);
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
  { line, as }: Scoped,
  asked: ReturnType<Way>,
): Promise<Ran> {
  const { at, ids, jwt } = two;
  const words = line
    .replace(/\{(\w+)\}/g, (_all, name: string) => ({ global: globalToken, ...ids })[name] ?? '')
    .split(' ');
  const given = words.filter((word) => word !== '').map((word) => (word === '""' ? '' : word));
  const end = given.indexOf('--');
  const own = end < 0 ? given : given.slice(0, end);
  const rest = end < 0 ? [] : given.slice(end);
  const isWaiting = path.startsWith('wait ');
  return at.run([...(asked.before ?? []), ...path.split(' '), ...own, ...(asked.after ?? []), ...rest], {
    env: {
      JWT: jwt,
      EDITOR: at.file('editor.sh'),
      ...(as === undefined ? {} : { LANYARD_REGISTRY_TOKEN: String(ids[as]) }),
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

const changing: readonly Scoped['effect'][] = ['writes', 'writes shared'];

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
      if (effect === 'unscoped') continue;
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
    onTestFinished(() => two.close());
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
  });
});

test('a session whose node is not in the datacenter: the error names --node', async () => {
  const two = await prepared();
  onTestFinished(() => two.close());
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
});
