import { Writable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { embeddedForEach, expectExit, expectFailure } from '../support/command-tests.ts';

const { at, run } = embeddedForEach();
const secret = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/;
const kept = async (token: string | undefined) =>
  (await run('acl logout --yes', { env: { LANYARD_REGISTRY_TOKEN: token ?? '' } })).stdout;

describe('a written result that cannot be shown in the requested form', () => {
  test.each([
    ['--field secretid', 'done, but --field "secretid": no field "secretid" in the response'],
    ['--select foo', 'done, but --select "foo" matches nothing'],
    ['--select Policies[9].ID', 'done, but --select "Policies[9].ID" matches nothing'],
  ])('acl bootstrap %s shows the token all the same, and what there is', async (flags, text) => {
    const ran = await run(`acl bootstrap ${flags}`);
    expectFailure(ran, 9, `error: ${text}`, /fields of the response: .*SecretID/);
    const token = /^secret\t(\S+)$/im.exec(ran.stderr)?.[1];
    expect(token).toMatch(secret);
    expect(await kept(token)).toContain('was not created by a login');
  });

  test('is in the single JSON object of a failure, if JSON was requested', async () => {
    const ran = await run('acl bootstrap -o json --field secretid');
    expect(ran).toMatchObject({ code: 9, stdout: '' });
    expect(JSON.parse(ran.stderr)).toMatchObject({
      error: { code: 9, kind: 'unknown', messages: [expect.stringContaining('SecretID')] },
      result: { SecretID: expect.stringMatching(secret) },
    });
  });

  test('is not lost when standard output takes nothing', async () => {
    const stdout = new Writable({
      write: (_chunk, _encoding, done) => done(Object.assign(new Error('full'), { code: 'ENOSPC' })),
    });
    const ran = await run('acl bootstrap', { stdout });
    expectExit(ran, 9, secret, 'done, but cannot write to standard output');
  });

  test('is a created query: its response is shown', async () => {
    const ran = await run('query create w3 --service db --field Nope');
    expectFailure(ran, 9, 'Created query w3', 'fields of the response: ID');
    expect((await run('query get w3')).code).toBe(0);
  });
});

test('a full disk is an error in every output format, a closed pipe is not', async () => {
  await run('kv put secret/a k=v');
  const forms = ['text', 'json', 'jsonl', 'yaml', 'table'].map((format) => `-o ${format}`);
  for (const form of [...forms, '--field keys', '--select keys'])
    for (const [line, flags] of [
      ['kv list secret', form],
      ['kv get secret/a', form.replace('keys', 'data')],
      ['status', form.startsWith('-o') ? form : '-o text'],
    ])
      for (const [code, errno, expected] of [
        ['ENOSPC', -28, 1],
        ['EPIPE', -32, 0],
      ] as const) {
        const error = Object.assign(new Error(code), { code, errno });
        const stdout = new Writable({ write: (_chunk, _encoding, done) => done(error) });
        const ran = await run(`${line} ${flags}`, { stdout });
        expect([line, flags, code, ran.code]).toEqual([line, flags, code, expected]);
        if (code === 'ENOSPC') expect(ran.stderr).toContain('no space left on device');
        else expect(ran.stderr).toBe('');
      }
});

test('a member that is null is null, after a write too', async () => {
  const stdin = '- KV: {Verb: set, Key: a, Value: b}\n';
  for (const path of ['Errors', 'Results[0].KV.Value'])
    expect(await run(`txn apply - --select ${path}`, { stdin })).toMatchObject({ code: 0, stdout: 'null\n' });
});

test('what only read has done nothing: its failures keep their exit codes', async () => {
  const stdin = '- KV: {Verb: check-not-exists, Key: a}\n';
  expect((await run('txn apply - --field Nope', { stdin })).code).toBe(3);
  expect((await run('api registry GET agent/self --field Nope')).code).toBe(3);
});

test.each([
  ['txn apply ops.yaml', 'kv/a'],
  ['query put --file query.yaml', 'query'],
])('%s -o env is rejected before anything is sent: its result is a list', async (line, path) => {
  at.write('ops.yaml', '- KV: {Verb: set, Key: a, Value: b}\n');
  at.write('query.yaml', 'Name: w\nService: {Service: w}\n');
  expectFailure(await run(`${line} -o env`), 2, 'the result of this command is a list');
  const there = await run(`api registry GET ${path}`);
  expect(there.code === 3 || there.stdout === '[]').toBe(true);
  expect((await run(`${line} -o env --field 0`)).code).toBe(0);
});
