import { beforeAll, describe, expect, test } from 'vitest';
import { expectFailure, homeForAll, outputOf } from '../../support/command-tests.ts';
import type { RunOptions } from '../../support/run.ts';
import { type Handler, json, serve, serveSocket, type TestServer } from '../../unit/api/support.ts';

const at = homeForAll();
beforeAll(() => {
  at.write('values/key.bin', new Uint8Array([0, 1, 254, 255]));
  at.write('values/motd.txt', 'hello\n');
  at.write(
    'write.yaml',
    '- KV: {Verb: check-not-exists, Key: app/lock}\n- KV: {Verb: set, Key: app/a, Value: b}\n',
  );
  at.write('read.yaml', '- KV: {Verb: get, Key: app/a}\n- Node: {Verb: get, Node: {Node: n1}}\n');
});

const run = ({ url }: Pick<TestServer, 'url'>, line: string, options: RunOptions = {}) =>
  at.run(['txn', 'apply', ...line.split(' ')], {
    ...options,
    env: { LANYARD_REGISTRY_ADDR: url, ...options.env },
  });

/** No pauses between attempts. */
const none = (length: number) => new Uint8Array(length);
const applied: Handler = (_seen, response) => json(response, { Results: [], Errors: null });
const kv = (Key: string, Value: string | null) => ({
  KV: { LockIndex: 0, Key, Flags: 0, Value, CreateIndex: 7, ModifyIndex: 9 },
});

describe('the request', () => {
  test.each([
    [
      'YAML',
      'ops.yaml',
      '- KV: {Verb: set, Key: a, Value: "grün"}\n- KV: {Verb: set, Key: b, ValueBase64: Yg==, Flags: 3}\n- KV: {Verb: cas, Key: c, ValueFile: values/key.bin, Index: 0}\n',
    ],
    [
      'JSON lines',
      'ops.jsonl',
      '{"KV":{"Verb":"set","Key":"a","Value":"grün"}}\n{"KV":{"Verb":"set","Key":"b","ValueBase64":"Yg==","Flags":3}}\n{"KV":{"Verb":"cas","Key":"c","ValueFile":"values/key.bin","Index":0}}\n',
    ],
    [
      'JSON as the API has it',
      'ops.json',
      '[{"KV":{"Verb":"set","Key":"a","Value":"Z3LDvG4="}},{"KV":{"Verb":"set","Key":"b","Value":"Yg==","Flags":3}},{"KV":{"Verb":"cas","Key":"c","Value":"AAH+/w==","Index":0}}]',
    ],
  ])('has the format of the API from %s', async (_form, name, text) => {
    const server = await serve(applied);
    at.write(name, text);
    const ran = await run(server, name, { env: { LANYARD_REGISTRY_TOKEN: 'b1gs33cr3t' } });
    expect({ code: ran.code, stderr: ran.stderr }).toEqual({ code: 0, stderr: '' });
    expect(server.seen).toHaveLength(1);
    const [seen] = server.seen;
    expect(`${seen?.method} ${seen?.url}`).toBe('PUT /v1/txn');
    expect(seen?.headers).toMatchObject({
      'content-type': 'application/json',
      'x-registry-token': 'b1gs33cr3t',
    });
    expect(JSON.parse(seen?.body ?? '')).toEqual([
      { KV: { Verb: 'set', Key: 'a', Value: 'Z3LDvG4=' } },
      { KV: { Verb: 'set', Key: 'b', Value: 'Yg==', Flags: 3 } },
      { KV: { Verb: 'cas', Key: 'c', Value: 'AAH+/w==', Index: 0 } },
    ]);
  });

  test('keeps node, service and check objects unchanged', async () => {
    const operations = [
      { Node: { Verb: 'set', Node: { Node: 'n', Address: '10.0.0.1', Meta: { a: 'b' } } } },
      { Service: { Verb: 'set', Node: 'n', Service: { Service: 'web', Port: 80, Tags: ['x'] } } },
      { Check: { Verb: 'set', Check: { Node: 'n', CheckID: 'c', Status: 'passing' } } },
    ];
    const server = await serve(applied);
    await run(server, '-', { stdin: JSON.stringify(operations) });
    expect(JSON.parse(server.seen[0]?.body ?? '')).toEqual(operations);
  });

  test('keeps integers beyond 2^53 exact', async () => {
    const text =
      '[{"KV":{"Verb":"cas","Key":"a","Value":"","Flags":18446744073709551615,"Index":9007199254740993}}]';
    const server = await serve(applied);
    await run(server, '-', { stdin: text });
    expect(server.seen[0]?.body).toContain('"Flags":18446744073709551615');
    expect(server.seen[0]?.body).toContain('"Index":9007199254740993');
  });

  test('resolves ValueFile relative to the file, and for standard input to the working directory', async () => {
    at.write('sub/ops.yaml', '- KV: {Verb: set, Key: a, ValueFile: ../values/motd.txt}\n');
    const server = await serve(applied);
    await run(server, 'sub/ops.yaml');
    await run(server, '-', { stdin: '- KV: {Verb: set, Key: a, ValueFile: values/motd.txt}\n' });
    for (const seen of server.seen)
      expect(JSON.parse(seen.body)[0].KV.Value).toBe(Buffer.from('hello\n').toString('base64'));
    expect(server.seen).toHaveLength(2);
  });

  test.each([
    ['write.yaml', '/v1/txn'],
    ['write.yaml --dc dc2', '/v1/txn?dc=dc2'],
    ['write.yaml --namespace team', '/v1/txn?ns=team'],
    ['read.yaml --stale', '/v1/txn?stale='],
    ['read.yaml --consistent --dc dc2', '/v1/txn?dc=dc2&consistent='],
  ])('with "%s" goes to %s', async (line, url) => {
    const server = await serve(applied);
    expect((await run(server, line)).code).toBe(0);
    expect(server.seen[0]?.url).toBe(url);
  });

  test.each([
    [
      'write.yaml --stale',
      '--stale requires a read-only transaction; write.yaml, line 2, operation 2 (KV set app/a) writes',
    ],
    ['write.yaml --consistent', '--consistent requires a read-only transaction'],
    ['read.yaml --stale --consistent', '--stale cannot be combined with --consistent'],
    ['values/motd.txt', 'is not a list'],
    ['nowhere.yaml', 'no such file'],
  ])('with "%s" is nothing', async (line, message) => {
    const server = await serve(applied);
    expectFailure(await run(server, line), 2, message);
    expect(server.seen).toEqual([]);
  });

  test.each(['--dry-run', '--curl'])('with %s is printed without values and not sent', async (flag) => {
    at.write('secret.yaml', '- KV: {Verb: set, Key: app/password, Value: hunter22}\n');
    const server = await serve(applied);
    const stdout = outputOf(await run(server, `secret.yaml ${flag}`));
    expect(stdout).toContain('app/password');
    expect(stdout).toContain('<redacted>');
    expect(stdout).not.toContain(Buffer.from('hunter22').toString('base64'));
    if (flag === '--curl')
      expect(stdout).toMatch(/^# replace <redacted> with the base64 of the value\ncurl /m);
    expect(server.seen).toEqual([]);
  });
});

describe('the output', () => {
  test('lists the operations and results of an applied transaction', async () => {
    const body = {
      Results: [
        kv('app/a', null),
        { Node: { ID: 'x', Node: 'n1', Address: '10.0.0.1', Datacenter: 'dc1', ModifyIndex: 9 } },
        { Service: { ID: 'web-1', Service: 'web', Address: '10.0.0.2', Port: 80, ModifyIndex: 9 } },
        { Check: { Node: 'n1', CheckID: 'c1', Status: 'passing', ModifyIndex: 9 } },
      ],
      Errors: null,
    };
    const server = await serve((_seen, response) => json(response, body));
    expect(await run(server, 'write.yaml')).toEqual({
      code: 0,
      stdout: [
        'Applied 2 operations.',
        'KV\tapp/a\t9\t-',
        'Node\tn1\t9\t10.0.0.1',
        'Service\tweb-1\t9\t10.0.0.2:80',
        'Check\tn1/c1\t9\tpassing',
        '',
      ].join('\n'),
      stderr: '',
    });
    expect(JSON.parse((await run(server, 'write.yaml -o json')).stdout)).toEqual(body);
    expect((await run(server, 'write.yaml -o jsonl')).stdout.trim().split('\n')).toHaveLength(4);
  });

  test.each([[[]], [null]])('lists the number of operations without results (%j)', async (Results) => {
    const server = await serve((_seen, response) => json(response, { Results, Errors: null }));
    expect((await run(server, 'write.yaml')).stdout).toBe('Applied 2 operations.\n');
  });

  test('prints values of reads as text, and binary values as a size', async () => {
    const server = await serve((_seen, response) =>
      json(response, { Results: [kv('a', 'Z3LDvG4='), kv('b', 'AAH+/w=='), kv('c', '')], Errors: null }),
    );
    expect((await run(server, 'read.yaml')).stdout).toBe('KV\ta\t9\tgrün\nKV\tb\t9\t4 bytes\nKV\tc\t9\t\n');
  });

  test.each(['X-Registry', 'X-Consul'])('with --verbose of a read: the headers of %s', async (prefix) => {
    const server = await serve((_seen, response) => {
      response.setHeader(`${prefix}-LastContact`, '12');
      response.setHeader(`${prefix}-KnownLeader`, 'true');
      json(response, { Results: [], Errors: null });
    });
    const ran = await run(server, 'read.yaml --stale --verbose');
    expect(ran.stderr).toContain(`${prefix.toLowerCase()}-lastcontact: 12\n`);
    expect(ran.stderr).toContain(`${prefix.toLowerCase()}-knownleader: true\n`);
    expect((await run(server, 'read.yaml --stale')).stderr).toBe('');
  });
});

describe('a rollback', () => {
  const rolledBack: Handler = (_seen, response) =>
    json(
      response,
      {
        Results: null,
        Errors: [
          { OpIndex: 0, What: 'key "app/lock" exists' },
          { OpIndex: 1, What: 'failed to set key "app/a", index is stale' },
        ],
      },
      409,
    );

  test('names the line of each failed operation and that nothing was applied', async () => {
    const server = await serve(rolledBack);
    expect(await run(server, 'write.yaml')).toEqual({
      code: 6,
      stdout: '',
      stderr: [
        'error: the transaction was rolled back: nothing was applied',
        '  write.yaml, line 1, operation 1 (KV check-not-exists app/lock): key "app/lock" exists',
        '  write.yaml, line 2, operation 2 (KV set app/a): failed to set key "app/a", index is stale',
        '',
      ].join('\n'),
    });
    expect(server.seen).toHaveLength(1);
  });

  test('is one JSON object with -o json', async () => {
    const server = await serve(rolledBack);
    const { error } = JSON.parse((await run(server, 'write.yaml -o json')).stderr);
    expect(error).toMatchObject({
      code: 6,
      kind: 'conflict',
      status: 409,
      service: 'registry',
      retryable: false,
      message: 'the transaction was rolled back: nothing was applied',
    });
    expect(error.messages).toHaveLength(2);
  });

  test.each([
    ["token with AccessorID 'x' lacks permission 'key:write' on \"app/a\"", 5, 'forbidden'],
    [
      'anonymous token lacks permission \'key:write\' on "app/a". The anonymous token is used implicitly when a request does not specify a token.',
      ...([4, 'unauthenticated'] as const),
    ],
  ])('because of a missing permission (%s) is no conflict', async (what, code, kind) => {
    // Consul sends 409 for it too.
    const server = await serve((_seen, response) =>
      json(response, { Results: null, Errors: [{ OpIndex: 1, What: `Permission denied: ${what}` }] }, 409),
    );
    const ran = await run(server, 'write.yaml -o json');
    expect(ran).toMatchObject({ code, stdout: '' });
    const { error } = JSON.parse(ran.stderr);
    expect(error).toMatchObject({ kind, message: 'permission denied: nothing was applied' });
    expect(error.messages[0]).toContain(
      'write.yaml, line 2, operation 2 (KV set app/a): Permission denied: ',
    );
  });

  test('prints the error of the service for an operation that was not sent', async () => {
    const server = await serve((_seen, response) =>
      json(response, { Results: null, Errors: [{ OpIndex: 7, What: 'odd' }] }, 409),
    );
    expect((await run(server, 'write.yaml')).stderr).toContain('  operation 7: odd\n');
  });

  test('in plain text is printed unchanged', async () => {
    const server = await serve((_seen, response) => response.writeHead(409).end('conflict of some kind'));
    const ran = await run(server, 'write.yaml');
    expectFailure(ran, 6, 'conflict of some kind');
    expect(ran.stderr).not.toContain('rolled back');
  });
});

describe('an error in plain text', () => {
  test.each([
    [403, 'Permission denied: anonymous token lacks permission', 4],
    [413, 'Transaction contains too many operations (2 > 1)', 1],
    [400, 'Failed to parse body: x', 1],
    [500, 'rpc error', 1],
    // The rate limit is waited for.
    [429, 'rate limited', 8, 25],
  ])('%i "%s" gives exit code %i', async (status, text, code, requests = 1) => {
    const server = await serve((_seen, response) =>
      response.writeHead(status, { 'Content-Type': 'text/plain' }).end(text),
    );
    expectFailure(await run(server, 'write.yaml', { random: none }), code, text);
    expect(server.seen).toHaveLength(requests);
  });
});

test.each([
  [
    'Transaction contains too many operations (129 > 128)',
    'Use --chunk to apply several transactions of 128; only each one is atomic',
  ],
  [
    'Request body(699106 bytes) too large, max size: 524288 bytes. See https://developer.hashicorp.com/docs/agent/config/config-files#txn_max_req_len.',
    'Use --chunk to apply several transactions with fewer operations',
  ],
])('a transaction that is too large names the limit of the registry: %s', async (text, hint) => {
  const server = await serve((_seen, response) =>
    response.writeHead(413, { 'Content-Type': 'text/plain; charset=utf-8' }).end(text),
  );
  expectFailure(await run(server, 'write.yaml'), 1, text, hint);
});

describe('a lost response', () => {
  test.each([
    ['write.yaml', "lanyard api registry GET 'kv/app/a'"],
    ['write.yaml --dc dc2', "lanyard api registry GET 'kv/app/a?dc=dc2'"],
  ])('to a write (%s) is "outcome unknown", with how to check; it is sent once', async (line, look) => {
    const server = await serveSocket((socket) => socket.destroy());
    const ran = await run(server, line, { random: none });
    expectFailure(ran, 9, 'apply transaction: outcome unknown');
    expect(ran.stderr).toContain(
      `Either all operations were applied or none. Run \`${look}\` to check one of them.`,
    );
    expect(server.seen).toHaveLength(1);
  });

  test.each([
    [{ Node: { Verb: 'delete', Node: { Node: 'n1' } } }, 'catalog/nodes'],
    [{ Service: { Verb: 'set', Node: "n'1", Service: { Service: 'web' } } }, 'catalog/node/n%271'],
    [{ Check: { Verb: 'set', Check: { Node: 'n 1', CheckID: 'c' } } }, 'health/node/n%201'],
  ])('to %j', async (operation, path) => {
    const server = await serveSocket((socket) => socket.destroy());
    const ran = await run(server, '-', { stdin: JSON.stringify([operation]), random: none });
    expectFailure(ran, 9, `lanyard api registry GET '${path}'`);
  });

  test('to a read-only transaction is retried', async () => {
    const server = await serve((_seen, response, count) =>
      count === 1 ? response.destroy() : json(response, { Results: [kv('a', '')], Errors: null }),
    );
    const ran = await run(server, 'read.yaml', { random: none });
    expect(ran).toMatchObject({ code: 0, stdout: 'KV\ta\t9\t\n' });
    expect(server.seen).toHaveLength(2);
  });

  test('of an unavailable service is "unreachable", also for a write', async () => {
    expectFailure(await run({ url: 'http://127.0.0.1:1' }, 'write.yaml', { random: none }), 7);
  });
});
