import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { embeddedForAll, expectFailure, outputOf, quietOutputOf } from '../../support/command-tests.ts';
import type { RunOptions } from '../../support/run.ts';
import { setTokens } from '../../support/services.ts';
import { serve } from '../../unit/api/support.ts';

const { at, running } = embeddedForAll();
let files = 0;
const fresh = (extension = 'json') => `undo-${++files}.${extension}`;

type Operation = Readonly<Record<string, unknown>>;

async function apply(operations: readonly Operation[], undo: string, options: RunOptions = {}) {
  return at.run(['txn', 'apply', '-', '--undo', undo], { stdin: JSON.stringify(operations), ...options });
}
const ask = async (method: string, path: string, body?: string) => {
  const response = await fetch(`${running.addresses.registry}/v1/${path}`, {
    method,
    ...(body !== undefined && { body }),
    headers: { 'X-Consul-Token': at.env.LANYARD_REGISTRY_TOKEN ?? '' },
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return text === '' ? undefined : JSON.parse(text);
};
const put = (key: string, value: string, flags = 0) => ask('PUT', `kv/${key}?flags=${flags}`, value);
const base64 = (text: string) => Buffer.from(text).toString('base64');

type Shown = Readonly<Record<string, unknown>>;
/** Everything that transactions can change, without indexes. */
async function shown(): Promise<unknown> {
  const withoutIndexes = (value: Shown) =>
    Object.fromEntries(
      Object.entries(value).filter(([name]) => !/^(CreateIndex|ModifyIndex|LockIndex)$/.test(name)),
    );
  const keys = (await fetchKeys()).map(withoutIndexes);
  const nodes = (await ask('GET', 'catalog/nodes')) as Shown[];
  const catalog = await Promise.all(
    nodes.map(async ({ Node }) => {
      const { Node: node, Services } = await ask('GET', `catalog/node/${Node}`);
      const checks = (await ask('GET', `health/node/${Node}`)) as Shown[];
      return [
        withoutIndexes(node),
        Object.values(Services as Record<string, Shown>).map(withoutIndexes),
        checks.map(withoutIndexes).sort((a, b) => (String(a.CheckID) < String(b.CheckID) ? -1 : 1)),
      ];
    }),
  );
  return { keys, catalog };
}
const fetchKeys = async (): Promise<Shown[]> => {
  const response = await fetch(`${running.addresses.registry}/v1/kv/?recurse`, {
    headers: { 'X-Consul-Token': at.env.LANYARD_REGISTRY_TOKEN ?? '' },
  });
  return response.status === 404 ? [] : ((await response.json()) as Shown[]);
};
const undone = (file: string) => at.run(['txn', 'apply', file]);

describe('txn apply --undo', () => {
  test('writes a private file whose transaction restores the previous values', async () => {
    await put('app/a', 'one', 7);
    await put('app/b', 'two');
    const before = await shown();
    const file = fresh();
    const ran = await apply(
      [
        { KV: { Verb: 'set', Key: 'app/a', Value: base64('changed') } },
        { KV: { Verb: 'delete', Key: 'app/b' } },
        { KV: { Verb: 'set', Key: 'app/new', Value: base64('new') } },
      ],
      file,
    );
    expect(ran).toMatchObject({ code: 0 });
    expect(ran.stderr).toContain(`Run \`lanyard txn apply ${file}\` to undo the transaction.`);
    expect(statSync(at.file(file)).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(at.file(file), 'utf8'))).toHaveLength(3);
    expect(await shown()).not.toEqual(before);
    expect(await undone(file)).toMatchObject({ code: 0 });
    expect(await shown()).toEqual(before);
    // A second time, the indexes are others.
    expectFailure(await undone(file), 6, 'the transaction was rolled back');
  });

  test.each(['yaml', 'jsonl'])('writes %s by the extension of the file', async (extension) => {
    await put('app/text', 'plain: "text"\n');
    const before = await shown();
    const file = fresh(extension);
    quietly(await apply([{ KV: { Verb: 'delete-tree', Key: 'app/' } }], file));
    expect(quietOutputOf(await at.run(['txn', 'check', file]))).toContain('is valid');
    quietly(await undone(file));
    expect(await shown()).toEqual(before);
  });

  test('is rejected with exit code 6 if something was changed since', async () => {
    await put('app/a', 'one');
    const file = fresh();
    quietly(await apply([{ KV: { Verb: 'set', Key: 'app/a', Value: base64('two') } }], file));
    await put('app/a', 'three');
    const before = await shown();
    expectFailure(await undone(file), 6, 'the transaction was rolled back: nothing was applied');
    expect(await shown()).toEqual(before);
  });

  test('restores locks of sessions that exist', async () => {
    const { ID: session } = await ask('PUT', 'session/create', '{"LockDelay":"0s"}');
    await ask('PUT', `kv/app/held?acquire=${session}`, 'x');
    await put('app/free', 'y');
    const before = await shown();
    const file = fresh();
    quietly(
      await apply(
        [
          { KV: { Verb: 'unlock', Key: 'app/held', Value: base64('z'), Session: session } },
          { KV: { Verb: 'lock', Key: 'app/free', Value: base64('z'), Session: session } },
          { KV: { Verb: 'lock', Key: 'app/other', Value: base64('z'), Session: session } },
        ],
        file,
      ),
    );
    quietly(await undone(file));
    expect(await shown()).toEqual(before);
  });

  test('restores services and checks, also those that went with a service', async () => {
    const register = {
      ...{ Node: 'n1', Address: '10.0.0.1', Service: { ID: 'web-1', Service: 'web', Port: 80, Tags: ['a'] } },
      Check: { CheckID: 'alive', Name: 'alive', Status: 'warning', ServiceID: 'web-1', Notes: 'x' },
    };
    await ask('PUT', 'catalog/register', JSON.stringify(register));
    const before = await shown();
    const file = fresh();
    quietly(
      await apply(
        [
          { Node: { Verb: 'set', Node: { Node: 'n1', Address: '10.0.0.9', Meta: { rack: '1' } } } },
          { Service: { Verb: 'delete', Node: 'n1', Service: { ID: 'web-1', Service: 'web' } } },
          { Service: { Verb: 'set', Node: 'n1', Service: { ID: 'api-1', Service: 'api', Port: 90 } } },
          { Check: { Verb: 'set', Check: { Node: 'n1', CheckID: 'own', Name: 'own', Status: 'passing' } } },
        ],
        file,
      ),
    );
    quietly(await undone(file));
    expect(await shown()).toEqual(before);
  });

  test('removes the file if the transaction is rolled back, and does not replace one', async () => {
    await put('app/a', 'one');
    const file = fresh();
    expectFailure(
      await apply([{ KV: { Verb: 'cas', Key: 'app/a', Value: '', Index: 1 } }], file),
      6,
      'rolled back',
    );
    expect(existsSync(at.file(file))).toBe(false);
    writeFileSync(at.file(file), 'mine');
    expectFailure(await apply([{ KV: { Verb: 'delete', Key: 'app/a' } }], file), 2, 'already exists');
    expect(readFileSync(at.file(file), 'utf8')).toBe('mine');
  });

  test('rejects what it cannot undo, and sends nothing', async () => {
    const before = await shown();
    const set = { KV: { Verb: 'set', Key: 'a', Value: '' } };
    const rows: [readonly Operation[], string][] = [
      [[{ Node: { Verb: 'set', Node: { Node: 'created', Address: '10.0.0.1' } } }], 'creating a node'],
      [[{ Node: { Verb: 'delete', Node: { Node: 'lanyard' } } }], 'deleting a node'],
      [[{ KV: { Verb: 'get-tree', Key: 'app/' } }], 'requires a transaction that writes'],
    ];
    for (const [operations, cause] of rows) {
      const file = fresh();
      expectFailure(await apply(operations, file), 2, cause);
      expect(existsSync(at.file(file))).toBe(false);
    }
    at.write('one.json', JSON.stringify([set]));
    expectFailure(
      await at.run(['txn', 'apply', 'one.json', '--undo', fresh(), '--chunk', '1']),
      2,
      '--undo and --chunk cannot be used together',
    );
    expect(await shown()).toEqual(before);
  });

  test('shows the transaction in a dry run, and writes no file', async () => {
    const before = await shown();
    const file = fresh();
    at.write('dry.json', JSON.stringify([{ KV: { Verb: 'set', Key: 'dry', Value: '' } }]));
    const ran = await at.run(['txn', 'apply', 'dry.json', '--undo', file, '--dry-run']);
    expect(ran).toMatchObject({ code: 0 });
    expect(ran.stdout).toContain('/v1/txn');
    expect(existsSync(at.file(file))).toBe(false);
    expect(await shown()).toEqual(before);
  });

  test('settles a lost response by reading, else keeps the previous values', async () => {
    await put('app/lost', 'one');
    for (const isApplied of [true, false]) {
      const before = await shown();
      const proxy = await serve(async (seen, response) => {
        const isWrite = seen.body.includes('"cas"');
        if (isWrite && !isApplied) return void response.destroy();
        const answer = await fetch(running.addresses.registry + seen.url, {
          method: seen.method,
          ...(seen.body !== '' && { body: seen.body }),
        });
        const text = await answer.text();
        if (isWrite) return void response.destroy();
        response.writeHead(answer.status, { 'Content-Type': 'application/json' }).end(text);
      });
      const file = fresh();
      const ran = await apply([{ KV: { Verb: 'set', Key: 'app/lost', Value: base64('two') } }], file, {
        env: { LANYARD_REGISTRY_ADDR: proxy.url },
      });
      if (isApplied) expect(ran).toMatchObject({ code: 0 });
      else expect(ran).toMatchObject({ code: 9, stdout: '' });
      expect(ran.stderr).toContain(isApplied ? 'The response was lost' : `${file} has the previous values`);
      if (!isApplied) expect(await shown()).toEqual(before);
      // Without the transaction, the file changes nothing.
      quietly(await undone(file));
      expect(await shown()).toEqual(before);
    }
  });

  test('restores the exact state after generated transactions', async () => {
    const key = fc.constantFrom('app/a', 'app/b', 'app/c/d', 'other');
    const value = fc.string({ maxLength: 5 }).map(base64);
    const kv = fc.oneof(
      fc.record({ Verb: fc.constant('set'), Key: key, Value: value, Flags: fc.nat(9) }),
      fc.record({ Verb: fc.constant('delete'), Key: key }),
      fc.record({ Verb: fc.constant('delete-tree'), Key: fc.constantFrom('app/', 'app/c', 'none/') }),
    );
    const service = fc.record({
      Verb: fc.constantFrom('set', 'delete'),
      Node: fc.constant('n1'),
      Service: fc.record({
        ID: fc.constantFrom('s1', 's2'),
        Service: fc.constant('s'),
        Port: fc.nat(9),
        Tags: fc.uniqueArray(fc.constantFrom('x', 'y')),
      }),
    });
    const check = fc.record({
      Verb: fc.constantFrom('set', 'delete'),
      Check: fc.record({
        Node: fc.constant('n1'),
        CheckID: fc.constantFrom('c1', 'c2'),
        Name: fc.constant('c'),
        Status: fc.constantFrom('passing', 'critical'),
        Notes: fc.constantFrom('', 'n'),
      }),
    });
    const operation = fc.oneof(
      { weight: 3, arbitrary: kv.map((KV) => ({ KV })) },
      { weight: 1, arbitrary: service.map((Service) => ({ Service })) },
      { weight: 1, arbitrary: check.map((Check) => ({ Check })) },
    );
    await ask('PUT', 'catalog/register', '{"Node":"n1","Address":"10.0.0.1"}');
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { minLength: 1, maxLength: 6 }), async (operations) => {
        const before = await shown();
        const file = fresh();
        const ran = await apply(operations, file);
        if (ran.code === 0 && existsSync(at.file(file))) quietly(await undone(file));
        expect(await shown()).toEqual(before);
        // The next transaction starts from another state.
        await at.run(['txn', 'apply', '-'], { stdin: JSON.stringify(operations) });
      }),
      { numRuns: 60, seed: 103 },
    );
  });

  test('requires permission to read what it writes', async () => {
    await setTokens(at, running);
    const rules = 'key_prefix "app/" { policy = "write" } key "app/secret" { policy = "deny" }';
    quietOutputOf(await at.run(['acl', 'policy', 'put', 'app', '--rules', rules]));
    const created = await at.run(['acl', 'token', 'create', '--policy', 'app', '-o', 'json']);
    const env = { LANYARD_REGISTRY_TOKEN: JSON.parse(created.stdout).SecretID };
    const file = fresh();
    const operations = ['app/a', 'app/secret'].map((Key) => ({ KV: { Verb: 'set', Key, Value: '' } }));
    expect((await apply(operations, file, { env })).code).toBe(5);
    expect(existsSync(at.file(file))).toBe(false);
    quietly(await apply(operations.slice(0, 1), file, { env }));
  });
});

const quietly = (ran: Awaited<ReturnType<typeof undone>>) => outputOf(ran);
