import { beforeEach, describe, expect, test } from 'vitest';
import { merge } from '../../src/state/compare.ts';
import type { JsonObject } from '../../src/state/kind.ts';
import { outputOf } from '../support/command-tests.ts';
import type { Ran } from '../support/run.ts';
import {
  benchForAll,
  changedSpec,
  createNeeds,
  isSame,
  kindOf,
  newSetId,
  readExisting,
  resolvePath,
  type Stated,
} from './bench.ts';
import { objectCases } from './objects.ts';

const bench = await benchForAll();
let directory = '';
beforeEach(() => {
  directory = newSetId();
});

const run = async (...argv: readonly string[]) => outputOf(await bench.run(argv));
const kindFlags = (...names: readonly string[]) => names.flatMap((name) => ['--kind', name]);

interface Named {
  readonly id: { readonly kind: string; readonly key: string };
  readonly file: string;
}
interface Check {
  readonly added: readonly (Named & { readonly set?: string })[];
  readonly changed: readonly (Named & { readonly changes: readonly JsonObject[] })[];
  readonly gone: readonly Named[];
  readonly unchanged: number;
  readonly ignored: number;
}

async function check(...flags: readonly string[]): Promise<Check & { readonly code: number }> {
  const before = contents();
  const { code, stdout, stderr } = await bench.run(['export', directory, '--check', '-o', 'json', ...flags]);
  expect(stdout, stderr).not.toBe('');
  expect(contents()).toEqual(before);
  return { ...JSON.parse(stdout), code };
}
const contents = (): readonly string[] =>
  bench.at.list(directory).map((path) => `${path} ${bench.at.read(path)}`);

async function create({ kind, identity, spec }: Pick<Stated, 'kind' | 'identity' | 'spec'>): Promise<void> {
  await kindOf(kind).create(bench.others, {
    identity,
    spec,
    live: undefined,
    resolvePath: (path) => bench.at.file(path),
  });
}

test('an export has no differences, and its own changes none after another export', async () => {
  const kinds = kindFlags('registry.policy', 'registry.role', 'scheduler.variable');
  const needed = objectCases.filter(({ kind }) =>
    /^(registry\.(policy|role)|scheduler\.variable)$/.test(kind),
  );
  for (const each of needed) {
    await createNeeds(each, bench);
    await create(each);
  }
  await run('export', directory, ...kinds);
  expect(await check(...kinds)).toMatchObject({ code: 0, added: [], changed: [], gone: [], ignored: 0 });
  const policy =
    needed.find(({ kind, changed }) => kind === 'registry.policy' && changed) ?? expect.fail('none');
  const kind = kindOf(policy.kind);
  const live = await readExisting(bench.others, kind, policy.identity);
  const spec = merge(kind.schema, live.spec, changedSpec(policy) ?? {});
  await kind.update(bench.others, { identity: policy.identity, spec, live, resolvePath });
  const found = await check(...kinds);
  expect([
    found.code,
    found.changed.length,
    isSame(policy, { kind: 'registry.policy', identity: policy.identity }),
  ]).toEqual([10, 1, true]);
  expect(found.changed[0]).toMatchObject({
    id: { kind: 'registry.policy', key: 'web-read' },
    file: `${directory}/registry/policy/web-read.yaml`,
  });
  expect(found.changed[0]?.changes).toContainEqual({
    path: '/spec/Datacenters',
    action: 'add',
    after: ['dc1'],
    sensitive: false,
  });
  const { stdout } = await bench.run(['export', directory, '--check', ...kinds]);
  expect(stdout).toContain(`~ ${directory}/registry/policy/web-read.yaml  registry.policy web-read\n`);
  expect(stdout).toContain('    + Datacenters: (not set) → ["dc1"]\n');
  expect(stdout).toMatch(/^Check: 0 new, 1 changed, 0 gone, \d+ unchanged in \S+\.$/m);
  await run('export', directory, ...kinds);
  expect((await check(...kinds)).code).toBe(0);
});

describe('registry keys', () => {
  const kinds = kindFlags('registry.key');
  const put = (name: string, value: string) => run('registry', 'kv', 'put', `${directory}/${name}`, value);

  test('new, changed and deleted keys; their values only with --values', async () => {
    await put('a', 'one');
    await put('b', 'two');
    await run('export', directory, ...kinds, '--values');
    expect((await check(...kinds, '--values')).code).toBe(0);
    await put('a', 'changed');
    await run('registry', 'kv', 'delete', `${directory}/b`, '--yes');
    await put('c', 'three');
    const found = await check(...kinds, '--values');
    expect(found.code).toBe(10);
    expect(found.added.map(({ id, file }) => [id.key, file])).toEqual([
      [`${directory}/c`, `${directory}/registry/key/${directory}%2fc.yaml`],
    ]);
    expect(found.gone.map(({ id }) => id.key)).toEqual([`${directory}/b`]);
    expect(found.changed).toMatchObject([
      {
        id: { kind: 'registry.key', key: `${directory}/a` },
        changes: [
          { path: '/spec/value', action: 'update', before: 'one', after: 'changed', sensitive: false },
        ],
      },
    ]);
  });

  test('values of secrets are not shown', async () => {
    await put('a', 'Canary-7f3a9b1c');
    await run('export', directory, ...kinds);
    await run('registry', 'kv', 'put', `${directory}/a`, 'Canary-other', '--flags', '7');
    const found = await check(...kinds);
    expect(found.changed.map(({ changes }) => changes)).toEqual([
      [{ path: '/spec/flags', action: 'add', after: 7, sensitive: false }],
    ]);
    expect(JSON.stringify(found)).not.toContain('Canary');
  });

  test('patterns of the set leave out new objects, and export writes no files for them', async () => {
    await put('a', 'one');
    await run('export', directory, ...kinds);
    bench.at.write(
      `${directory}/set.yaml`,
      `${bench.at.read(`${directory}/set.yaml`)}  unmanaged:\n    ignore: ["registry.key ${directory}/**"]\n`,
    );
    await put('b', 'two');
    await run('registry', 'kv', 'put', `${directory}/a`, 'one', '--flags', '7');
    // What a file states is compared all the same.
    const found = await check(...kinds);
    expect([found.ignored, found.added, found.changed.length]).toEqual([1, [], 1]);
    const ran = await bench.run(['export', directory, ...kinds]);
    expect(ran.stderr).toContain('1 object left out: spec.unmanaged.ignore of the set');
    expect(bench.at.list(directory).filter((path) => path.endsWith('%2fb.yaml'))).toEqual([]);
  });
});

describe('secrets', () => {
  const kinds = kindFlags('secrets.kv');

  test('a key that was added and one that was removed, of a secret with references', async () => {
    await run('kv', 'put', `secret/${directory}`, 'user=Canary-1', 'port=Canary-2');
    await run('export', directory, ...kinds, '--secrets', 'env');
    expect((await check(...kinds)).code).toBe(0);
    await run('kv', 'put', `secret/${directory}`, 'user=Canary-1', 'more=Canary-3');
    const found = await check(...kinds);
    expect(found.changed.flatMap(({ changes }) => changes)).toEqual([
      { path: '/spec/data/port', action: 'remove', sensitive: true },
      { path: '/spec/data/more', action: 'add', sensitive: true },
    ]);
    expect(JSON.stringify(found)).not.toContain('Canary');
    const { stdout } = await bench.run(['export', directory, '--check', ...kinds]);
    expect(stdout).toContain('    + data.more  (secret added)\n');
  });
});

describe('rejects', () => {
  const message = ({ code, stdout, stderr }: Ran) => [code, stdout, stderr];

  test.each([
    [['-', '--check'], '--check requires a directory'],
    [['none', '--check'], 'cannot check none: no files *.yaml, *.yml or *.json'],
    [['none', '--check', '--no-targets'], '--check cannot be combined with --no-targets'],
  ])('%j', async (argv, text) => {
    expect(message(await bench.run(['export', ...argv]))).toEqual([2, '', expect.stringContaining(text)]);
  });

  test('a token that the service rejects; with --skip-forbidden the rest is compared', async () => {
    await run('registry', 'kv', 'put', `${directory}/a`, 'one');
    await run('export', directory, ...kindFlags('registry.key'));
    const env = { LANYARD_SECRETS_TOKEN: 'wrong' };
    const argv = ['export', directory, '--check', ...kindFlags('registry.key', 'secrets.policy')];
    expect((await bench.run(argv, { env })).code).toBe(4);
    const rest = await bench.run([...argv, '--skip-forbidden'], { env });
    expect([rest.code, rest.stderr]).toEqual([0, expect.stringContaining('not exported: secrets.policy')]);
  });
});
