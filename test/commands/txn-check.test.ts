import { afterAll, describe, expect, test } from 'vitest';
import { home } from '../support/run.ts';

const at = home();
afterAll(() => at.remove());

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
  test('says what a transaction holds, and needs no service', async () => {
    const ran = await check(
      'ops.yaml',
      '- KV: {Verb: set, Key: app/colour, Value: green}\n- KV: {Verb: get, Key: app/shape}\n',
    );
    expect(ran).toEqual({
      code: 0,
      stdout: 'ops.yaml can be sent: 2 operations, 1 of which writes.\n',
      stderr: '',
    });
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
    expect(ran).toMatchObject({
      code: 0,
      stdout: 'standard input can be sent: 1 operation, a transaction that only reads.\n',
    });
  });

  test('names file, line and operation of everything that is wrong', async () => {
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
        'error: ops.yaml is not a transaction that can be applied',
        '  ops.yaml, line 2, operation 2 (KV cas app/db): "cas" needs Value, ValueBase64 or ValueFile',
        '  ops.yaml, line 2, operation 2 (KV cas app/db): "cas" needs Index',
        '  ops.yaml, line 4, operation 3: an operation has one member, KV, Node, Service or Check; this one has Nod',
        '  ops.yaml, line 5, operation 4 (Check put): there is no Check verb "put"; there are set, cas, get, delete, delete-cas',
        'hint: Nothing was sent.',
        '',
      ].join('\n'),
    });
  });
});

describe('an operation that is whole passes:', () => {
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

describe('an operation that is not whole is refused:', () => {
  test.each([
    ['set', 'an operation is an object'],
    [{}, 'an operation has one member, KV, Node, Service or Check; this one has none'],
    [
      { KV: { Verb: 'get', Key: 'a' }, Node: {} },
      'an operation has one member, KV, Node, Service or Check; this one has KV, Node',
    ],
    [{ KV: 'set' }, 'KV is an object'],
    [{ KV: { Key: 'a' } }, 'Verb is needed, a text'],
    [{ KV: { Verb: 'Set', Key: 'a' } }, /^there is no KV verb "Set"; there are set, cas, lock/],
    [{ KV: { Verb: 'constructor', Key: 'a' } }, /^there is no KV verb "constructor"/],
    [{ KV: { Verb: 'get' } }, 'Key is needed, a text that is not empty'],
    [{ KV: { Verb: 'delete-tree', Key: '' } }, 'Key is needed, a text that is not empty'],
    [{ KV: { Verb: 'set', Key: 'a' } }, '"set" needs Value, ValueBase64 or ValueFile'],
    [
      { KV: { Verb: 'set', Key: 'a', Value: 42 } },
      'Value is a text; put a number or a word like true in quotes',
    ],
    [
      { KV: { Verb: 'set', Key: 'a', Value: 'b', ValueFile: 'c' } },
      'one of Value and ValueFile can be given',
    ],
    [{ KV: { Verb: 'set', Key: 'a', ValueBase64: 'Yg=' } }, 'ValueBase64 is not base64'],
    [
      { KV: { Verb: 'set', Key: 'a', ValueFile: 'none' } },
      /^cannot read ValueFile from .*\/none: no such file$/,
    ],
    [
      { KV: { Verb: 'set', Key: 'a', Valeu: 'b', Value: 'b' } },
      /^KV has no field "Valeu"; it has Verb, Key,/,
    ],
    [{ KV: { Verb: 'lock', Key: 'a', Value: 'b' } }, 'Session is needed, a text that is not empty'],
    [{ KV: { Verb: 'check-session', Key: 'a' } }, 'Session is needed, a text that is not empty'],
    [{ KV: { Verb: 'check-index', Key: 'a' } }, '"check-index" needs Index'],
    [{ KV: { Verb: 'delete-cas', Key: 'a', Index: -1 } }, /^Index is a whole number from 0/],
    [{ KV: { Verb: 'delete-cas', Key: 'a', Index: '7' } }, /^Index is a whole number from 0/],
    [{ KV: { Verb: 'set', Key: 'a', Value: 'b', Flags: 1.5 } }, /^Flags is a whole number from 0/],
    [{ Node: { Verb: 'lock', Node: { Node: 'n' } } }, /^there is no Node verb "lock"/],
    [{ Node: { Verb: 'set' } }, 'Node is needed, an object'],
    [{ Node: { Verb: 'set', Node: { Address: 'x' } } }, 'Node needs a name (Node) or an ID'],
    [{ Node: { Verb: 'cas', Node: { Node: 'n' } } }, '"cas" needs ModifyIndex in Node'],
    [{ Node: { Verb: 'set', Node: { Node: 'n' }, Services: [] } }, /^Node has no field "Services"/],
    [{ Service: { Verb: 'set', Service: { Service: 'web' } } }, 'Node is needed, a text that is not empty'],
    [{ Service: { Verb: 'set', Node: 'n' } }, 'Service is needed, an object'],
    [
      { Service: { Verb: 'set', Node: 'n', Service: { ID: 'web-1' } } },
      'Service needs the name of the service (Service)',
    ],
    [{ Check: { Verb: 'get' } }, 'Check is needed, an object'],
    [{ Check: { Verb: 'get', Check: { CheckID: 'c' } } }, 'Check needs the name of its node (Node)'],
    [{ Check: { Verb: 'get', Check: { Node: 'n' } } }, 'Check needs a CheckID'],
    [
      { Check: { Verb: 'delete-cas', Check: { Node: 'n', CheckID: 'c' } } },
      '"delete-cas" needs ModifyIndex in Check',
    ],
  ])('%j', async (operation, problem) => {
    const problems = await problemsOf(operation);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(problem);
  });

  test.each([
    [{ KV: { Verb: 'set', Key: 'a', Value: 'plain text' } }, 'Value is not base64'],
    [{ KV: { Verb: 'set', Key: 'a' } }, '"set" needs Value, a text in base64 (it may be empty)'],
    [{ KV: { Verb: 'set', Key: 'a', Value: null } }, '"set" needs Value, a text in base64 (it may be empty)'],
  ])('%j in JSON as the API has it', async (operation, problem) => {
    expect(await problemsOf(operation, 'ops.json')).toEqual([problem]);
  });

  test.each(['ValueBase64', 'ValueFile'])('%s in JSON as the API has it', async (name) => {
    const problems = await problemsOf({ KV: { Verb: 'set', Key: 'a', [name]: 'Yg==' } }, 'ops.json');
    expect(problems[0]).toMatch(new RegExp(`^KV has no field "${name}"`));
  });

  test('two operations in one object, by JSON with a name twice', async () => {
    const ran = await check('ops.json', '[\n{"KV":{"Verb":"get","Key":"a"},"KV":{"Verb":"get","Key":"b"}}]');
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).toContain('ops.json, line 2: duplicate field in an object');
  });
});

describe('what a transaction may hold', () => {
  const gets = (count: number) =>
    Array.from({ length: count }, (_, index) => `- KV: {Verb: get, Key: k${index}}`).join('\n');

  test('is 128 operations, of which 64 are fit for every registry', async () => {
    expect(await check('ops.yaml', gets(64))).toMatchObject({ code: 0, stderr: '' });
    const more = await check('ops.yaml', gets(128));
    expect(more.code).toBe(0);
    expect(more.stderr).toContain('more than 64 operations: Consul accepts them');
    const ran = await check('ops.yaml', gets(129));
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).toContain(
      'ops.yaml has 129 operations; a transaction holds at most 128 (line 129 is one too many)',
    );
  });

  test('may come as several YAML documents', async () => {
    const text = '---\nKV: {Verb: get, Key: a}\n---\n- KV: {Verb: get, Key: b}\n- KV: {Verb: nope, Key: c}\n';
    const ran = await check('ops.yaml', text);
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).toContain('ops.yaml, line 5, operation 3 (KV nope c)');
    expect((await check('ops.yaml', text.replace('nope', 'get'))).stdout).toContain('3 operations');
  });

  test.each(['[]', '- '])('is not nothing: %j', async (text) => {
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
