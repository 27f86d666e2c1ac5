import { describe, expect, test } from 'vitest';
import { expectFailure, homeForEach } from '../../support/command-tests.ts';
import type { Home, RunOptions } from '../../support/run.ts';
import { json, serve, type TestServer } from '../../unit/api/support.ts';

const at = homeForEach();

const none = (length: number) => new Uint8Array(length);
const run = ({ url }: Pick<TestServer, 'url'>, line: string, options: RunOptions = {}) =>
  at.run(['txn', 'apply', ...line.split(' ')], {
    random: none,
    ...options,
    env: { LANYARD_REGISTRY_ADDR: url, ...options.env },
  });

/** A file of so many sets, one a line. */
const sets = (count: number, change: (index: number) => string = (index) => `v${index}`) =>
  Array.from({ length: count }, (_, index) =>
    JSON.stringify({ KV: { Verb: 'set', Key: `k${index}`, Value: change(index) } }),
  ).join('\n');

type Trouble = 'roll back' | 'lose' | 'reject';

/** A registry that applies transactions whole, and fails those that it is told to, by their number. */
async function registry(troubles: Readonly<Record<number, Trouble>> = {}) {
  const keys: string[] = [];
  const sizes: number[] = [];
  const server = await serve(({ body }, response, count) => {
    const operations = JSON.parse(body) as { KV: { Key: string } }[];
    sizes.push(operations.length);
    const trouble = troubles[count];
    if (trouble === 'reject') return response.writeHead(403).end('Permission denied');
    if (trouble === 'roll back')
      return json(response, { Results: null, Errors: [{ OpIndex: 1, What: 'no' }] }, 409);
    keys.push(...operations.map(({ KV }) => KV.Key));
    if (trouble === 'lose') return response.destroy();
    return json(response, { Results: [], Errors: null });
  });
  return { ...server, keys, sizes };
}

const keysTo = (count: number) => Array.from({ length: count }, (_, index) => `k${index}`);

describe('txn apply --chunk', () => {
  test('applies all operations in order, reports that this was not atomic, and removes the journal', async () => {
    at.write('ops.jsonl', sets(150));
    const server = await registry();
    expect(await run(server, 'ops.jsonl --chunk 64')).toEqual({
      code: 0,
      stdout: 'Applied 150 operations of ops.jsonl in 3 transactions (not atomic).\n',
      stderr: '',
    });
    expect(server.sizes).toEqual([64, 64, 22]);
    expect(server.keys).toEqual(keysTo(150));
    expect(at.list()).toEqual(['ops.jsonl']);
  });

  test.each([
    ['roll back', 'operations 21 to 30: the transaction was rolled back: nothing was applied', 30],
    ['reject', 'operations 21 to 30: cannot apply transaction: permission denied', 30],
    ['lose', 'operations 21 to 30: apply transaction: outcome unknown', 40],
  ] as const)(
    'stops at an error of the service (%s), reports the progress, and continues there',
    async (trouble, said, seen) => {
      at.write('ops.jsonl', sets(30));
      const server = await registry({ 3: trouble });
      const token = { LANYARD_REGISTRY_TOKEN: 'b1gs33cr3t' };
      const ran = await run(server, 'ops.jsonl --chunk 10', { env: token });
      expectFailure(ran, 9, `partially applied: operations 1 to 20 were applied; ${said}`);
      expect(ran.stderr).toContain('hint: Run the same command again to continue from ops.jsonl.journal.');
      expect(at.list()).toEqual(['ops.jsonl', 'ops.jsonl.journal']);
      expect(await run(server, 'ops.jsonl --chunk 10 -o json', { env: token })).toMatchObject({
        code: 0,
        stderr: 'Continuing after operation 20 (ops.jsonl.journal).\n',
      });
      expect(server.keys).toHaveLength(seen);
      expect([...new Set(server.keys)]).toEqual(keysTo(30));
      expect(at.list()).toEqual(['ops.jsonl']);
    },
  );

  test('names the line of an operation that is rolled back', async () => {
    at.write('ops.jsonl', sets(30));
    const ran = await run(await registry({ 2: 'roll back' }), 'ops.jsonl --chunk 10');
    expect(ran.stderr).toContain('  ops.jsonl, line 12, operation 12 (KV set k11): no\n');
  });

  test('applies nothing if the first transaction fails', async () => {
    at.write('ops.jsonl', sets(30));
    const ran = await run(await registry({ 1: 'roll back' }), 'ops.jsonl --chunk 10');
    expectFailure(ran, 6, 'the transaction was rolled back: nothing was applied');
    expect(at.list()).toEqual(['ops.jsonl']);
  });

  test('accepts corrections of operations that were not applied', async () => {
    at.write('ops.jsonl', sets(30));
    const server = await registry({ 2: 'roll back' });
    await run(server, 'ops.jsonl --chunk 10');
    at.write(
      'ops.jsonl',
      sets(30, (index) => (index === 11 ? 'right' : `v${index}`)),
    );
    expect((await run(server, 'ops.jsonl --chunk 10')).code).toBe(0);
    expect(server.keys).toEqual(keysTo(30));
  });

  test.each([
    [
      'other operations',
      (file: Home) =>
        file.write(
          'ops.jsonl',
          sets(30, () => 'x'),
        ),
      '',
      'the first 10 operations differ from those recorded in ops.jsonl.journal as applied',
    ],
    [
      'fewer operations',
      (file: Home) => file.write('ops.jsonl', sets(5)),
      '',
      'the first 10 operations differ from those',
    ],
    [
      'another size',
      () => '',
      '--chunk 5',
      'ops.jsonl.journal is from a run with --chunk 10; use the same value',
    ],
    ['another datacenter', () => '', '--chunk 10 --dc dc2', 'ops.jsonl.journal is from a run against http'],
    [
      'a damaged journal',
      (file: Home) => file.write('ops.jsonl.journal', '{"chunk":10'),
      '',
      'invalid ops.jsonl.journal: expected a journal of "txn apply --chunk"',
    ],
  ])('does not continue with %s', async (_what, change, flags, message) => {
    at.write('ops.jsonl', sets(30));
    const server = await registry({ 2: 'roll back' });
    await run(server, 'ops.jsonl --chunk 10');
    change(at);
    expectFailure(await run(server, `ops.jsonl ${flags === '' ? '--chunk 10' : flags}`), 2, message);
    expect(server.seen).toHaveLength(2);
    expect(at.list()).toContain('ops.jsonl.journal');
  });

  test.each([
    ['--chunk 0', 'invalid --chunk 0: expected 1 to 128'],
    ['--chunk 129', 'invalid --chunk 129: expected 1 to 128'],
    ['--chunk ten', 'invalid --chunk "ten": expected a non-negative integer'],
  ])('rejects %s', async (flags, message) => {
    at.write('ops.jsonl', sets(3));
    const server = await registry();
    expectFailure(await run(server, `ops.jsonl ${flags}`), 2, message);
    expect(server.seen).toEqual([]);
  });

  test.each(['cas', 'get', 'check-index'])(
    'rejects the verb %s, which guards one transaction',
    async (Verb) => {
      const other = JSON.stringify({ KV: { Verb, Key: 'a', Value: '', Index: 1 } });
      at.write('ops.jsonl', `${sets(3)}\n${other}`);
      const server = await registry();
      const ran = await run(server, 'ops.jsonl --chunk 2');
      expectFailure(ran, 2, `ops.jsonl, line 4, operation 4 (KV ${Verb} a) has another verb`);
      expect(server.seen).toEqual([]);
    },
  );

  test('rejects standard input, which cannot be read again', async () => {
    expectFailure(await run(await registry(), '- --chunk 2', { stdin: sets(3) }), 2, '--chunk requires FILE');
  });

  test('with --dry-run and --curl prints every transaction, sends nothing and writes no journal', async () => {
    at.write('ops.jsonl', sets(30));
    const server = await registry();
    const ran = await run(server, 'ops.jsonl --chunk 10 --dry-run');
    expect(ran.code).toBe(0);
    expect(ran.stdout).toMatch(/^Dry run: nothing was sent\. 3 requests, in order:\n/);
    expect(ran.stdout.match(/^request\tPUT /gm)).toHaveLength(3);
    const data = JSON.parse((await run(server, 'ops.jsonl --chunk 10 --dry-run -o json')).stdout);
    expect(data.map(({ body }: { body: { KV: { Key: string } }[] }) => body[0]?.KV.Key)).toEqual([
      ...['k0', 'k10', 'k20'],
    ]);
    const { stdout } = await run(server, 'ops.jsonl --chunk 10 --curl');
    expect(stdout.match(/^curl --request PUT /gm)).toHaveLength(3);
    expect(server.seen).toEqual([]);
    expect(at.list()).toEqual(['ops.jsonl']);
  });

  test('reports what was applied if the journal cannot be written', async () => {
    at.write('ops.jsonl', sets(30));
    const server = await serve((_seen, response) => {
      at.write('ops.jsonl.journal/in-the-way', '');
      json(response, { Results: [], Errors: null });
    });
    const ran = await run(server, 'ops.jsonl --chunk 10');
    expect(ran).toMatchObject({ code: 9, stdout: '' });
    expect(ran.stderr).toMatch(
      /operations 1 to 10 were applied, but cannot write .*ops\.jsonl\.journal: it is not a regular file/,
    );
    expect(server.seen).toHaveLength(1);
  });

  test('stops at a signal and records the progress in the journal', async () => {
    at.write('ops.jsonl', sets(30));
    const stop = new AbortController();
    const server = await serve((_seen, response, count) => {
      if (count < 3) return json(response, { Results: [], Errors: null });
      return stop.abort();
    });
    expectFailure(await run(server, 'ops.jsonl --chunk 10', { signal: stop.signal }), 130);
    expect(JSON.parse(at.read('ops.jsonl.journal'))).toMatchObject({ chunk: 10, applied: 20 });
  });
});
