import { expect, test } from 'vitest';
import { guarded } from '../support.ts';

const resolver = { Kind: 'service-resolver', Name: 'web', Redirect: { Service: 'db' } };

test('a chain needs service:read, overrides or not', async () => {
  const { holder, anonymous } = await guarded();
  const { send } = await holder('service "web" { policy = "read" }');
  for (const [method, body] of [
    ['GET', undefined],
    ['POST', {}],
  ] as const) {
    expect(await anonymous(method, 'discovery-chain/web', body)).toMatch(/^403 .*'service:read' on "web"/);
    expect(await send.status(method, 'discovery-chain/web', body)).toBe(200);
  }
  expect(await send.status('GET', 'discovery-chain/db')).toBe(403);
});

test('an entry needs write permission for its service and read permission for those it leads to', async () => {
  const { holder } = await guarded();
  const put = async (rules: string) => (await holder(rules)).send('PUT', 'config', resolver);
  expect(await put('service_prefix "" { policy = "read" }')).toMatch(/^403 .*'service:write' on "web"/);
  expect(await put('service "web" { policy = "write" }')).toMatch(/^403 .*'service:read' on "db"/);
  expect(await put('service "web" { policy = "write" } service "db" { policy = "read" }')).toBe('200 true');
});

test('an entry is deleted with write permission for its service', async () => {
  const { holder, manage } = await guarded();
  await manage('PUT', 'config', resolver);
  const remove = async (level: string) => {
    const { send } = await holder(`service "web" { policy = "${level}" }`);
    return send('DELETE', 'config/service-resolver/web');
  };
  expect(await remove('read')).toMatch(/^403 /);
  expect(await remove('write')).toBe('200 {}');
});

test('an entry is read, and listed, with read permission for its service', async () => {
  const { ask, holder, anonymous, manage } = await guarded();
  await manage('PUT', 'config', resolver);
  expect(await anonymous.status('GET', 'config/service-resolver/web')).toBe(403);
  const list = await ask('GET', 'config/service-resolver');
  expect([list.text, list.headers['x-registry-results-filtered-by-acls']]).toEqual(['[]', 'true']);
  const { send } = await holder('service "web" { policy = "read" }');
  expect(await send.status('GET', 'config/service-resolver/web')).toBe(200);
  expect(JSON.parse(await send.text('GET', 'config/service-resolver'))).toHaveLength(1);
});

test('the proxy defaults are written by operators and read by all', async () => {
  const { holder, anonymous } = await guarded();
  const put = async (rules: string) =>
    (await holder(rules)).send('PUT', 'config', { Kind: 'proxy-defaults', Name: 'global' });
  expect(await put('service_prefix "" { policy = "write" }')).toMatch(/^403 .*'operator:write'/);
  expect(await put('operator = "write"')).toBe('200 true');
  expect(await anonymous.status('GET', 'config/proxy-defaults/global')).toBe(200);
});
