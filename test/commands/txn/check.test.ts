import { describe, expect, test } from 'vitest';
import { expectExit, expectFailure, expectOutput, homeForAll } from '../../support/command-tests.ts';

const at = homeForAll();

const check = (name: string, text: string) => {
  at.write(name, text);
  return at.run(['txn', 'check', name]);
};

/** One operation in a file of JSON lines, and what is said of it. */
async function problemsOf(operation: unknown, name = 'ops.jsonl'): Promise<string[]> {
  const text = JSON.stringify(operation);
  const ran = await check(name, name.endsWith('.json') ? `[${text}]` : text);
  expect(ran.stdout).toBe('');
  expect(ran.code).toBe(2);
  return ran.stderr
    .split('\n')
    .filter((line) => line.startsWith('  '))
    .map((line) => line.replace(/^ +[^:]*: /, ''));
}

describe('txn check', () => {
  test('prints the content of a transaction without a service', async () => {
    const ran = await check(
      'ops.yaml',
      '- KV: {Verb: set, Key: app/colour, Value: green}\n- KV: {Verb: get, Key: app/shape}\n',
    );
    expectOutput(ran, 'ops.yaml is valid: 2 operations, 1 of which writes.\n');
  });

  test('lists the operations with their lines as JSON', async () => {
    at.write(
      'list.json',
      '[{"KV": {"Verb": "delete-tree", "Key": "app/"}},\n{"Service": {"Verb": "get", "Node": "n1", "Service": {"Service": "web"}}}]',
    );
    const ran = await at.run(['txn', 'check', 'list.json', '-o', 'json']);
    expect(JSON.parse(ran.stdout)).toEqual({
      file: 'list.json',
      operations: [
        { kind: 'KV', verb: 'delete-tree', subject: 'app/', line: 1, writes: true },
        { kind: 'Service', verb: 'get', subject: 'n1/web', line: 2, writes: false },
      ],
    });
  });

  test.each([['-'], []])('reads standard input with %j', async (...file) => {
    const ran = await at.run(['txn', 'check', ...file], {
      stdin: '{"KV":{"Verb":"get-tree","Key":"app/"}}\n',
    });
    expect(ran).toMatchObject({ code: 0, stdout: 'standard input is valid: 1 operation, read-only.\n' });
  });

  test('names file, line and operation of every problem', async () => {
    const ran = await check(
      'ops.yaml',
      [
        '- KV: {Verb: set, Key: a, Value: b}',
        '- KV: {Verb: cas, Key: app/db}',
        '# a comment',
        '- Nod: {Verb: set}',
        '- Check: {Verb: put}',
      ].join('\n'),
    );
    expect(ran).toEqual({
      code: 2,
      stdout: '',
      stderr: [
        'error: invalid transaction in ops.yaml',
        '  ops.yaml, line 2, operation 2 (KV cas app/db): "cas" requires Value, ValueBase64 or ValueFile',
        '  ops.yaml, line 2, operation 2 (KV cas app/db): "cas" requires Index',
        '  ops.yaml, line 4, operation 3: expected one field, KV, Node, Service or Check; found Nod',
        '  ops.yaml, line 5, operation 4 (Check put): unknown Check verb "put"; valid verbs: set, cas, get, delete, delete-cas',
        'hint: Nothing was sent.',
        '',
      ].join('\n'),
    });
  });
});

describe('accepts a valid operation:', () => {
  const session = 'adf4238a-882b-9ddc-4a9d-5b6758e4159e';
  test.each([
    { KV: { Verb: 'set', Key: 'a', Value: '', Flags: 0, Namespace: 'team' } },
    { KV: { Verb: 'set', Key: 'a', ValueBase64: '' } },
    { KV: { Verb: 'cas', Key: 'a', Value: 'b', Index: 0 } },
    { KV: { Verb: 'lock', Key: 'a', Value: 'b', Session: session } },
    { KV: { Verb: 'unlock', Key: 'a', ValueBase64: 'Yg==', Session: session } },
    { KV: { Verb: 'get', Key: 'a' } },
    { KV: { Verb: 'get-tree', Key: 'a' } },
    { KV: { Verb: 'get-or-empty', Key: 'a' } },
    { KV: { Verb: 'check-index', Key: 'a', Index: 7 } },
    { KV: { Verb: 'check-session', Key: 'a', Session: session } },
    { KV: { Verb: 'check-not-exists', Key: 'a' } },
    { KV: { Verb: 'delete', Key: 'a' } },
    { KV: { Verb: 'delete-tree', Key: 'a' } },
    { KV: { Verb: 'delete-cas', Key: 'a', Index: 7 } },
    { Node: { Verb: 'set', Node: { Node: 'n', Address: '10.0.0.1' } } },
    { Node: { Verb: 'get', Node: { ID: session } } },
    { Node: { Verb: 'delete-cas', Node: { Node: 'n', ModifyIndex: 3 } } },
    { Service: { Verb: 'set', Node: 'n', Service: { Service: 'web', Port: 80 } } },
    { Service: { Verb: 'delete', Node: 'n', Service: { ID: 'web-1' } } },
    { Check: { Verb: 'cas', Check: { Node: 'n', CheckID: 'c', Status: 'passing', ModifyIndex: 0 } } },
  ])('%j', async (operation) => {
    expect(await check('ops.jsonl', JSON.stringify(operation))).toMatchObject({ code: 0, stderr: '' });
  });

  test('an index and flags of 64 bits', async () => {
    const text =
      '[{"KV":{"Verb":"cas","Key":"a","Value":"","Index":18446744073709551615,"Flags":9007199254740993}}]';
    expect(await check('ops.json', text)).toMatchObject({ code: 0 });
  });
});

describe('rejects an invalid operation:', () => {
  test.each([
    ['set', 'expected an object'],
    [{}, 'expected one field, KV, Node, Service or Check; found none'],
    [
      { KV: { Verb: 'get', Key: 'a' }, Node: {} },
      'expected one field, KV, Node, Service or Check; found KV, Node',
    ],
    [{ KV: 'set' }, 'KV must be an object'],
    [{ KV: { Key: 'a' } }, 'Verb is required and must be a string'],
    [{ KV: { Verb: 'Set', Key: 'a' } }, /^unknown KV verb "Set"; valid verbs: set, cas, lock/],
    [{ KV: { Verb: 'constructor', Key: 'a' } }, /^unknown KV verb "constructor"/],
    [{ KV: { Verb: 'get' } }, 'Key is required and must be a string that is not empty'],
    [{ KV: { Verb: 'delete-tree', Key: '' } }, 'Key is required and must be a string that is not empty'],
    [{ KV: { Verb: 'set', Key: 'a' } }, '"set" requires Value, ValueBase64 or ValueFile'],
    [
      { KV: { Verb: 'set', Key: 'a', Value: 42 } },
      'Value must be a string; quote numbers and words like true',
    ],
    [
      { KV: { Verb: 'set', Key: 'a', Value: 'b', ValueFile: 'c' } },
      'only one of Value and ValueFile is allowed',
    ],
    [{ KV: { Verb: 'set', Key: 'a', ValueBase64: 'Yg=' } }, 'invalid ValueBase64: expected base64'],
    [
      { KV: { Verb: 'set', Key: 'a', ValueFile: 'none' } },
      /^cannot read ValueFile from .*\/none: no such file$/,
    ],
    [
      { KV: { Verb: 'set', Key: 'a', Valeu: 'b', Value: 'b' } },
      /^unknown field "Valeu" in KV; valid fields: Verb, Key,/,
    ],
    [
      { KV: { Verb: 'lock', Key: 'a', Value: 'b' } },
      'Session is required and must be a string that is not empty',
    ],
    [
      { KV: { Verb: 'check-session', Key: 'a' } },
      'Session is required and must be a string that is not empty',
    ],
    [{ KV: { Verb: 'check-index', Key: 'a' } }, '"check-index" requires Index'],
    [{ KV: { Verb: 'delete-cas', Key: 'a', Index: -1 } }, /^Index must be an integer from 0/],
    [{ KV: { Verb: 'delete-cas', Key: 'a', Index: '7' } }, /^Index must be an integer from 0/],
    [{ KV: { Verb: 'set', Key: 'a', Value: 'b', Flags: 1.5 } }, /^Flags must be an integer from 0/],
    [{ Node: { Verb: 'lock', Node: { Node: 'n' } } }, /^unknown Node verb "lock"/],
    [{ Node: { Verb: 'set' } }, 'Node is required and must be an object'],
    [{ Node: { Verb: 'set', Node: { Address: 'x' } } }, 'Node requires a name (Node) or an ID'],
    [{ Node: { Verb: 'cas', Node: { Node: 'n' } } }, '"cas" requires ModifyIndex in Node'],
    [{ Node: { Verb: 'set', Node: { Node: 'n' }, Services: [] } }, /^unknown field "Services" in Node/],
    [
      { Service: { Verb: 'set', Service: { Service: 'web' } } },
      'Node is required and must be a string that is not empty',
    ],
    [{ Service: { Verb: 'set', Node: 'n' } }, 'Service is required and must be an object'],
    [
      { Service: { Verb: 'set', Node: 'n', Service: { ID: 'web-1' } } },
      'Service requires the name of the service (Service)',
    ],
    [{ Check: { Verb: 'get' } }, 'Check is required and must be an object'],
    [{ Check: { Verb: 'get', Check: { CheckID: 'c' } } }, 'Check requires the name of its node (Node)'],
    [{ Check: { Verb: 'get', Check: { Node: 'n' } } }, 'Check requires a CheckID'],
    [
      { Check: { Verb: 'delete-cas', Check: { Node: 'n', CheckID: 'c' } } },
      '"delete-cas" requires ModifyIndex in Check',
    ],
  ])('%j', async (operation, problem) => {
    const problems = await problemsOf(operation);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(problem);
  });

  test.each([
    [{ KV: { Verb: 'set', Key: 'a', Value: 'plain text' } }, 'invalid Value: expected base64'],
    [{ KV: { Verb: 'set', Key: 'a' } }, '"set" requires Value, a base64 string (may be empty)'],
    [{ KV: { Verb: 'set', Key: 'a', Value: null } }, '"set" requires Value, a base64 string (may be empty)'],
  ])('%j in JSON of the API', async (operation, problem) => {
    expect(await problemsOf(operation, 'ops.json')).toEqual([problem]);
  });

  test.each(['ValueBase64', 'ValueFile'])('%s in JSON of the API', async (name) => {
    const problems = await problemsOf({ KV: { Verb: 'set', Key: 'a', [name]: 'Yg==' } }, 'ops.json');
    expect(problems[0]).toMatch(new RegExp(`^unknown field "${name}" in KV`));
  });

  test('two operations in one object, with a duplicate name in JSON', async () => {
    const ran = await check('ops.json', '[\n{"KV":{"Verb":"get","Key":"a"},"KV":{"Verb":"get","Key":"b"}}]');
    expectFailure(ran, 2, 'ops.json, line 2: duplicate field in an object');
  });
});

describe('the size of a transaction', () => {
  const gets = (count: number) =>
    Array.from({ length: count }, (_, index) => `- KV: {Verb: get, Key: k${index}}`).join('\n');

  test('is at most 128 operations, and 64 for every registry', async () => {
    expect(await check('ops.yaml', gets(64))).toMatchObject({ code: 0, stderr: '' });
    expectExit(await check('ops.yaml', gets(128)), 0, 'More than 64 operations are accepted by Consul');
    const ran = await check('ops.yaml', gets(129));
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).toContain(
      'ops.yaml has 129 operations; the maximum of a transaction is 128 (exceeded at line 129)',
    );
  });

  test('accepts several YAML documents', async () => {
    const text = '---\nKV: {Verb: get, Key: a}\n---\n- KV: {Verb: get, Key: b}\n- KV: {Verb: nope, Key: c}\n';
    expectFailure(await check('ops.yaml', text), 2, 'ops.yaml, line 5, operation 3 (KV nope c)');
    expect((await check('ops.yaml', text.replace('nope', 'get'))).stdout).toContain('3 operations');
  });

  test.each(['[]', '- '])('is at least one operation: %j', async (text) => {
    expect(await check('ops', text)).toMatchObject({ code: 2, stdout: '' });
  });

  test.each([
    ['plain text', (bytes: number) => ({ Value: 'ä'.repeat(bytes / 2) + 'a'.repeat(bytes % 2) })],
    ['base64', (bytes: number) => ({ ValueBase64: Buffer.alloc(bytes).toString('base64') })],
    [
      'a file',
      (bytes: number) => {
        at.write('value.bin', Buffer.alloc(bytes));
        return { ValueFile: 'value.bin' };
      },
    ],
  ])('is values of 512 kB, counted in bytes: %s', async (_form, value) => {
    const operation = (bytes: number) => ({ KV: { Verb: 'set', Key: 'a', ...value(bytes) } });
    expect(await check('ops.jsonl', JSON.stringify(operation(524_288)))).toMatchObject({ code: 0 });
    expect((await problemsOf(operation(524_289)))[0]).toMatch(/ 524288 /);
  });
});
