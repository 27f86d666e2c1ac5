import { describe, expect, test } from 'vitest';
import { registry } from '../support.ts';

/** A registry that permits nothing by default, and callers that may do what their rules say. */
async function guarded() {
  const { ask } = await registry();
  const root = String((await ask('PUT', 'acl/bootstrap')).json?.SecretID);
  const as = (secret: string) => async (method: string, path: string, body?: unknown) => {
    const { status, text, headers } = await ask(method, path, {
      body,
      headers: secret === '' ? {} : { 'X-Registry-Token': secret },
    });
    return { status, text, headers };
  };
  let made = 0;
  const holder = async (Rules: string) => {
    const Name = `policy-${++made}`;
    await as(root)('PUT', 'acl/policy', { Name, Rules });
    const { text } = await as(root)('PUT', 'acl/token', { Policies: [{ Name }] });
    return as((JSON.parse(text) as { SecretID: string }).SecretID);
  };
  return { holder, root: as(root), anonymous: as('') };
}

const resolver = { Kind: 'service-resolver', Name: 'web', Redirect: { Service: 'db' } };
const done = { status: 200, text: 'true' };
const lacks = (permission: string) => ({ status: 403, text: expect.stringContaining(permission) });

describe('permissions of config entries and chains', () => {
  test('a chain needs service:read, overrides or not', async () => {
    const { holder, anonymous } = await guarded();
    expect(await anonymous('GET', 'discovery-chain/web')).toMatchObject(lacks('\'service:read\' on "web"'));
    expect(await anonymous('POST', 'discovery-chain/web', {})).toMatchObject({ status: 403 });
    const reader = await holder('service "web" { policy = "read" }');
    expect((await reader('GET', 'discovery-chain/web')).status).toBe(200);
    expect((await reader('POST', 'discovery-chain/web', {})).status).toBe(200);
    expect((await reader('GET', 'discovery-chain/db')).status).toBe(403);
  });

  test('an entry is written with write permission for its service and read permission for those it leads to', async () => {
    const { holder } = await guarded();
    const reader = await holder('service_prefix "" { policy = "read" }');
    expect(await reader('PUT', 'config', resolver)).toMatchObject(lacks('\'service:write\' on "web"'));
    const alone = await holder('service "web" { policy = "write" }');
    expect(await alone('PUT', 'config', resolver)).toMatchObject(lacks('\'service:read\' on "db"'));
    const both = await holder('service "web" { policy = "write" } service "db" { policy = "read" }');
    expect(await both('PUT', 'config', resolver)).toMatchObject(done);
  });

  test('an entry is deleted with write permission for its service', async () => {
    const { holder, root } = await guarded();
    await root('PUT', 'config', resolver);
    const reader = await holder('service "web" { policy = "read" }');
    expect((await reader('DELETE', 'config/service-resolver/web')).status).toBe(403);
    const writer = await holder('service "web" { policy = "write" }');
    expect(await writer('DELETE', 'config/service-resolver/web')).toMatchObject({ status: 200, text: '{}' });
  });

  test('an entry is read, and listed, with read permission for its service', async () => {
    const { holder, anonymous, root } = await guarded();
    await root('PUT', 'config', resolver);
    expect((await anonymous('GET', 'config/service-resolver/web')).status).toBe(403);
    const list = await anonymous('GET', 'config/service-resolver');
    expect(list.text).toBe('[]');
    expect(list.headers['x-registry-results-filtered-by-acls']).toBe('true');
    const reader = await holder('service "web" { policy = "read" }');
    expect((await reader('GET', 'config/service-resolver/web')).status).toBe(200);
    expect(JSON.parse((await reader('GET', 'config/service-resolver')).text)).toHaveLength(1);
  });

  test('the proxy defaults are written by operators and read by all', async () => {
    const { holder, anonymous } = await guarded();
    const proxies = { Kind: 'proxy-defaults', Name: 'global' };
    const writer = await holder('service_prefix "" { policy = "write" }');
    expect(await writer('PUT', 'config', proxies)).toMatchObject(lacks("'operator:write'"));
    const operator = await holder('operator = "write"');
    expect(await operator('PUT', 'config', proxies)).toMatchObject(done);
    expect((await anonymous('GET', 'config/proxy-defaults/global')).status).toBe(200);
  });
});
