import { statSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { embeddedForEach, expectExit, expectFailure, quietOutputOf } from '../../support/command-tests.ts';
import type { Ran, RunOptions } from '../../support/run.ts';

const { at, running } = embeddedForEach();
const kv = (line: string, options?: RunOptions): Promise<Ran> =>
  at.run(['registry', 'kv', ...line.split(' ').map((word) => (word === "''" ? '' : word))], options);
const done = async (line: string, options?: RunOptions): Promise<string> => {
  return quietOutputOf(await kv(line, options));
};
const entry = async (key: string) => JSON.parse(await done(`get ${key} -o json`));

describe('registry kv put and get', () => {
  test('names the server that does not respond, also where the value is its address', async () => {
    const gone = 'http://127.0.0.1:1';
    const env = { LANYARD_REGISTRY_ADDR: `${gone},${running.addresses.registry}` };
    expectExit(await kv(`put gone ${gone}`, { env }), 0, `${gone}: connection refused; trying`);
  });

  test.each([
    ['a word', 'db1', undefined, 'db1'],
    ['an empty value', "''", undefined, ''],
    ['a file', '@value', undefined, 'from a file\n'],
    ['standard input, without its last line break', '-', 'one\ntwo\r\n', 'one\ntwo'],
    ['base64', 'AP8= --base64', undefined, '\u0000\xff'],
  ])('writes %s and prints it unchanged', async (_what, given, stdin, value) => {
    at.write('value', 'from a file\n');
    expect(await done(`put app/key ${given}`, stdin === undefined ? {} : { stdin })).toBe(
      'Created key app/key.\n',
    );
    const ran = await at.run(['registry', 'kv', 'get', 'app/key', '--output', 'json']);
    const { Value, ValueBase64 } = JSON.parse(ran.stdout);
    expect(Value ?? Buffer.from(ValueBase64, 'base64').toString('latin1')).toBe(value);
    if (Value !== undefined) expect(await done('get app/key')).toBe(value);
  });

  test('has the fields of the entry in JSON and for --field', async () => {
    await done('put app/key db1 --flags 18446744073709551615');
    expect(await done('get app/key --field Flags')).toBe('18446744073709551615\n');
    expect(await done('get app/key --field Value')).toBe('db1\n');
    expect(await entry('app/key')).toMatchObject({ Key: 'app/key', Value: 'db1', LockIndex: 0 });
    expect(await done('put app/key db2')).toBe('Updated key app/key.\nValue\t"<redacted>"\t"<redacted>"\n');
    expect(await done('get app/key --field Flags')).toBe('18446744073709551615\n');
    expect(await done('put app/key db2')).toBe('Key app/key is unchanged.\n');
    expect(await done('put app/key db2 --flags 0')).toBe(
      'Updated key app/key.\nFlags\t"18446744073709551615"\t"0"\n',
    );
  });

  test('shows the size of binary data on a terminal', async () => {
    await done('put app/bin AP8= --base64');
    expect((await kv('get app/bin', { columns: 80 })).stdout).toBe(
      '2 B of binary data; redirect the output to a file.\n',
    );
  });

  test('--recursive prints every key with the prefix', async () => {
    for (const key of ['app/a', 'app/b/c', 'apple']) await done(`put ${key} v-${key}`);
    await done('put app/bin AP8= --base64');
    expect(await done('get app/ --recursive')).toBe('app/a\tv-app/a\napp/b/c\tv-app/b/c\napp/bin\tbinary\n');
    expect(JSON.parse(await done("get '' --recursive -o json"))).toHaveLength(4);
    expect(await kv('get none/ --recursive')).toMatchObject({
      code: 3,
      stderr: 'error: no key begins with "none/"\n',
    });
  });

  test('a missing key is not found', async () => {
    expect(await kv('get app/none')).toEqual({
      code: 3,
      stdout: '',
      stderr:
        'error: key "app/none" not found\nhint: Run `lanyard registry kv list` for the existing keys.\n',
    });
  });

  test('a key may end with a slash', async () => {
    await done("put app/ ''");
    expect(await entry('app/')).toMatchObject({ Key: 'app/', Value: '' });
    await done('delete app/ --yes');
    expect((await kv('get app/')).code).toBe(3);
  });

  test.each([
    ["get ''", 'invalid KEY "": expected a key, such as app/db/host'],
    ["put '' value", 'invalid KEY "": expected a key, such as app/db/host'],
    ["delete '' --yes", 'invalid KEY "": expected a key, such as app/db/host'],
    ['get ../b', 'cannot read key: key must not contain ".." as a path segment'],
    ['put a b --flags x', 'invalid --flags "x": expected a number from 0 to 18446744073709551615'],
    ['put a b --flags 18446744073709551616', 'invalid --flags "18446744073709551616"'],
    ['put a b --cas 1 --acquire s', '--cas, --acquire and --release cannot be combined'],
    ['put a %% --base64', 'invalid VALUE: expected base64'],
    ['put a @missing', 'missing'],
    ['put a @large', 'the value has 524289 bytes; the registry accepts at most 524288'],
    ['get a --stale --consistent', '--stale cannot be combined with --consistent'],
    ['list --recursive --separator .', '--separator cannot be combined with --recursive'],
    ['delete a --recursive --cas 1', '--cas cannot be combined with --recursive'],
  ])('rejects %s', async (line, problem) => {
    at.write('large', 'x'.repeat(512 * 1024 + 1));
    expectFailure(await kv(line), 2, problem);
  });
});

test('registry kv put --dry-run shows the request without the value', async () => {
  const shown = await done('put app/key very-secret --dry-run');
  expect(shown).toContain('/v1/kv/app/key');
  expect(shown).not.toContain('very-secret');
});

describe('registry kv put --cas', () => {
  test('0 writes only a new key', async () => {
    await done('put app/key one --cas 0');
    const { ModifyIndex } = await entry('app/key');
    expect(await kv('put app/key two --cas 0')).toMatchObject({
      code: 6,
      stderr: `error: key "app/key" already exists with ModifyIndex ${ModifyIndex}\nhint: Nothing was changed. Read it again before you repeat the command.\n`,
    });
    expect(await done('get app/key')).toBe('one');
  });

  test('writes and deletes only the version that was read', async () => {
    await done('put app/key one');
    const { ModifyIndex } = await entry('app/key');
    await done(`put app/key two --cas ${ModifyIndex}`);
    for (const line of [
      `put app/key three --cas ${ModifyIndex}`,
      `delete app/key --cas ${ModifyIndex} --yes`,
    ]) {
      expectFailure(await kv(line), 6, `not ${ModifyIndex}`);
    }
    await done(`delete app/key --cas ${(await entry('app/key')).ModifyIndex} --yes`);
    expect((await kv('put app/key one --cas 9')).stderr).toContain('does not exist; --cas 9 expects that');
  });

  test('--acquire and --release lock a key with a session', async () => {
    const made = await at.run(['api', 'registry', 'PUT', 'v1/session/create', '--data', '-'], {
      stdin: '{"LockDelay":"0s"}',
    });
    const { ID } = JSON.parse(made.stdout);
    await done(`put app/lock me --acquire ${ID}`);
    expect((await entry('app/lock')).Session).toBe(ID);
    const other = JSON.parse((await at.run(['api', 'registry', 'PUT', 'v1/session/create'])).stdout).ID;
    expect(await kv(`put app/lock you --acquire ${other}`)).toMatchObject({ code: 6 });
    expect(await kv(`put app/lock you --release ${other}`)).toMatchObject({ code: 6 });
    await done(`put app/lock me --release ${ID}`);
    expect((await entry('app/lock')).Session).toBeUndefined();
  });
});

describe('registry kv list', () => {
  test('lists one level, every key, or by another separator', async () => {
    for (const key of ['app/a', 'app/b/c', 'app/b/d', 'apple']) await done(`put ${key} x`);
    expect(await done('list')).toBe('app/\napple\n');
    expect(await done('list app/')).toBe('app/a\napp/b/\n');
    expect(await done('list app --recursive')).toBe('app/a\napp/b/c\napp/b/d\napple\n');
    expect(JSON.parse(await done('list --separator p -o json'))).toEqual(['ap']);
  });

  test('an empty list is not an error', async () => {
    expect(await done('list none/')).toBe('');
    expect((await kv('list', { columns: 80 })).stdout).toContain('lanyard registry kv put');
    expect(await done('list -o json')).toBe('[]\n');
  });
});

describe('registry kv delete', () => {
  test('deletes a key, and reports a missing one', async () => {
    await done('put app/key one');
    expect((await kv('delete app/key')).code).toBe(2);
    expect(await done('delete app/key --yes')).toBe('Deleted key app/key.\n');
    expect(await kv('delete app/key --yes')).toMatchObject({ code: 3 });
  });

  test('--recursive prompts with the number of keys', async () => {
    for (const key of ['app/a', 'app/b', 'apple']) await done(`put ${key} x`);
    const prompted = await kv('delete app/ --recursive', {
      columns: 80,
      answers: (output) => (output.includes('Delete 2 keys with the prefix "app/"?') ? 'n\n' : undefined),
    });
    expect(prompted.code).not.toBe(0);
    expect(await done('list --recursive')).toBe('app/a\napp/b\napple\n');
    expect(await done('delete app/ --recursive --yes')).toBe('Deleted 2 keys with the prefix "app/".\n');
    expect(await kv('delete app/ --recursive --yes')).toMatchObject({ code: 3 });
    expect(await done("delete '' --recursive --yes")).toBe('Deleted 1 key of the registry.\n');
  });
});

describe('registry kv export and import', () => {
  test('move keys, flags and binary values', async () => {
    await done('put app/a one --flags 7');
    await done('put app/b AP8= --base64');
    await done("put app/c ''");
    const exported = await done('export app/');
    expect(JSON.parse(exported)).toEqual([
      { key: 'app/a', flags: 7, value: 'b25l' },
      { key: 'app/b', flags: 0, value: 'AP8=' },
      { key: 'app/c', flags: 0, value: '' },
    ]);
    expect(await done('import - --prefix copy/', { stdin: exported })).toBe('Wrote 3 keys.\n');
    expect(JSON.parse(await done('export copy/'))).toEqual(
      JSON.parse(exported).map((each: { key: string }) => ({ ...each, key: `copy/${each.key}` })),
    );
  });

  test('--out writes a private file and overwrites none without --force', async () => {
    await done('put app/a one');
    expect(await done('export --out keys.json')).toBe('Wrote 1 key to keys.json.\n');
    expect(statSync(at.file('keys.json')).mode & 0o777).toBe(0o600);
    await done('put app/b two');
    expect((await kv('export --out keys.json')).code).toBe(2);
    await done('export --out keys.json --force');
    expect(JSON.parse(at.read('keys.json'))).toHaveLength(2);
  });

  test('more keys than one transaction holds', async () => {
    const keys = Array.from({ length: 150 }, (_, index) => ({ key: `many/${index}`, value: 'eA==' }));
    at.write('many.json', JSON.stringify(keys));
    expect(await done('import many.json')).toBe('Wrote 150 keys.\n');
    expect((await done('list many/')).trim().split('\n')).toHaveLength(150);
  });

  test.each([
    ['@keys.json', 'Give the name of a file, or - for standard input: keys.json.'],
    ['[{"key":"a"}]', 'Give the name of a file, or - for standard input.'],
  ])('import has a hint for "%s"', async (given, hint) => {
    expectFailure(await kv(`import ${given}`), 2, `hint: ${hint}\n`);
  });

  test('names each problem with its line, and writes nothing', async () => {
    at.write(
      'bad.json',
      '[\n{"key":"a","value":"eA=="},\n{"key":"b","value":"%"},\n{"kez":"c"},\n{"key":3}\n]',
    );
    const ran = await kv('import bad.json');
    expectFailure(ran, 2, 'bad.json, line 3: value: expected base64');
    expect(ran.stderr).toContain('bad.json, line 4: unknown field "kez"');
    expect(ran.stderr).toContain('bad.json, line 5: key: expected a string');
    expect(await done('list')).toBe('');
  });
});
