import { execFileSync } from 'node:child_process';
import { beforeEach, describe, expect, test } from 'vitest';
import { LanyardError } from '../../src/errors.ts';
import type { JsonObject } from '../../src/state/kind.ts';
import { kindNames } from '../../src/state/kinds.ts';
import type { Member, SetRecord } from '../../src/state/record.ts';
import { readRecord, recordData } from '../../src/state/record-format.ts';
import { recordStore } from '../../src/state/record-stores.ts';
import type { RecordPlace } from '../../src/state/set.ts';
import { isWrite } from '../faults/proxy.ts';
import { isSoak } from '../support/soak.ts';
import {
  benchForAll,
  createNeeds,
  kindOf,
  newSetId,
  policy,
  recordText,
  type Stated,
  secret,
  variable,
  writeSet,
} from './bench.ts';
import { objectCases } from './objects.ts';

const bench = await benchForAll();
let id = '';
beforeEach(() => {
  id = newSetId();
  bench.proxy.begin();
});

const state = (objects: readonly Stated[], spec: JsonObject = {}): void =>
  writeSet(bench, objects, { id, spec: { prune: { max: 1000, kinds: [...kindNames] }, ...spec } });
const run = (line: string) => bench.run(line.split(' '));
const done = async (line: string, code = 0) => {
  const ran = await run(line);
  expect(ran.code, `${line}\n${ran.stdout}${ran.stderr}`).toBe(code);
  return ran;
};
const allow = { deletion: 'allow' };
const prune = 'apply state --prune --prune-max 1000 --prune-all --yes';

const writeText = async (text: string): Promise<void> => {
  await (await bench.others.registry()).writeKey({ key: `lanyard/sets/${id}`, content: Buffer.from(text) });
};

describe('a record of any size', () => {
  const places: readonly RecordPlace[] = [
    { store: 'registry', path: 'lanyard/sets/large00000' },
    { store: 'scheduler', path: 'default/lanyard/sets/large00000' },
    { store: 'secrets', path: 'secret/lanyard/sets/large00000' },
  ];
  let serial = 0;
  const storeOf = (place: RecordPlace) =>
    recordStore(place, bench.others, {
      files: {} as never,
      newId: () => {
        serial += 1;
        return `part${String(serial).padStart(6, '0')}`;
      },
    });
  const recordOf = (count: number, finished: string): SetRecord => ({
    id: 'large00000',
    name: 'large',
    generation: 1,
    targets: {},
    members: Array.from(
      { length: count },
      (_none, index): Member => ({
        kind: 'scheduler.variable',
        scope: { namespace: 'default' },
        key: `app/${(index * 7919) % 100_003}/settings`,
        origin: { region: 'global', address: 'http://127.0.0.1:4646' },
        uid: `${index * 31}-${(index * 1_234_567) % 1_000_003}`,
        stated: ['/spec/Items/user', '/spec/Items/password'],
        deletion: 'allow',
      }),
    ),
    finished,
  });

  test.each(places)('is stored in the $store', async (place) => {
    const sizes = isSoak ? [0, 10, 300, 3000, 100_000] : [0, 10, 300, 10_000];
    let version: string | undefined;
    for (const [index, size] of [...sizes, ...sizes.toReversed()].entries()) {
      const record = recordOf(size, `run ${index}`);
      version = await storeOf(place).write(record, version);
      expect(await storeOf(place).read()).toEqual({ record, version });
    }
  });

  /** Runs an apply that is interrupted at each write of the record in turn, and at last is not. */
  async function appliedWithInterruptions(line: string): Promise<void> {
    for (let broken = 1; ; broken += 1) {
      let writes = 0;
      bench.proxy.begin({
        picks: (request) =>
          isWrite(request) && request.url.includes(`lanyard/sets/${id}`) && ++writes === broken,
        forwards: broken % 2 === 0,
        play: (socket) => socket.destroy(),
      });
      const ran = await run(line);
      bench.proxy.begin();
      expect([0, 6, 7, 9], ran.stderr).toContain(ran.code);
      expect([0, 10]).toContain((await run('plan state')).code);
      if (writes < broken) break;
    }
    await done(line);
  }

  test('is complete after an interruption at any write of it', async () => {
    const objects = Array.from({ length: 120 }, (_none, index) =>
      variable(`${id}/a-long-name-of-a-variable-${index}`, { a: 'x' }),
    );
    const spec = { record: `scheduler:default/lanyard/sets/${id}` };
    state(objects.slice(0, 1), spec);
    await done('apply state --yes');
    state(objects, spec);
    await appliedWithInterruptions('apply state --yes --steal-lock');
    await done('plan state');
    const parts = await done(`var list --prefix lanyard/sets/${id}/parts -o json`);
    expect(JSON.parse(parts.stdout).length).toBeLessThanOrEqual(2);
    expect(JSON.parse(parts.stdout).length).toBeGreaterThan(0);
    // The parts are no objects of a set.
    await done('export all --kind scheduler.variable');
    expect(bench.at.list('all').filter((name) => name.includes('parts'))).toEqual([]);
    // No part is left once the record fits into one value again.
    state(objects.slice(0, 1), spec);
    await appliedWithInterruptions(`${prune} --steal-lock`);
    await done('plan state');
    const left = await done(`var list --prefix lanyard/sets/${id}/parts -o json`);
    expect(JSON.parse(left.stdout)).toEqual([]);
  });

  test('an error names the record and its key', async () => {
    state([variable(`${id}/a`, { a: 'x' })]);
    const rules = 'key_prefix "" { policy = "read" } agent_prefix "" { policy = "read" }';
    expect((await bench.run(['acl', 'policy', 'put', `${id}-read`, '--rules', rules])).code).toBe(0);
    const made = await done(`acl token create --policy ${id}-read -o json`);
    const { code, stderr } = await bench.run(['apply', 'state', '--yes'], {
      env: { LANYARD_REGISTRY_TOKEN: JSON.parse(made.stdout).SecretID },
    });
    expect([code, stderr]).toEqual([5, expect.stringContaining(`registry key lanyard/sets/${id}`)]);
    // The text of the registry too: it says what to grant.
    expect(stderr).not.toContain('<redacted>');
    expect(stderr).toMatch(/^error: cannot apply: |^error: cannot write the record of the set/);
  });
});

describe('an invalid record is an error of the file', () => {
  test.each<readonly [string, string]>([
    ['[]', 'expected an object'],
    ['{', 'not valid JSON'],
    ['{"id":"x"}', 'members'],
    ...[null, {}, { kind: 1 }, { kind: 'registry.key' }, { kind: 'registry.key', scope: null, key: 'a' }].map(
      (member) => [JSON.stringify({ id: 'ID', members: [member] }), '/members/0'] as const,
    ),
    [
      '{"id":"ID","members":[{"kind":"registry.key","scope":{},"key":"a","stated":5,"deletion":"allow"}]}',
      '/members/0/stated: no such entry',
    ],
    [
      '{"id":"ID","members":[{"kind":"registry.key","scope":{},"key":"a","stated":[],"origin":9}]}',
      '/members/0/origin: no such entry',
    ],
    ['{"id":"ID","members":[],"started":5}', '/started: expected an object'],
    ['{"id":"ID","members":[],"targets":5}', '/targets: expected services'],
    ['{"id":"ID","members":[],"generation":"1"}', '/generation: expected a number'],
    ['{"id":"ID","members":[],"origins":[5]}', '/origins: expected a list'],
    ['{"id":"ID","parts":{"id":"../x","count":1,"sha256":""}}', '/parts: expected'],
    ['{"id":"ID","parts":{"id":"gone","count":1,"sha256":""}}', 'a part is missing'],
  ])('%s', async (text, message) => {
    state([policy(`${id}-a`)]);
    await writeText(text.replaceAll('ID', id));
    const { code, stderr } = await run('plan state --prune');
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
    expect(stderr).toContain(`registry key lanyard/sets/${id}`);
  });
});

describe('a damaged record', () => {
  const complete = recordData({
    id: 'damaged000',
    name: 'damaged',
    generation: 3,
    targets: { registry: { datacenter: 'dc1' } },
    members: [
      {
        kind: 'registry.key',
        scope: { datacenter: 'dc1' },
        key: 'a',
        origin: { datacenter: 'dc1' },
        uid: '1',
        digest: 'd',
        stated: ['/spec/value'],
        deletion: 'allow',
        rotation: 1,
      },
    ],
    started: { at: 't', holder: 'h', machine: 'm', pid: 1, expires: '2026-01-01T00:00:00Z' },
    finished: 't',
  });

  type Step = string | number;
  /** The paths of all values, by their own shape: a new field of a record is covered without a change here. */
  const pathsOf = (value: unknown, path: readonly Step[] = []): (readonly Step[])[] => {
    if (typeof value !== 'object' || value === null) return [path];
    const steps = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
    return [
      path,
      ...steps.flatMap((step) => pathsOf((value as Record<Step, unknown>)[step], [...path, step])),
    ];
  };
  const wrong: readonly unknown[] = [null, true, 1.5, -1, '', 'x', [], [null], {}, { x: null }];
  const paths = pathsOf(complete).filter((path) => path.length > 0);

  test('has every field', () => {
    expect(paths.length).toBeGreaterThan(20);
    expect(readRecord(complete, 'place')).toMatchObject({ id: 'damaged000', members: [{ uid: '1' }] });
  });

  test.each(paths.map((path) => [path.join('/'), path] as const))('with another /%s', (_name, path) => {
    for (const value of [undefined, ...wrong]) {
      const damaged = structuredClone(complete) as Record<Step, unknown>;
      const parent = path.slice(0, -1).reduce((outer, step) => outer[step] as typeof damaged, damaged);
      const last = path.at(-1) ?? '';
      if (value !== undefined) parent[last] = value;
      else if (Array.isArray(parent)) parent.splice(Number(last), 1);
      else delete parent[last];
      const before = JSON.stringify(damaged);
      try {
        const read = readRecord(damaged as JsonObject, 'the place');
        // What is accepted is complete, and nothing of it was dropped.
        if (value !== undefined) expect(readRecord(recordData(read), 'the place'), before).toEqual(read);
        expect(value, before).not.toBeNull();
        for (const member of read.members) expect(['allow', 'protect']).toContain(member.deletion);
      } catch (error) {
        if (!(error instanceof LanyardError)) throw error;
        expect([error.kind, error.message]).toEqual([
          'usage',
          expect.stringMatching(/^invalid record of the set in the place: (\/\w+)+: /),
        ]);
      }
    }
  });
});

describe('writing the record grants no deletion', () => {
  // One object of each kind that cannot carry a mark.
  const unmarked = objectCases.filter(
    ({ kind }, index) =>
      kindOf(kind).mark === undefined && objectCases.findIndex((each) => each.kind === kind) === index,
  );

  test.each(unmarked)('of a $kind that the set did not create', async (object) => {
    const kind = kindOf(object.kind);
    await createNeeds(object, bench);
    state([policy(`${id}-a`)]);
    await done('apply state --yes');
    const existing = await kind.read(bench.others, object.identity);
    if (!existing)
      await kind.create(bench.others, {
        identity: object.identity,
        spec: object.spec,
        live: undefined,
        resolvePath: (path) => bench.at.file(path),
      });
    // The origin of a member of the same service.
    state([policy(`${id}-a`), { ...object, metadata: allow }]);
    await done('apply state --yes --adopt');
    state([policy(`${id}-a`)]);
    const record = JSON.parse(await recordText(bench, id));
    for (const forged of [
      { uid: undefined, digest: undefined },
      { uid: '1', digest: undefined },
      { uid: undefined, digest: '0'.repeat(64) },
    ]) {
      const members = record.members.map((member: Member) =>
        member.kind === object.kind ? { ...member, ...forged } : member,
      );
      await writeText(JSON.stringify({ ...record, members }));
      bench.proxy.begin();
      const { stderr } = await done(prune);
      expect(stderr).toMatch(/is kept: /);
      expect(await kind.read(bench.others, object.identity)).toBeDefined();
    }
  });

  test('of a protected kind that the set does not state in spec.prune.kinds', async () => {
    state([secret(`${id}/db`, { a: 'x' }, allow), policy(`${id}-a`)], { prune: { max: 9 } });
    await done('apply state --yes');
    state([policy(`${id}-a`)], { prune: { max: 9 } });
    const { stderr } = await done(prune);
    expect(stderr).toContain('spec.prune.kinds of the set does not state secrets.kv');
    state([policy(`${id}-a`)]);
    await done(prune);
    await done(`kv get secret/${id}/db`, 3);
  });
});

test('members of a record without origins are not owned until they are adopted', async () => {
  const names = ['kept', 'changed', 'gone'] as const;
  const all = (value: string): readonly Stated[] => [
    ...names.map((name) => variable(`${id}/${name}`, { a: name === 'changed' ? value : 'x' })),
    policy(`${id}-gone`),
  ];
  state(all('x'));
  await done('apply state --yes');
  // As an earlier version wrote it.
  const { origins: _origins, stated, ...record } = JSON.parse(await recordText(bench, id));
  const members = record.members.map(({ origin: _origin, stated: list, ...member }: JsonObject) => ({
    ...member,
    stated: stated[Number(list)],
  }));
  await writeText(JSON.stringify({ ...record, members }));
  state(all('y').filter(({ identity }) => !identity.key.endsWith('gone')));
  const planned = await done('plan state --prune --prune-all', 10);
  expect(planned.stdout).toContain(`! scheduler.variable ${id}/changed`);
  expect(planned.stdout).toContain(`= scheduler.variable ${id}/kept`);
  expect(planned.stderr).toContain(`scheduler.variable ${id}/gone is kept: the record does not say`);
  // Its mark and its ID show that the policy is one of the set.
  expect(planned.stdout).toContain(`- registry.policy ${id}-gone`);
  await done('apply state --yes --adopt --prune --prune-max 1 --prune-all');
  await done('plan state');
  expect(JSON.parse(await recordText(bench, id)).origins.length).toBeGreaterThan(0);
});

test('a pipe is rejected as a record and as a value', async () => {
  const pipe = (): void => void execFileSync('mkfifo', [bench.at.file('state/.pipe')]);
  state([variable(`${id}/a`, { a: { valueFrom: 'file://.pipe' } })]);
  pipe();
  expect((await done('plan state', 2)).stderr).toContain('not a regular file');
  state([variable(`${id}/a`, { a: 'x' })], { record: 'file:.pipe' });
  pipe();
  expect((await done('plan state', 2)).stderr).toContain('not a regular file');
});

test.each([
  ['created again', 'kv metadata delete'],
  ['wrote again after its latest version was deleted', 'kv delete'],
])('a secret that somebody else %s is not pruned', async (_what, remove) => {
  state([secret(`${id}/db`, { a: 'x' }, allow), policy(`${id}-a`)]);
  await done('apply state --yes');
  await done(`${remove} secret/${id}/db --yes`);
  await done(`kv put secret/${id}/db a=other`);
  state([policy(`${id}-a`)]);
  expect((await done(prune)).stderr).toContain('it was created again by somebody else');
  await done(`kv get secret/${id}/db`);
});

test('a secret with new versions and a deleted earlier version still belongs to the set', async () => {
  state([secret(`${id}/db`, { a: 'x' }, allow), policy(`${id}-a`)]);
  await done('apply state --yes');
  await done(`kv put secret/${id}/db a=other`);
  await done(`kv delete secret/${id}/db --versions 1 --yes`);
  state([policy(`${id}-a`)]);
  await done(prune);
  await done(`kv get secret/${id}/db`, 3);
});

test('a record in a file of the directory is not read as a document', async () => {
  state([policy(`${id}-a`)], { record: 'file:record.json' });
  await done('apply state --yes');
  expect((await done('plan state')).stdout).toContain('No changes. 1 object is up to date.');
  await done('validate state');
});
