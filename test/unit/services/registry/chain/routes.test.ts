import { describe, expect, test } from 'vitest';
import type { Chain } from '../../../../../src/services/registry/chain/chain.ts';
import { registry } from '../support.ts';

async function started() {
  const parts = await registry();
  const chain = async (method: 'GET' | 'POST', path: string, body?: unknown): Promise<Chain> => {
    const response = await parts.json(method, `discovery-chain/${path}`, body);
    expect(Object.keys(response)).toEqual(['Chain']);
    return (response as unknown as { Chain: Chain }).Chain;
  };
  return { ...parts, chain };
}

describe('the discovery chain endpoint', () => {
  test('returns the chain of a service without config entries', async () => {
    const { chain } = await started();
    const found = await chain('GET', 'web');
    expect(found).toMatchObject({
      ServiceName: 'web',
      Protocol: 'tcp',
      StartNode: 'resolver:web.default.dc1',
    });
    const target = found.Targets['web.default.dc1'];
    expect(target?.SNI).toMatch(
      /^web\.default\.dc1\.internal\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.consul$/,
    );
    expect(target?.Name).toBe(target?.SNI);
  });

  test('has the routes of the router; a protocol of an override permits them in lower case only', async () => {
    const { chain, send } = await started();
    await send('PUT', 'config', { Kind: 'service-defaults', Name: 'web', Protocol: 'http' });
    const HTTP = { Header: [{ Name: 'a', Suffix: 'z' }], QueryParam: [{ Name: 'q', Regex: 't.*' }] };
    const Definition = { Match: { HTTP } };
    await send('PUT', 'config', { Kind: 'service-router', Name: 'web', Routes: [Definition] });
    const router = { Routes: [{ Definition }, {}] };
    expect(await chain('GET', 'web')).toMatchObject({ Nodes: { 'router:web.default': router } });
    expect(await chain('POST', 'web', { OverrideProtocol: 'HTTP' })).toMatchObject({
      Protocol: 'HTTP',
      StartNode: 'resolver:web.default.dc1',
    });
  });

  test('reads overrides in snake_case and in nanoseconds', async () => {
    const { chain } = await started();
    const body = { override_connect_timeout: 7_000_000_000, override_mesh_gateway: { mode: 'remote' } };
    expect(await chain('POST', 'web', body)).toEqual(
      await chain('POST', 'web', { OverrideConnectTimeout: '7s', OverrideMeshGateway: { Mode: 'remote' } }),
    );
  });

  test('has a virtual IP of its own for each service with config entries', async () => {
    const { chain, send } = await started();
    expect(await chain('GET', 'web')).toMatchObject({ AutoVirtualIPs: null, ManualVirtualIPs: null });
    const kinds = ['service-defaults', 'service-resolver'];
    for (const Kind of kinds) await send('PUT', 'config', { Kind, Name: 'web' });
    await send('PUT', 'config', { Kind: 'service-resolver', Name: 'db' });
    const web = await chain('GET', 'web');
    expect(web.AutoVirtualIPs).toEqual([expect.stringMatching(/^2[45]\d(\.\d{1,3}){3}$/)]);
    expect(web.ManualVirtualIPs).toEqual([]);
    expect((await chain('GET', 'db')).AutoVirtualIPs).not.toEqual(web.AutoVirtualIPs);
    await send('DELETE', `config/${kinds[0]}/web`);
    expect((await chain('GET', 'web')).AutoVirtualIPs).toEqual(web.AutoVirtualIPs);
    await send('DELETE', `config/${kinds[1]}/web`);
    expect((await chain('GET', 'web')).AutoVirtualIPs).toBeNull();
  });

  test('reports why a chain does not compile', async () => {
    const { send } = await started();
    for (const [name, protocol] of [
      ['web', 'http'],
      ['api', 'http'],
      ['db', 'grpc'],
    ]) {
      await send('PUT', 'config', { Kind: 'service-defaults', Name: name, Protocol: protocol });
    }
    const Splits = [{ Weight: 100, Service: 'api' }];
    await send('PUT', 'config', { Kind: 'service-splitter', Name: 'web', Splits });
    // Nothing leads to this resolver as long as there is the splitter.
    await send('PUT', 'config', { Kind: 'service-resolver', Name: 'web', Redirect: { Service: 'db' } });
    expect(await send.status('GET', 'discovery-chain/web')).toBe(200);
    expect(await send('POST', 'discovery-chain/web', { OverrideProtocol: 'tcp' })).toBe(
      '500 failed to compile discovery chain: discovery chain "web" uses inconsistent protocols; service "db" has "grpc" which is not "http"',
    );
  });

  test('waits for a change of the config entries', async () => {
    const { ask, send } = await started();
    const first = await ask('GET', 'discovery-chain/web');
    const waiting = ask('GET', `discovery-chain/web?index=${first.headers['x-registry-index']}&wait=20s`);
    await send('PUT', 'config', { Kind: 'service-resolver', Name: 'web', ConnectTimeout: '9s' });
    expect((await waiting).text).toContain('"ConnectTimeout":"9s"');
  });

  test('returns the consistency of a read', async () => {
    const { ask } = await started();
    const { headers } = await ask('GET', 'discovery-chain/web?stale');
    expect(headers['x-registry-effective-consistency']).toBe('stale');
    expect(headers['x-registry-knownleader']).toBe('true');
  });
});
