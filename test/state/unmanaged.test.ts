import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeEach, describe, expect, test } from 'vitest';
import { type JsonObject, labelOf } from '../../src/state/kind.ts';
import { kindNames } from '../../src/state/kinds.ts';
import { serviceNames } from '../../src/wire/services.ts';
import { outputOf } from '../support/command-tests.ts';
import type { RunOptions } from '../support/run.ts';
import {
  benchForAll,
  createNeeds,
  kindOf,
  newSetId,
  policy,
  readExisting,
  recordText,
  resolvePath,
  type Stated,
  secret,
  variable,
  writeSet,
} from './bench.ts';
import { objectCases } from './objects.ts';

const ajv = new Ajv2020({ strict: true, strictRequired: false });
const schema = JSON.parse(
  readFileSync(new URL('../../schemas/lanyard-plan-v1.schema.json', import.meta.url), 'utf8'),
);

const bench = await benchForAll();
let id = '';
beforeEach(() => {
  id = newSetId();
});

const state = (objects: readonly Stated[], spec: JsonObject = {}, directory = 'state'): void =>
  writeSet(bench, objects, { id, spec, directory });
const run = async (...argv: readonly string[]) => outputOf(await bench.run(argv));
const apply = (directory = 'state') => run('apply', directory, '--yes');

interface Found {
  readonly id: { readonly kind: string; readonly scope: Record<string, string>; readonly key: string };
  readonly reason: string;
  readonly items?: readonly string[];
}
interface Planned {
  readonly code: number;
  readonly complete: boolean;
  readonly unmanaged: readonly Found[];
  readonly scan: {
    readonly kinds: readonly string[];
    readonly otherSets: readonly object[];
    readonly ignored: number;
    readonly unread: readonly object[];
  };
  readonly names: readonly string[];
  readonly stderr: string;
}

const nameOf = ({ kind, ...identity }: Found['id']): string =>
  `${kind} ${labelOf(kindOf(kind), identity)}`.trim();

/** A plan with what no file states. */
async function planned(flags: readonly string[] = [], options?: RunOptions): Promise<Planned> {
  const ran = await bench.run(['plan', 'state', '--unmanaged', '-o', 'json', ...flags], options);
  expect(ran.stdout, ran.stderr).not.toBe('');
  const value = JSON.parse(ran.stdout);
  expect(ajv.validate(schema, value), ajv.errorsText()).toBe(true);
  const { unmanaged } = value as Planned;
  return { ...value, code: ran.code, stderr: ran.stderr, names: unmanaged.map(({ id }) => nameOf(id)) };
}

/** What is found below a prefix that only this test uses. */
const mine = ({ unmanaged }: Planned): readonly (readonly [string, string, ...(readonly string[])])[] =>
  unmanaged.flatMap((each) =>
    each.id.key.startsWith(id) ? [[nameOf(each.id), each.reason, ...(each.items ?? [])] as const] : [],
  );

/** Creates an object as somebody who uses no set. */
async function create({ kind, identity, spec }: Pick<Stated, 'kind' | 'identity' | 'spec'>): Promise<void> {
  await kindOf(kind).create(bench.others, {
    identity,
    spec,
    live: undefined,
    resolvePath: (path) => bench.at.file(path),
  });
}

/** Replaces an object as somebody who uses no set. */
async function replace({ kind: name, identity, spec }: Stated): Promise<void> {
  const kind = kindOf(name);
  const live = await readExisting(bench.others, kind, identity);
  await kind.update(bench.others, { identity, spec, live, resolvePath });
}

const key = (name: string, value = 'one'): Stated => ({
  kind: 'registry.key',
  identity: { scope: {}, key: name },
  spec: { value },
});

describe('an object that another user created', () => {
  const known = new Map<string, ReadonlySet<string>>();
  const cases = objectCases.map((each) => ({ title: `${each.kind} ${each.identity.key}`, each }));

  test.each(cases)('$title is reported by its name, and nothing else', async ({ each }) => {
    const { service } = kindOf(each.kind);
    const label = nameOf({ kind: each.kind, ...each.identity });
    await createNeeds(each, bench);
    state([]);
    const before = new Set((await planned(['--service', service])).names);
    // It may be what another case needs.
    if (!before.has(label)) await create(each);
    const { names, code } = await planned(['--service', service]);
    known.set(service, new Set(names));
    expect([names.filter((name) => !before.has(name)), names.includes(label), code]).toEqual([
      before.has(label) ? [] : [label],
      true,
      10,
    ]);
  });

  test('objects of all kinds are reported, and none is a built-in one or a record', async () => {
    const found = [...known.values()].flatMap((names) => [...names]);
    const kinds = new Set(found.map((name) => name.split(' ')[0]));
    expect([...kinds].sort()).toEqual([...new Set(objectCases.map(({ kind }) => kind))].sort());
    for (const builtIn of [
      'secrets.policy root',
      'secrets.policy default',
      'secrets.mount sys/',
      'secrets.auth-method token/',
      'registry.policy global-management',
      'scheduler.namespace default',
    ])
      expect(found).not.toContain(builtIn);
    expect(found.filter((name) => name.includes('lanyard/sets/'))).toEqual([]);
  });
});

describe('what is searched', () => {
  test('the services of the documents and targets', async () => {
    state([variable(`${id}/a`, { a: 'x' })], { targets: { registry: { datacenter: 'dc1' } } });
    await apply();
    const { kinds } = (await planned()).scan;
    expect(kinds).toEqual(kindNames.filter((name) => /^(registry|scheduler)\./.test(name)));
  });

  test('the services of members that no file states', async () => {
    state([variable(`${id}/a`, { a: 'x' }), policy(`${id}-a`)]);
    await apply();
    state([policy(`${id}-a`)]);
    const found = await planned();
    expect(found.scan.kinds).toContain('scheduler.variable');
    expect(mine(found)).toEqual([[`scheduler.variable ${id}/a`, 'not-pruned']]);
  });

  test('--kind and --service select what is searched, also what the set does not use', async () => {
    state([policy(`${id}-a`)]);
    await apply();
    await create(variable(`${id}/a`, { a: 'x' }));
    await create(key(`${id}/a`));
    expect(mine(await planned())).toEqual([[`registry.key ${id}/a`, 'not-stated']]);
    expect((await planned(['--kind', 'registry.policy'])).scan.kinds).toEqual(['registry.policy']);
    const other = await planned(['--kind', 'scheduler.variable']);
    expect([other.scan.kinds, mine(other)]).toEqual([
      ['scheduler.variable'],
      [[`scheduler.variable ${id}/a`, 'not-stated']],
    ]);
    const one = await planned(['--service', 'registry']);
    expect(one.scan.kinds.filter((name) => !name.startsWith('registry.'))).toEqual([]);
    // An object of a kind that is not planned is stated all the same.
    expect(one.names).not.toContain(`registry.policy ${id}-a`);
  });

  test('a kind that is of none of the services is rejected', async () => {
    state([policy(`${id}-a`)]);
    const ran = await bench.run([
      'plan',
      'state',
      '--unmanaged',
      '--service',
      'registry',
      '--kind',
      'secrets.kv',
    ]);
    expect([ran.code, ran.stderr]).toEqual([
      2,
      expect.stringContaining('no kind of these services is selected'),
    ]);
  });

  test('rejects a part of the set, --name, and --ignore without --unmanaged', async () => {
    state([policy(`${id}-a`)]);
    bench.proxy.begin();
    const complete = '--unmanaged requires all files of the set';
    for (const [message, ...argv] of [
      [complete, 'plan', 'state/set.json', 'state/object-0.json', '--unmanaged'],
      [complete, 'plan', '-', '--unmanaged'],
      ['--unmanaged cannot be combined with --name', 'plan', 'state', '--unmanaged', '--name', `${id}-a`],
      ['--ignore requires --unmanaged', 'plan', 'state', '--ignore', 'registry.key'],
      [
        'invalid --ignore "registry.keys": unknown kind',
        'plan',
        'state',
        '--unmanaged',
        '--ignore',
        'registry.keys',
      ],
      ['invalid --ignore "": expected KIND', 'plan', 'state', '--unmanaged', '--ignore', ''],
    ] as const) {
      const ran = await bench.run(argv);
      expect([ran.code, ran.stdout, ran.stderr]).toEqual([2, '', expect.stringContaining(message)]);
    }
    expect(bench.proxy.passed).toEqual([]);
  });
});

describe('members of sets', () => {
  test('members of this set that no file states, and a copied mark', async () => {
    state([policy(`${id}-a`), policy(`${id}-b`), key(`${id}/a`)]);
    await apply();
    state([policy(`${id}-a`)]);
    await create({ ...policy(`${id}-copy`), spec: { Description: `x [lanyard:${id}]`, Rules: '' } });
    expect(mine(await planned())).toEqual([
      [`registry.policy ${id}-b`, 'not-pruned'],
      [`registry.policy ${id}-copy`, 'copied-mark'],
      [`registry.key ${id}/a`, 'not-pruned'],
    ]);
    // The plan shows what is deleted.
    const pruned = await planned(['--prune', '--prune-max', '5']);
    expect(mine(pruned)).toEqual([[`registry.policy ${id}-copy`, 'copied-mark']]);
  });

  test('members of another set are counted: by their mark, or by its record', async () => {
    const one = id;
    id = newSetId();
    const others = [
      policy(`${one}-p`),
      key(`${one}/a`),
      variable(`${one}/v`, { a: 'x' }),
      secret(`${one}/s`, { a: 'x' }),
    ];
    state(others, {}, 'other');
    await apply('other');
    await create(key(`${one}/foreign`));
    const set = id;
    id = one;
    const targets = { registry: { datacenter: 'dc1' }, secrets: {}, scheduler: { region: 'global' } };
    state([policy(`${id}-a`)], { targets });
    await apply();
    const found = await planned();
    expect(mine(found)).toEqual([[`registry.key ${id}/foreign`, 'not-stated']]);
    expect(found.scan.otherSets).toContainEqual({ id: set, objects: 4 });
    // The record is read also if its kind is not searched.
    const secrets = await planned(['--service', 'secrets']);
    expect(mine(secrets)).toEqual([]);
    expect(secrets.scan.otherSets).toContainEqual({ id: set, objects: 1 });
    const { stdout } = await bench.run(['plan', 'state', '--unmanaged']);
    expect(stdout).toMatch(/^Unmanaged: .* objects? of other sets\.$/m);
  });

  test('an object with the name of a member of another cluster is not a member', async () => {
    state([key(`${id}/a`), key(`${id}/b`)]);
    await apply();
    const record = await recordText(bench, id);
    const elsewhere = record.replace(
      /"clusterId": "[^"]*"/,
      '"clusterId": "00000000-0000-4000-8000-000000000000"',
    );
    expect(elsewhere).not.toBe(record);
    await run('registry', 'kv', 'put', `lanyard/sets/${id}`, elsewhere);
    state([key(`${id}/a`)]);
    expect(mine(await planned())).toEqual([[`registry.key ${id}/b`, 'not-stated']]);
  });
});

describe('patterns', () => {
  const create4 = async (): Promise<void> => {
    for (const name of [`${id}/app/a`, `${id}/app/deep/b`, `${id}/other`]) await create(key(name));
    await create({ ...variable(`${id}/jobs/x`, { a: 'x' }) });
  };

  test.each([
    [['registry.key'], 3, []],
    [['registry.key {id}/app/*'], 1, ['{id}/app/deep/b', '{id}/other']],
    [['registry.key {id}/app/**'], 2, ['{id}/other']],
    [['registry.key {id}/app/a', 'registry.key {id}/**/b'], 2, ['{id}/other']],
    [
      ['registry.key {id}/ap', 'registry.key {id}/x/**', 'registry.key {ID}/OTHER'],
      0,
      ['{id}/app/a', '{id}/app/deep/b', '{id}/other'],
    ],
  ])('%j leaves out %d', async (patterns, ignored, remaining) => {
    await create4();
    const inserted = (text: string): string => text.replaceAll('{id}', id);
    state([key(`${id}-a`)]);
    await apply();
    const flags = patterns.flatMap((pattern) => ['--ignore', inserted(pattern)]);
    const byFlags = await planned(['--kind', 'registry.key', ...flags]);
    state([key(`${id}-a`)], { unmanaged: { ignore: patterns.map(inserted) } });
    const bySet = await planned(['--kind', 'registry.key']);
    for (const found of [byFlags, bySet]) {
      expect(mine(found).map(([name]) => name)).toEqual(
        remaining.map((name) => `registry.key ${inserted(name)}`),
      );
      if (patterns[0] !== 'registry.key') expect(found.scan.ignored).toBe(ignored);
    }
  });

  test('a pattern may state the usual namespace', async () => {
    await create4();
    state([variable(`${id}-a`, { a: 'x' })]);
    await apply();
    for (const pattern of [`*:${id}/jobs/**`, `default:${id}/**`, `${id}/**`])
      expect(mine(await planned(['--ignore', `scheduler.variable ${pattern}`]))).toEqual([]);
    expect(mine(await planned(['--ignore', `scheduler.variable shop:${id}/**`]))).toHaveLength(1);
  });

  test.each([
    ['registry.keys app', 'unknown kind "registry.keys", did you mean "registry.key"?'],
    ['', 'expected KIND or "KIND NAME"'],
    ['app/**', 'unknown kind "app/**"'],
  ])('%j is rejected with its position, and nothing is sent', async (pattern, message) => {
    state([policy(`${id}-a`)], { unmanaged: { ignore: ['registry.key', pattern] } });
    bench.proxy.begin();
    for (const argv of [
      ['plan', 'state'],
      ['apply', 'state', '--yes'],
      ['export', 'state'],
      ['validate', 'state'],
    ]) {
      const { code, stdout, stderr } = await bench.run(argv);
      const text = stdout + stderr;
      expect([code, text]).toEqual([2, expect.stringMatching(/state\/set\.json:\d+:\d+: invalid pattern: /)]);
      expect(text).toContain(message);
    }
    expect(bench.proxy.passed).toEqual([]);
  });

  test('unknown fields of spec.unmanaged are rejected', async () => {
    state([policy(`${id}-a`)], { unmanaged: { ignored: [] } });
    const { code, stderr } = await bench.run(['plan', 'state']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('unknown field "ignored"')]);
  });
});

describe('names in objects of the set', () => {
  const canary = 'Canary-7f3a9b1c';
  const db = (data: JsonObject, metadata: JsonObject): Stated => secret(`${id}/db`, data, metadata);

  test('keys that mergeKeys keeps, without their values', async () => {
    state([
      db({ user: 'app' }, { mergeKeys: true }),
      variable(`${id}/v`, { user: 'app' }, { mergeKeys: true }),
    ]);
    await apply();
    expect(mine(await planned())).toEqual([]);
    await run('kv', 'patch', `secret/${id}/db`, `more=${canary}`, `a.b=${canary}`);
    await replace(variable(`${id}/v`, { user: 'app', port: canary }));
    const found = await planned();
    expect([mine(found), found.code]).toEqual([
      [
        [`secrets.kv secret/${id}/db`, 'other-entries', 'data.more', 'data["a.b"]'],
        [`scheduler.variable ${id}/v`, 'other-entries', 'Items.port'],
      ],
      10,
    ]);
    const { stdout, stderr } = await bench.run(['plan', 'state', '--unmanaged', '--verbose']);
    expect(stdout).toContain(`    secret/${id}/db: data.more, data["a.b"]\n`);
    expect(JSON.stringify(found) + stdout + stderr).not.toContain(canary);
    // A pattern selects the object with its entries.
    expect(mine(await planned(['--ignore', `secrets.kv secret/${id}/**`]))).toHaveLength(1);
  });

  test('without mergeKeys, the plan shows them', async () => {
    state([db({ user: 'app' }, {})]);
    await apply();
    await run('kv', 'patch', `secret/${id}/db`, 'more=1');
    expect(mine(await planned())).toEqual([]);
    expect((await bench.run(['plan', 'state'])).stdout).toContain('- data.more  (secret removed)');
  });

  test('entries of maps that the file does not state', async () => {
    const space = (spec: JsonObject, metadata: JsonObject = {}): Stated => ({
      kind: 'scheduler.namespace',
      identity: { scope: {}, key: id },
      spec,
      metadata,
    });
    state([space({ Description: 'one' })]);
    await apply();
    expect(mine(await planned())).toEqual([]);
    await run('namespace', 'put', id, '--meta', 'owner=me');
    expect(mine(await planned())).toEqual([[`scheduler.namespace ${id}`, 'other-entries', 'Meta.owner']]);
    state([space({ Description: 'one' }, { ignore: ['/spec/Meta'] })]);
    expect(mine(await planned())).toEqual([]);
    state([space({ Description: 'one' }, { fields: 'exact' })]);
    expect(mine(await planned())).toEqual([]);
  });

  test('values: unmanaged: what changed since the last apply, without values', async () => {
    await run('kv', 'put', `secret/${id}/db`, `password=${canary}`);
    await run('var', 'put', `${id}/v`, `port=${canary}`);
    state([
      db({}, { values: 'unmanaged' }),
      { ...variable(`${id}/v`, {}, { values: 'unmanaged' }), spec: {} },
    ]);
    // No apply saw them yet.
    const before = await planned();
    expect([mine(before), before.code]).toEqual([
      [
        [`secrets.kv secret/${id}/db`, 'unmanaged-values', 'data.password'],
        [`scheduler.variable ${id}/v`, 'unmanaged-values', 'Items.port'],
      ],
      10,
    ]);
    await apply();
    expect(mine(await planned())).toEqual([]);
    const record = await recordText(bench, id);
    await run('kv', 'patch', `secret/${id}/db`, `password=${canary}-2`);
    await replace(variable(`${id}/v`, { user: canary, port: canary }));
    const after = await planned();
    expect(mine(after)).toEqual([
      [`secrets.kv secret/${id}/db`, 'changed-values', 'data.password'],
      [`scheduler.variable ${id}/v`, 'changed-values', 'Items.port', 'Items.user'],
    ]);
    const { stdout, stderr } = await bench.run(['plan', 'state', '--unmanaged']);
    expect(stdout).toContain(`secret/${id}/db: data.password (changed since the last apply)`);
    // A plan without the flag is not affected.
    expect((await bench.run(['plan', 'state'])).code).toBe(0);
    await apply();
    expect(mine(await planned())).toEqual([]);
    const texts = [record, await recordText(bench, id), stdout, stderr, JSON.stringify([before, after])];
    expect(texts.join('')).not.toContain(canary);
  });
});

describe('a list that cannot be read', () => {
  const limited = async (): Promise<Readonly<Record<string, string>>> => {
    bench.at.write('limited.hcl', 'path "sys/mounts" { capabilities = ["read"] }');
    await run('secrets', 'policy', 'put', 'limited', '@limited.hcl');
    const token = await run('secrets', 'token', 'create', '--policy', 'limited', '--field', 'client_token');
    return { LANYARD_SECRETS_TOKEN: token.trim() };
  };

  test('ends with 5; with --allow-unknown with 10, and it is named', async () => {
    state([policy(`${id}-a`)]);
    await apply();
    const env = await limited();
    const kind = ['--kind', 'secrets.policy'];
    const found = await planned(kind, { env });
    expect([found.code, found.complete, found.unmanaged]).toEqual([5, false, []]);
    expect(found.scan.unread).toEqual([
      { kind: 'secrets.policy', error: { kind: 'forbidden', message: expect.any(String) } },
    ]);
    expect(found.stderr).toContain('warning: cannot list secrets.policy: ');
    expect((await planned([...kind, '--allow-unknown'], { env })).code).toBe(10);
    expect((await planned([...kind, '--exit-zero'], { env })).code).toBe(5);
    const { stdout } = await bench.run(['plan', 'state', '--unmanaged', ...kind], { env });
    expect(stdout).toMatch(/^\? cannot list secrets\.policy: /m);
    expect(stdout).toMatch(/^Unmanaged: no objects, 1 unknown\.$/m);
  });

  test('the kinds that can be read are reported', async () => {
    state([policy(`${id}-a`)]);
    await apply();
    await create(key(`${id}/a`));
    const env = { LANYARD_SCHEDULER_ADDR: 'http://127.0.0.1:1' };
    const found = await planned(['--kind', 'registry.key', '--kind', 'scheduler.variable'], {
      env,
      random: () => new Uint8Array(4),
    });
    expect([found.code, mine(found)]).toEqual([7, [[`registry.key ${id}/a`, 'not-stated']]]);
  });
});

describe('output', () => {
  test('ten names of a kind with several kinds, all of them with one', async () => {
    state([policy(`${id}-a`)]);
    await apply();
    for (let n = 10; n < 25; n += 1) await create(key(`${id}/${n}`));
    await create(policy(`${id}-b`));
    const ignored = ['--ignore', 'registry.key s*/**'];
    expect((await planned(ignored)).scan.ignored).toBeGreaterThan(14);
    const { stdout, code } = await bench.run(['plan', 'state', '--unmanaged']);
    expect(code).toBe(10);
    expect(stdout).toMatch(/^\? registry\.policy: \d+ objects? in no file$/m);
    expect(stdout).toMatch(/^ {4}… \d+ more; use --kind or -o json to see all$/m);
    const all = (await bench.run(['plan', 'state', '--unmanaged', '--kind', 'registry.key'])).stdout;
    for (let n = 10; n < 25; n += 1) expect(all).toContain(`\n    ${id}/${n}\n`);
  });

  test('nothing is found: exit code 0', async () => {
    state([policy(`${id}-a`)], {
      unmanaged: { ignore: kindNames.filter((name) => name.startsWith('registry.')) },
    });
    await apply();
    const { code, stdout } = await bench.run(['plan', 'state', '--unmanaged']);
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(
        /^No changes\. 1 object is up to date\.\n\nUnmanaged: no objects\..* \d+ ignored\.\n$/s,
      ),
    ]);
    expect((await bench.run(['plan', 'state', '--unmanaged', '--exit-zero'])).code).toBe(0);
  });

  test('each line of -o jsonl is an operation or an unmanaged object', async () => {
    state([policy(`${id}-a`)]);
    await create(key(`${id}/a`));
    const { stdout } = await bench.run(['plan', 'state', '--unmanaged', '-o', 'jsonl']);
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines[0]).toMatchObject({ action: 'create' });
    expect(lines).toContainEqual({
      id: { kind: 'registry.key', scope: {}, key: `${id}/a` },
      reason: 'not-stated',
    });
  });

  test('a saved plan has nothing of it', async () => {
    state([policy(`${id}-a`)]);
    await create(key(`${id}/a`));
    await run('plan', 'state', '--out', `${id}-1.plan`, '--exit-zero');
    await run('plan', 'state', '--unmanaged', '--out', `${id}-2.plan`, '--exit-zero');
    const [without, saved] = [1, 2].map((index) =>
      bench.at.read(`${id}-${index}.plan`).replace(/"createdAt": "[^"]+"/, ''),
    );
    expect(saved).toBe(without);
    await run('apply', `${id}-2.plan`, '--yes');
  });

  test('nothing is written', async () => {
    state([policy(`${id}-a`)]);
    await apply();
    bench.proxy.begin();
    await planned(serviceNames.flatMap((name) => ['--service', name]));
    expect(bench.writes()).toEqual([]);
  });
});

test('the number of lists does not depend on the number of objects', async () => {
  state([key(`${id}/stated`)]);
  await apply();
  const requests = async (): Promise<number> => {
    bench.proxy.begin();
    await planned(['--kind', 'registry.key', '--kind', 'secrets.kv', '--kind', 'registry.policy']);
    return bench.proxy.passed.length;
  };
  const before = await requests();
  for (let n = 0; n < 30; n += 1) await create(key(`${id}/${n}`));
  for (let n = 0; n < 30; n += 1) await create(secret(`${id}-${n}`, { a: 'x' }));
  expect(await requests()).toBe(before);
});
