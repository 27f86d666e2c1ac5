import { beforeAll, expect, test } from 'vitest';
import { expectFailure, homeForAll, quietOutputOf, servicesForAll } from '../../support/command-tests.ts';
import type { Ran, RunOptions } from '../../support/run.ts';
import { json, serve } from '../../unit/api/support.ts';

const at = homeForAll();
servicesForAll(at);
const run = (line: string, options?: RunOptions): Promise<Ran> => at.run(line.split(' '), options);

beforeAll(async () => {
  await run('kv put secret/app password=hunter2hunter2');
});

test('secrets read --wrap-ttl shows a wrapping token instead of the data', async () => {
  const stdout = quietOutputOf(await run('secrets read secret/data/app --wrap-ttl 90s'));
  expect(stdout).toMatch(
    /^wrapping token\t\S+\nexpires\tin 1 min 30 s\naccessor\t\S+\npath\tsecret\/data\/app\n$/,
  );
  const stdin = /\t(\S+)/.exec(stdout)?.[1] ?? '';
  const unwrapped = await run('secrets unwrap - -o json', { stdin });
  expect(JSON.parse(unwrapped.stdout)).toMatchObject({ data: { data: { password: 'hunter2hunter2' } } });
});

test('secrets write --wrap-ttl wraps the response, if it has content', async () => {
  const stdin = (await run('secrets write sys/wrapping/wrap user=bob --wrap-ttl 1m --field token')).stdout;
  expect((await run('secrets unwrap - --field user', { stdin })).stdout).toBe('bob\n');
  await run('secrets mount enable kv --path v1');
  expect(await run('secrets write v1/a b=c --wrap-ttl 1m')).toEqual({
    code: 0,
    stdout: 'Wrote to v1/a.\n',
    stderr: 'warning: the response has no content, so that nothing was wrapped\n',
  });
});

test('rejects a response that is not wrapped, and paths that are never wrapped', async () => {
  const server = await serve((_seen, response) => json(response, { data: { a: 'b' } }));
  const ran = await run('secrets read a/b --wrap-ttl 1m', { env: { LANYARD_SECRETS_ADDR: server.url } });
  expectFailure(ran, 1, 'error: unexpected response from the secrets service: it is not wrapped\n');
  for (const line of ['secrets read sys/health --wrap-ttl 1m', 'secrets write sys/unseal a=b --wrap-ttl 1m'])
    expect((await run(line)).stderr).toContain('error: --wrap-ttl is not supported by sys/');
});

test('secrets unwrap sends the wrapping token as the token, and hides it in a dry run', async () => {
  const tokens: (string | undefined)[] = [];
  const server = await serve((seen, response) => {
    tokens.push(seen.headers['x-vault-token'] as string | undefined);
    json(response, { data: { a: 'b' } });
  });
  const options = { env: { LANYARD_SECRETS_ADDR: server.url }, stdin: 's.wrapping-token-of-it' };
  const dry = await run('secrets unwrap - --dry-run', options);
  expect(dry.stdout).toContain('/v1/sys/wrapping/unwrap');
  expect(dry.stdout).not.toContain('wrapping-token-of-it');
  expect((await run('secrets unwrap -', options)).stdout).toBe('a\tb\n');
  expect(tokens).toEqual(['s.wrapping-token-of-it']);
});

test('secrets unwrap reports a lost response as unknown', async () => {
  const server = await serve((_seen, response) => void response.destroy());
  const ran = await run('secrets unwrap -', {
    env: { LANYARD_SECRETS_ADDR: server.url },
    stdin: 's.wrapping-token-of-it',
  });
  expect(ran.code).toBe(9);
});

test('secrets unwrap rejects a token on the command line', async () => {
  const ran = await run('secrets unwrap s.wrapping-token-of-it');
  expectFailure(ran, 2, 'error: wrapping token is not accepted on the command line');
});

test('secrets patch changes the given fields and keeps the others', async () => {
  at.write('patch.json', '{"data":{"user":"bob","password":null}}');
  expect(await run('secrets patch secret/data/app --in patch.json')).toMatchObject({ code: 0, stderr: '' });
  expect((await run('kv get secret/app -o json --field data.data')).stdout).toBe('{"user":"bob"}\n');
  await run('api secrets POST sys/namespaces/team --data -', { stdin: '{"custom_metadata":{"a":"b"}}' });
  const merged = await run('secrets patch sys/namespaces/team --in - --field custom_metadata', {
    stdin: '{"custom_metadata":{"c":"d"}}',
  });
  expect(JSON.parse(merged.stdout)).toEqual({ a: 'b', c: 'd' });
});

test.each([
  ['secrets patch secret/data/app', 2, 'missing fields: KEY=VALUE or --in is required'],
  ['secrets patch secret/data/app?x=1 a=b', 2, 'invalid path'],
  ['secrets patch sys/mounts/ssh a=b', 1, 'cannot patch'],
])('rejects: %s', async (line, code, message) => {
  expectFailure(await run(line), code, `error: ${message}`);
});
