import { beforeAll, describe, expect, test } from 'vitest';
import { embeddedForAll, expectFailure, outputOf } from '../../support/command-tests.ts';

const { at } = embeddedForAll();

const entries = [
  { Kind: 'proxy-defaults', Name: 'global', Config: { protocol: 'http' } },
  {
    Kind: 'service-resolver',
    Name: 'web',
    DefaultSubset: 'v1',
    Subsets: { v1: { Filter: 'Service.Meta.version == v1' }, v2: { Filter: 'Service.Meta.version == v2' } },
  },
  {
    Kind: 'service-splitter',
    Name: 'web',
    Splits: [
      { Weight: 90, ServiceSubset: 'v1' },
      { Weight: 10, ServiceSubset: 'v2' },
    ],
  },
  {
    Kind: 'service-router',
    Name: 'web',
    Routes: [{ Match: { HTTP: { PathPrefix: '/admin' } }, Destination: { Service: 'admin' } }],
  },
];

beforeAll(async () => {
  for (const entry of entries) {
    const ran = await at.run(['api', 'registry', 'PUT', 'config', '--data', '-'], {
      stdin: JSON.stringify(entry),
    });
    expect({ code: ran.code, stderr: ran.stderr }).toEqual({ code: 0, stderr: '' });
  }
});

describe('chain get against the embedded registry', () => {
  test('draws router, splits, resolvers and targets', async () => {
    const stdout = outputOf(await at.run(['chain', 'get', 'web']));
    expect(stdout).toMatch(/^web uses protocol http; compiled for \w+\.\nrouter web/);
    expect(stdout).toMatch(/^├─ path prefix \/admin.* → resolver admin/m);
    expect(stdout).toMatch(/^└─ path prefix \/ → splitter web/m);
    expect(stdout).toMatch(/^ {3}├─ 90% → resolver v1\.web/m);
    expect(stdout).toMatch(/^ {3}└─ 10% → resolver v2\.web/m);
    expect(stdout).toMatch(/target v2\.web\.\S+, subset v2 \(Service\.Meta\.version == v2\)$/m);
  });

  test('rejects an unknown protocol before any request', async () => {
    for (const protocol of ['bogus', 'HTTP']) {
      const ran = await at.run(['chain', 'get', 'web', '--override-protocol', protocol]);
      expectFailure(ran, 2, 'expected one of tcp, http, http2, grpc');
    }
  });

  test('keeps the routes with a protocol that has routes, in lower case only, as Consul does', async () => {
    const compiled = async (OverrideProtocol: string) =>
      (
        await at.run(
          ['api', 'registry', 'POST', 'discovery-chain/web', '--data', '-', '--field', 'Chain.Nodes'],
          { stdin: JSON.stringify({ OverrideProtocol }) },
        )
      ).stdout;
    expect(await compiled('grpc')).toContain('router:web');
    expect(await compiled('GRPC')).toBe(await compiled('tcp'));
  });

  test('shows the chain with overrides', async () => {
    const stdout = outputOf(await at.run(['chain', 'get', 'web', '--override-protocol', 'tcp']));
    expect(stdout).toMatch(/^web uses protocol tcp; compiled for \w+, with overrides \([0-9a-f]{8}\)\./);
    expect(stdout).not.toMatch(/router|splitter/);
    const slow = await at.run(['chain', 'get', 'web', '--override-connect-timeout', '2s']);
    expect(slow.stdout).toContain('connect timeout 2s');
    const gateway = await at.run(['chain', 'get', 'web', '--override-mesh-gateway', 'remote']);
    expect(gateway.stdout).toContain('mesh gateway remote');
  });

  test('draws a service without an entry of its own', async () => {
    const { stdout } = await at.run(['chain', 'get', 'unheard-of']);
    expect(stdout).toMatch(/^resolver unheard-of\S*, connect timeout 5s, default$/m);
  });

  test.each(['dot', 'mermaid'])('draws a diagram in %s', async (format) => {
    const stdout = outputOf(await at.run(['chain', 'get', 'web', '--format', format]));
    expect(stdout).toMatch(/^(digraph|flowchart)/);
    expect(stdout).toContain('90%');
  });
});
