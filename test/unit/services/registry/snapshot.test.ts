import { createHash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { guarded, registry } from './support.ts';

/** The bytes of a snapshot. */
async function saved(address: string, headers: Record<string, string> = {}, query = ''): Promise<Buffer> {
  const response = await fetch(`${address}/v1/snapshot${query}`, { headers });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('application/x-gzip');
  return Buffer.from(await response.arrayBuffer());
}

async function restored(address: string, body: Uint8Array, headers: Record<string, string> = {}, query = '') {
  const response = await fetch(`${address}/v1/snapshot${query}`, {
    method: 'PUT',
    headers,
    body: new Uint8Array(body),
  });
  return `${response.status} ${await response.text()}`;
}

/** What the registry shows of its state. */
const shownPaths = [
  ...['kv/?recurse', 'session/list', 'catalog/nodes', 'catalog/services', 'health/state/any', 'query'],
  ...['config/service-defaults', 'acl/tokens', 'acl/policies', 'acl/roles', 'acl/auth-methods'],
];

async function filled() {
  const open = await guarded();
  const { manage, rootHeaders, ask } = open;
  await ask('PUT', 'kv/app/a', { body: 'one', headers: rootHeaders });
  await ask('PUT', 'kv/app/b?flags=7', { body: 'two', headers: rootHeaders });
  await manage('PUT', 'catalog/register', {
    ...{ Node: 'web-1', Address: '10.0.0.1', Service: { Service: 'web', Port: 80 } },
    Check: { CheckID: 'alive', Name: 'alive', Status: 'warning', ServiceID: 'web' },
  });
  const { ID: session } = await manage('PUT', 'session/create', { TTL: '60s', LockDelay: '0s' });
  await ask('PUT', `kv/app/lock?acquire=${session}`, { body: 'x', headers: rootHeaders });
  await manage('PUT', 'config', { Kind: 'service-defaults', Name: 'web', Protocol: 'http' });
  await manage('POST', 'query', { Name: 'q', Service: { Service: 'web' } });
  await manage('PUT', 'acl/policy', { Name: 'p', Rules: 'key "a" { policy = "read" }' });
  await manage('PUT', 'acl/role', { Name: 'r', Policies: [{ Name: 'p' }] });
  await manage('PUT', 'acl/token', { Roles: [{ Name: 'r' }] });
  const shown = async () => {
    const all: unknown[] = [];
    for (const path of shownPaths) all.push((await ask('GET', path, { headers: rootHeaders })).json);
    return all;
  };
  return { ...open, shown, session, address: open.addresses.registry };
}

describe('GET and PUT snapshot', () => {
  test('restores the exact state, and a higher index', async () => {
    const { address, ask, rootHeaders, shown, session } = await filled();
    const before = await shown();
    const archive = await saved(address, rootHeaders);
    await ask('DELETE', 'kv/app/?recurse', { headers: rootHeaders });
    await ask('PUT', 'kv/other', { body: 'x', headers: rootHeaders });
    await ask('PUT', `session/destroy/${session}`, { headers: rootHeaders });
    const index = Number((await ask('GET', 'kv/other', { headers: rootHeaders })).headers['x-consul-index']);
    expect(await restored(address, archive, rootHeaders)).toBe('200 ');
    expect(await shown()).toEqual(before);
    const after = await ask('GET', 'kv/app/?recurse', { headers: rootHeaders });
    expect(Number(after.headers['x-consul-index'])).toBeGreaterThan(index);
  });

  test('a blocking query returns when a snapshot is restored', async () => {
    const { address, ask, rootHeaders } = await filled();
    const archive = await saved(address, rootHeaders);
    await ask('PUT', 'kv/app/a', { body: 'changed', headers: rootHeaders });
    const { headers } = await ask('GET', 'kv/app/a', { headers: rootHeaders });
    let hasEnded = false;
    const waiting = ask('GET', `kv/app/a?index=${headers['x-consul-index']}&wait=60s`, {
      headers: rootHeaders,
    }).finally(() => {
      hasEnded = true;
    });
    // The query may arrive after the first one.
    while (!hasEnded) await restored(address, archive, rootHeaders);
    expect((await waiting).json).toMatchObject([{ Value: Buffer.from('one').toString('base64') }]);
  });

  test('restores the state in another registry, whose agent keeps its services', async () => {
    const { address, shown, rootHeaders } = await filled();
    const archive = await saved(address, rootHeaders);
    const other = await registry();
    await other.json('PUT', 'agent/service/register', { Name: 'own', Port: 1 });
    expect(await restored(other.addresses.registry, archive, {})).toContain('403 Permission denied');
    const { SecretID } = (await other.ask('PUT', 'acl/bootstrap')).json as { SecretID: string };
    expect(await restored(other.addresses.registry, archive, { 'X-Consul-Token': SecretID })).toBe('200 ');
    // The tokens are those of the snapshot.
    const own = await other.ask('GET', 'catalog/service/own', { headers: rootHeaders });
    expect(own.json).toMatchObject([{ ServiceID: 'own' }]);
    const keys = await other.ask('GET', 'kv/?recurse', { headers: rootHeaders });
    expect(keys.json).toEqual((await shown())[0]);
  });

  test('requires acl:write', async () => {
    const { holder, addresses } = await guarded();
    const denied = /403 Permission denied: .* lacks permission 'acl:write'/;
    const reader = await holder('acl = "read" operator = "write" key_prefix "" { policy = "write" }');
    expect(await reader.send('GET', 'snapshot')).toMatch(denied);
    expect(await reader.send('PUT', 'snapshot')).toMatch(denied);
    const writer = await holder('acl = "write"');
    expect((await saved(addresses.registry, { 'X-Consul-Token': writer.secret })).length).toBeGreaterThan(
      100,
    );
  });

  test('rejects stale restores, and archives that are damaged or of another datacenter', async () => {
    const { addresses, ask } = await registry({ datacenters: ['dc1', 'dc2'] });
    const { SecretID } = (await ask('PUT', 'acl/bootstrap')).json as { SecretID: string };
    const headers = { 'X-Consul-Token': SecretID };
    const archive = await saved(addresses.registry, headers);
    const put = (body: Uint8Array, query = '') => restored(addresses.registry, body, headers, query);
    expect(await put(archive, '?stale')).toBe('500 stale not allowed for restore');
    expect(await put(archive, '?dc=dc2')).toBe('500 the snapshot is of datacenter "dc1", not of "dc2"');
    expect(await put(Buffer.from('text'))).toBe('500 failed to decompress snapshot: gzip: invalid header');
    expect(await put(archive.subarray(0, -20))).toContain('500 failed to decompress snapshot');
    const tar = gunzipSync(archive);
    const at = tar.indexOf('"format"');
    tar.write('"forma!"', at);
    expect(await put(gzipSync(tar))).toBe(
      '500 failed to read snapshot file: failed checking integrity of snapshot: hash check failed for "state.bin"',
    );
    expect(await put(foreign(Buffer.from([0x81, 0xa9]), tar))).toContain(
      '500 the snapshot is not of an embedded registry',
    );
    expect(await put(foreign(Buffer.from(header('dc1', '["nothing/a",{}]')), tar))).toContain(
      '500 the snapshot has a row',
    );
    const dc2 = await saved(addresses.registry, headers, '?dc=dc2');
    expect(await put(dc2, '?dc=dc2')).toBe('200 ');
    const names = async (query: string) =>
      ((await ask('GET', `acl/policies${query}`, { headers })).json as unknown as { Name: string }[]).map(
        ({ Name }) => Name,
      );
    expect(await names('?dc=dc2')).toEqual(await names(''));
  });
});

const header = (datacenter: string, line: string): string =>
  `${JSON.stringify({ format: 'lanyard-registry', version: 1, datacenter })}\n${line}\n`;

/** An archive with another state, in the frame of a tar file. */
function foreign(state: Buffer, tar: Buffer): Buffer {
  const meta = tar.subarray(512, 512 + Number.parseInt(tar.toString('latin1', 124, 135), 8));
  const sum = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
  const file = (name: string, content: Buffer) => {
    const head = Buffer.alloc(512);
    head.write(name);
    head.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124);
    return [head, content, Buffer.alloc((512 - (content.length % 512)) % 512)];
  };
  const sums = Buffer.from(`${sum(state)}  state.bin\n${sum(meta)}  meta.json\n`);
  return gzipSync(
    Buffer.concat([...file('meta.json', meta), ...file('state.bin', state), ...file('SHA256SUMS', sums)]),
  );
}
