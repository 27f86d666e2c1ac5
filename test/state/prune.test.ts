import { beforeEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/state/kind.ts';
import type { Play } from '../faults/proxy.ts';
import { benchForAll, newSetId, policy, type Stated, secret, variable, writeSet } from './bench.ts';

const bench = await benchForAll();
let id = '';
beforeEach(() => {
  id = newSetId();
  bench.proxy.begin();
});

const state = (objects: readonly Stated[], spec: JsonObject = {}, directory = 'state'): void =>
  writeSet(bench, objects, { id, spec, directory });
const policies = (...names: readonly string[]) => names.map((name) => policy(`${id}-${name}`));
const item = (name: string): Stated => variable(`${id}/${name}`, { a: 'x' });
const inNamespace = (namespace: string, path: string): Stated => ({
  ...variable(path, { a: 'x' }),
  identity: { scope: { namespace }, key: path },
});
const apply = async (...flags: readonly string[]): Promise<void> => {
  const { code, stdout, stderr } = await bench.run(['apply', 'state', '--yes', ...flags]);
  expect(code, stdout + stderr).toBe(0);
};
const prune = ['--prune', '--prune-max', '9', '--yes'];
const hasPolicy = async (name: string): Promise<boolean> =>
  (await bench.run(['acl', 'policy', 'get', `${id}-${name}`])).code === 0;
const deletions = () => bench.proxy.passed.filter(({ method }) => method === 'DELETE');

/** Applies two policies and a variable; then no file states one policy any more. */
async function withGone(): Promise<void> {
  state([...policies('kept', 'gone'), item('kept')]);
  await apply();
  state([...policies('kept'), item('kept')]);
  bench.proxy.begin();
}

const rejected = async (argv: readonly string[], code: number, message: string | RegExp): Promise<void> => {
  const ran = await bench.run(argv);
  expect([ran.code, ran.stderr]).toEqual([code, expect.stringMatching(message)]);
  expect(deletions()).toEqual([]);
  expect(await hasPolicy('gone')).toBe(true);
};

const isPolicyList = ({ method, url }: { readonly method: string; readonly url: string }): boolean =>
  method === 'GET' && url.startsWith('/v1/acl/policies');
const breakList = (play: Play): void => bench.proxy.begin({ picks: isPolicyList, forwards: true, play });
const replies = (status: string, headers: string, body: Buffer | string): string =>
  `HTTP/1.1 ${status}\r\n${headers}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

describe('pruning is rejected, and nothing is deleted', () => {
  test('with a filter', async () => {
    await withGone();
    for (const filter of [
      ['--kind', 'registry.policy'],
      ['--service', 'registry'],
    ])
      await rejected(['apply', 'state', ...filter, ...prune], 2, 'select a part of the set');
  });

  test('with single files or standard input', async () => {
    await withGone();
    const files = bench.at.list('state').filter((name) => name.endsWith('.json'));
    await rejected(['apply', ...files, ...prune], 2, /use its directory/);
    await rejected(['apply', 'state', 'state/set.json', ...prune], 2, /use its directory/);
    const text = bench.at.read('state/set.json');
    const ran = await bench.run(['apply', '-', ...prune], { stdin: text });
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining('use its directory')]);
    expect(deletions()).toEqual([]);
  });

  test('without a record', async () => {
    await withGone();
    const set = JSON.parse(bench.at.read('state/set.json'));
    bench.at.write('state/set.json', JSON.stringify({ ...set, spec: {} }));
    await rejected(['apply', 'state', ...prune], 2, 'the set has no record');
  });

  test('with a directory without objects', async () => {
    await withGone();
    state([]);
    await rejected(['apply', 'state', ...prune], 2, 'the files state no objects');
  });

  test('with an empty directory, and with one without a set', async () => {
    await withGone();
    bench.at.clear('state');
    bench.at.write('state/notes.txt', '');
    await rejected(['apply', 'state', ...prune], 2, /no files/);
    bench.at.write('state/empty.yaml', '');
    await rejected(['apply', 'state', ...prune], 2, 'no document of kind Set');
  });

  test('if a list is forbidden', async () => {
    await withGone();
    breakList((socket) => void socket.end(replies('403 Forbidden', '', 'Permission denied')));
    await rejected(['apply', 'state', ...prune], 5, /^error: cannot prune: /);
  });

  test('if a list is truncated', async () => {
    await withGone();
    breakList((socket, { body }) => {
      const head = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
      socket.end(head + body.subarray(0, body.length - 10));
    });
    await rejected(['apply', 'state', ...prune], 7, /^error: cannot prune: .*incomplete response/m);
  });

  test('if the service has no leader', async () => {
    await withGone();
    breakList((socket, { body }) => {
      socket.end(
        replies('200 OK', 'Content-Type: application/json\r\nX-Consul-KnownLeader: false\r\n', body),
      );
    });
    await rejected(['apply', 'state', ...prune], 8, 'leader');
  });

  test('if a list is empty that should not be', async () => {
    await withGone();
    breakList((socket) => void socket.end(replies('200 OK', 'Content-Type: application/json\r\n', '[]')));
    await rejected(['apply', 'state', ...prune], 6, /the list of registry\.policy is (empty|incomplete)/);
  });

  test('if a list lacks an object that exists', async () => {
    await withGone();
    breakList((socket, { body }) => {
      const others = JSON.parse(body.toString()).filter(({ Name = '' }) => Name !== `${id}-gone`);
      socket.end(replies('200 OK', 'Content-Type: application/json\r\n', JSON.stringify(others)));
    });
    await rejected(['apply', 'state', ...prune], 6, 'the list of registry.policy is incomplete');
  });

  test('if a later page of a list fails', async () => {
    await withGone();
    bench.proxy.begin({
      picks: ({ method, url }) => method === 'GET' && url.startsWith('/v1/vars'),
      forwards: true,
      play: (socket, { body }, { url }) => {
        const isFirst = !url.includes('next_token');
        const headers = 'Content-Type: application/json\r\nX-Nomad-NextToken: default.zzz\r\n';
        socket.end(isFirst ? replies('200 OK', headers, body) : replies('500 Error', '', 'no'));
      },
    });
    await rejected(['apply', 'state', ...prune], 1, /^error: cannot prune: /);
  });

  test('without --prune-max, if stdin is not a terminal', async () => {
    await withGone();
    await rejected(['apply', 'state', '--prune', '--yes'], 2, /--prune-max 1 --yes/);
  });

  test('if another number is typed', async () => {
    await withGone();
    const { code } = await bench.run(['apply', 'state', '--prune'], {
      columns: 100,
      answers: (said) => (said.includes('Type the number') ? '2\n' : undefined),
    });
    expect(code).toBe(130);
    expect(deletions()).toEqual([]);
  });

  test('if there are more than the maximum: nothing at all is applied', async () => {
    state(policies('kept', 'gone', 'gone-2', 'gone-3'), { prune: { max: 2 } });
    await apply();
    state([...policies('kept'), policy(`${id}-new`)], { prune: { max: 2 } });
    bench.proxy.begin();
    const ran = await bench.run(['apply', 'state', '--prune', '--yes']);
    expect([ran.code, ran.stderr]).toEqual([
      2,
      expect.stringContaining('3 objects would be deleted, and at most 2 may be'),
    ]);
    expect(bench.proxy.passed.filter(({ method }) => method !== 'GET')).toEqual([]);
    expect((await bench.run(['plan', 'state', '--prune'])).code).toBe(2);
  });

  test('of the last objects, without --prune-all', async () => {
    state(policies('gone'));
    await apply();
    state(policies('new'));
    bench.proxy.begin();
    await rejected(['apply', 'state', ...prune], 2, 'all objects of the set would be deleted');
    expect(await hasPolicy('new')).toBe(false);
    await apply('--prune', '--prune-max', '9', '--prune-all');
    expect([await hasPolicy('gone'), await hasPolicy('new')]).toEqual([false, true]);
    state([]);
    const empty = await bench.run(['apply', 'state', ...prune]);
    expect([empty.code, empty.stderr]).toEqual([2, expect.stringContaining('the files state no objects')]);
    await apply('--prune', '--prune-max', '9', '--prune-all');
    expect(await hasPolicy('new')).toBe(false);
  });
});

describe('what is pruned', () => {
  test('after the number was typed', async () => {
    await withGone();
    const { code, stderr } = await bench.run(['apply', 'state', '--prune'], {
      columns: 100,
      answers: (said) =>
        said.includes('Type the number') ? '1\n' : said.includes('[y/N]') ? 'y\n' : undefined,
    });
    expect(code, stderr).toBe(0);
    expect(await hasPolicy('gone')).toBe(false);
  });

  test('objects of a namespace that is in no file any more', async () => {
    for (const name of ['a', 'b'])
      expect((await bench.run(['namespace', 'put', `${id}-${name}`])).code).toBe(0);
    const [first, second] = [inNamespace(`${id}-a`, 'app'), inNamespace(`${id}-b`, 'app')];
    state([first, second]);
    await apply();
    state([second]);
    await apply('--prune', '--prune-max', '1');
    expect((await bench.run(['var', 'get', 'app', '--namespace', `${id}-a`])).code).toBe(3);
    expect((await bench.run(['var', 'get', 'app', '--namespace', `${id}-b`])).code).toBe(0);
  });

  test('not an object of another set with the same names, nor one with a copied mark', async () => {
    const [first, second] = [id, newSetId()];
    state([policy('shared-name'), ...policies('first')]);
    await apply();
    // The other repository has the same name; it may not have the object.
    writeSet(bench, [policy('shared-name'), policy(`${second}-own`)], { id: second, directory: 'other' });
    const taken = await bench.run(['apply', 'other', '--yes']);
    expect([taken.code, taken.stderr]).toEqual([6, expect.stringContaining(`belongs to set ${first}`)]);
    writeSet(bench, [policy(`${second}-own`), policy(`${second}-gone`)], { id: second, directory: 'other' });
    expect((await bench.run(['apply', 'other', '--yes'])).code).toBe(0);
    // Somebody copies an object with its mark.
    const copied = ['acl', 'policy', 'put', `${id}-copy`, '--rules', '', '--description'];
    expect((await bench.run([...copied, `copied [lanyard:${second}]`])).code).toBe(0);
    writeSet(bench, [policy(`${second}-own`)], { id: second, directory: 'other' });
    const pruned = await bench.run(['apply', 'other', ...prune]);
    expect(pruned.stderr).toBe('');
    expect(pruned.stdout).toContain('1 deleted');
    expect((await bench.run(['acl', 'policy', 'get', 'shared-name'])).code).toBe(0);
    expect(await hasPolicy('copy')).toBe(true);
    state(policies('first'));
    await apply('--prune', '--prune-max', '9');
    expect((await bench.run(['acl', 'policy', 'get', 'shared-name'])).code).toBe(3);
    expect((await bench.run(['acl', 'policy', 'get', `${second}-own`])).code).toBe(0);
    expect(await hasPolicy('copy')).toBe(true);
  });

  test.each([
    [
      'that another set took over',
      ['--description', 'made by a test [lanyard:another000]'],
      'it belongs to set another000',
    ],
    ['that lost its mark', ['--description', 'made by a test'], 'it lost its mark'],
  ])('not an object %s', async (_what, flags, reason) => {
    await withGone();
    expect((await bench.run(['acl', 'policy', 'put', `${id}-gone`, ...flags])).code).toBe(0);
    const { code, stderr } = await bench.run(['plan', 'state', '--prune']);
    expect([code, stderr]).toEqual([0, `warning: registry.policy ${id}-gone is kept: ${reason}\n`]);
  });

  test('not an object that another client created again', async () => {
    await withGone();
    const text = `made by a test [lanyard:${id}]`;
    expect((await bench.run(['acl', 'policy', 'delete', `${id}-gone`, '--yes'])).code).toBe(0);
    expect(
      (await bench.run(['acl', 'policy', 'put', `${id}-gone`, '--rules', '', '--description', text])).code,
    ).toBe(0);
    const { code, stderr } = await bench.run(['plan', 'state', '--prune']);
    expect([code, stderr]).toEqual([0, expect.stringContaining('it was created again by somebody else')]);
  });

  test('not a protected object, nor one of a kind that spec.prune.kinds does not name', async () => {
    state([...policies('kept', 'gone'), item('gone'), secret(`${id}/db`, { a: 'x' })]);
    await apply();
    state(policies('kept'), { prune: { kinds: ['registry.policy', 'secrets.kv'] } });
    const { code, stderr } = await bench.run(['apply', 'state', ...prune]);
    expect([code, stderr.trim().split('\n').sort()]).toEqual([
      0,
      [
        `warning: scheduler.variable ${id}/gone is kept: not in spec.prune.kinds`,
        `warning: secrets.kv secret/${id}/db is kept: metadata.deletion is not "allow"`,
      ],
    ]);
    expect(await hasPolicy('gone')).toBe(false);
  });

  test('an object that was deleted by hand leaves the record', async () => {
    await withGone();
    expect((await bench.run(['acl', 'policy', 'delete', `${id}-gone`, '--yes'])).code).toBe(0);
    expect((await bench.run(['plan', 'state', '--prune'])).code).toBe(0);
    await apply('--prune');
    const { stdout } = await bench.run(['registry', 'kv', 'get', `lanyard/sets/${id}`]);
    expect(stdout).not.toContain(`${id}-gone`);
  });
});
