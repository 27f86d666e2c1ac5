import { describe, expect, test } from 'vitest';
import { expectFailure, homeForAll } from '../../support/command-tests.ts';
import { type Handler, json, serve, type TestServer } from '../../unit/api/support.ts';

const at = homeForAll();

const run = ({ url }: Pick<TestServer, 'url'>, ...argv: string[]) =>
  at.run(['chain', 'get', ...argv], { env: { LANYARD_REGISTRY_ADDR: url } });

const resolver = (Name: string, more: object = {}) => ({
  Type: 'resolver',
  Name,
  Resolver: { ConnectTimeout: '5s', Default: true, Target: Name, ...more },
});
const target = (ID: string, more: object = {}) => ({
  ID,
  Service: ID.split('.')[0],
  Namespace: 'default',
  Datacenter: 'dc1',
  MeshGateway: {},
  Subset: {},
  SNI: `${ID}.internal`,
  Name: `${ID}.internal`,
  ...more,
});
const chainOf = (more: object) => ({
  Chain: { ServiceName: 'web', Namespace: 'default', Datacenter: 'dc1', ...more },
});

/** As the specification has it (IDs without a partition). */
const simple = chainOf({
  Protocol: 'tcp',
  StartNode: 'resolver:web.default.dc1',
  Nodes: { 'resolver:web.default.dc1': resolver('web.default.dc1') },
  Targets: { 'web.default.dc1': target('web.default.dc1') },
});

/** As products have it (IDs with a partition, more members): a router, a splitter, a shared resolver. */
const v1 = 'v1.web.default.default.dc1';
const v2 = 'v2.web.default.default.dc1';
const admin = 'admin.default.default.dc1';
const far = 'v1.web.default.default.dc2';
const rich = chainOf({
  Partition: 'default',
  Protocol: 'http',
  CustomizationHash: '1a2b3c4d',
  AutoVirtualIPs: null,
  StartNode: 'router:web.default.default',
  Nodes: {
    'router:web.default.default': {
      Type: 'router',
      Name: 'web.default.default',
      Routes: [
        {
          Definition: {
            Match: {
              HTTP: {
                PathPrefix: '/admin',
                Header: [
                  { Name: 'x-debug', Exact: '1' },
                  { Name: 'x-old', Present: true, Invert: true },
                ],
                QueryParam: [{ Name: 'lang', Regex: '^d' }],
                Methods: ['GET', 'PUT'],
              },
            },
            Destination: {
              Service: 'admin',
              PrefixRewrite: '/',
              RequestTimeout: '15s',
              NumRetries: 3,
              RetryOnConnectFailure: true,
              RetryOnStatusCodes: [502, 503],
            },
          },
          NextNode: `resolver:${admin}`,
        },
        {
          Definition: {
            Match: { HTTP: { PathExact: '/old' } },
            Destination: { ServiceSubset: 'v1', RequestTimeout: '0s' },
          },
          NextNode: `resolver:${v1}`,
        },
        {
          Definition: { Match: { HTTP: { PathPrefix: '/' } }, Destination: { Service: 'web' } },
          NextNode: 'splitter:web.default.default',
        },
      ],
    },
    'splitter:web.default.default': {
      Type: 'splitter',
      Name: 'web.default.default',
      Splits: [
        { Weight: 90, NextNode: `resolver:${v1}` },
        { Weight: 10, NextNode: `resolver:${v2}` },
      ],
    },
    [`resolver:${admin}`]: resolver(admin),
    [`resolver:${v1}`]: resolver(v1, {
      Default: false,
      ConnectTimeout: '2s',
      RequestTimeout: 0,
      Failover: { Targets: [far] },
    }),
    [`resolver:${v2}`]: resolver(v2, { Default: false }),
  },
  Targets: {
    [admin]: target(admin),
    [v1]: target(v1, { ServiceSubset: 'v1', Subset: { Filter: 'Service.Meta.version == v1' } }),
    [far]: target(far, { ServiceSubset: 'v1', Datacenter: 'dc2', MeshGateway: { Mode: 'local' } }),
    [v2]: target(v2, { ServiceSubset: 'v2' }),
  },
});

const answering =
  (body: unknown): Handler =>
  (_seen, response) =>
    json(response, body);

describe('the request', () => {
  test.each([
    [['web'], 'GET /v1/discovery-chain/web', ''],
    [['a b'], 'GET /v1/discovery-chain/a%20b', ''],
    [
      ['web', '--compile-dc', 'dc2', '--dc', 'dc1', '-n', 'team'],
      'GET /v1/discovery-chain/web?compile-dc=dc2&dc=dc1&ns=team',
      '',
    ],
    [
      ['web', '--override-protocol', 'grpc', '--compile-dc', 'dc2'],
      'POST /v1/discovery-chain/web?compile-dc=dc2',
      '{"OverrideProtocol":"grpc"}',
    ],
    [
      ['web', '--override-connect-timeout', '90'],
      'POST /v1/discovery-chain/web',
      '{"OverrideConnectTimeout":"90s"}',
    ],
    [
      ['web', '--override-mesh-gateway', 'local', '--override-connect-timeout', '1m30s'],
      'POST /v1/discovery-chain/web',
      '{"OverrideConnectTimeout":"1m30s","OverrideMeshGateway":{"Mode":"local"}}',
    ],
  ])('of %j is %s', async (argv, request, body) => {
    const server = await serve(answering(simple));
    expect(await run(server, ...argv)).toMatchObject({ code: 0, stderr: '' });
    expect(server.seen.map(({ method, url }) => `${method} ${url}`)).toEqual([request]);
    expect(server.seen[0]?.body).toBe(body);
  });

  test('is the same with discovery-chain', async () => {
    const server = await serve(answering(simple));
    const ran = await at.run(['discovery-chain', 'get', 'web'], {
      env: { LANYARD_REGISTRY_ADDR: server.url },
    });
    expect(ran).toEqual(await run(server, 'web'));
    expect(server.seen).toHaveLength(2);
  });

  test.each([
    [['..'], 'must not contain ".." as a path segment'],
    [['a//b'], 'contains an empty path segment'],
    [['a/b'], 'service name must not contain "/"'],
    [['web', '--format', 'dot', '-o', 'json'], '--format cannot be combined with --output'],
    [[''], 'contains an empty path segment'],
    [
      ['web', '--override-mesh-gateway', 'far'],
      'invalid --override-mesh-gateway "far": expected one of none, local, remote',
    ],
    [
      ['web', '--override-connect-timeout', 'soon'],
      'invalid --override-connect-timeout "soon": expected a duration',
    ],
    [['web', '--diff'], '--diff requires an override'],
    [
      ['web', '--diff', '--override-protocol', 'tcp', '--format', 'dot'],
      '--diff cannot be combined with --format',
    ],
    [['web', '--format', 'svg'], 'invalid --format "svg": expected one of dot, mermaid'],
  ])('is not sent for %j', async (argv, message) => {
    const server = await serve(answering(simple));
    expectFailure(await run(server, ...argv), 2, message);
    expect(server.seen).toEqual([]);
  });

  test('with overrides is a read, which is retried after a lost response', async () => {
    const server = await serve((_seen, response, count) =>
      count === 1 ? response.destroy() : json(response, simple),
    );
    const ran = await at.run(['chain', 'get', 'web', '--override-protocol', 'http'], {
      env: { LANYARD_REGISTRY_ADDR: server.url },
      random: (length) => new Uint8Array(length),
    });
    expect(ran.code).toBe(0);
    expect(server.seen).toHaveLength(2);
  });
});

describe('the drawing', () => {
  test('shows a chain of one resolver', async () => {
    const server = await serve(answering(simple));
    expect((await run(server, 'web')).stdout).toBe(
      [
        'web uses protocol tcp; compiled for dc1.',
        'resolver web.default.dc1, connect timeout 5s, default',
        '└─ target web.default.dc1',
        '',
      ].join('\n'),
    );
  });

  test('shows a router, a splitter, failovers and a resolver that is reached twice', async () => {
    const server = await serve(answering(rich));
    expect((await run(server, 'web')).stdout).toBe(
      [
        'web uses protocol http; compiled for dc1, with overrides (1a2b3c4d).',
        'router web.default.default',
        `├─ path prefix /admin, GET or PUT, header x-debug is "1", header x-old is present (inverted), query lang matches "^d"; prefix rewritten to /; timeout 15s; 3 retries on connection failure, 502, 503 → resolver ${admin}, connect timeout 5s, default`,
        `│  └─ target ${admin}`,
        `├─ path /old → resolver ${v1}, connect timeout 2s`,
        `│  ├─ target ${v1}, subset v1 (Service.Meta.version == v1)`,
        `│  └─ failover 1 → target ${far}, subset v1, datacenter dc2, mesh gateway local`,
        '└─ path prefix / → splitter web.default.default',
        `   ├─ 90% → resolver ${v1}, connect timeout 2s (drawn above)`,
        `   └─ 10% → resolver ${v2}, connect timeout 5s`,
        `      └─ target ${v2}, subset v2`,
        '',
      ].join('\n'),
    );
  });

  test('ends at a cycle and marks missing nodes', async () => {
    const odd = chainOf({
      Protocol: 'http',
      StartNode: 'splitter:a',
      Targets: {},
      Nodes: {
        'splitter:a': {
          Type: 'splitter',
          Name: 'a\u001b[31m\nb',
          Splits: [
            { Weight: 50, NextNode: 'splitter:a' },
            { Weight: 50, NextNode: 'resolver:none' },
          ],
        },
      },
    });
    const server = await serve(answering(odd));
    expect((await run(server, 'web')).stdout.split('\n').slice(1)).toEqual([
      'splitter a\\x1b[31m b',
      '├─ 50% → splitter a\\x1b[31m b (drawn above)',
      '└─ 50% → resolver:none (missing in the response)',
      '',
    ]);
  });
});

describe('what overrides change', () => {
  const slow = structuredClone(simple);
  const there = 'resolver:web.default.dc1';
  Object.assign(slow.Chain, {
    CustomizationHash: '1a2b3c4d',
    Nodes: { [there]: resolver('web.default.dc1', { ConnectTimeout: '2s' }) },
  });
  const both: Handler = ({ method }, response) => json(response, method === 'POST' ? slow : simple);

  test('is shown as a line diff with --diff', async () => {
    const server = await serve(both);
    expect(await run(server, 'web', '--override-connect-timeout', '2s', '--diff')).toEqual({
      code: 0,
      stdout: [
        '- web uses protocol tcp; compiled for dc1',
        '- resolver web.default.dc1, connect timeout 5s, default',
        '+ web uses protocol tcp; compiled for dc1, with overrides (1a2b3c4d)',
        '+ resolver web.default.dc1, connect timeout 2s, default',
        '  └─ target web.default.dc1',
        '',
      ].join('\n'),
      stderr: '',
    });
    expect(server.seen.map(({ method }) => method).sort()).toEqual(['GET', 'POST']);
  });

  test('is both chains with -o json', async () => {
    const server = await serve(both);
    const { stdout } = await run(server, 'web', '--override-protocol', 'tcp', '--diff', '-o', 'json');
    expect(JSON.parse(stdout)).toEqual({ without: simple, with: slow });
  });

  test('is reported if there are no changes', async () => {
    const server = await serve(answering(simple));
    const { stdout } = await run(server, 'web', '--override-protocol', 'http', '--diff');
    expect(stdout).toBe('The overrides change nothing.\n');
  });
});

describe('a diagram', () => {
  test('in DOT', async () => {
    const server = await serve(answering(rich));
    const { stdout } = await run(server, 'web', '--format', 'dot');
    expect(stdout.split('\n').slice(0, 4)).toEqual([
      'digraph chain {',
      '  rankdir=LR;',
      '  node [shape=box];',
      '  n0 [label="router web.default.default"];',
    ]);
    expect(stdout).toContain('header x-debug is \\"1\\"');
    expect(stdout).toContain('  n1 -> n3 [label="90%"];\n');
    expect(stdout).toMatch(/^ {2}n3 -> n6;$/m);
    expect(stdout).toMatch(/^ {2}n3 -> n7 \[label="failover 1", style=dashed\];$/m);
    expect(stdout.endsWith('}\n')).toBe(true);
  });

  test('in Mermaid', async () => {
    const server = await serve(answering(rich));
    const { stdout } = await run(server, 'web', '--format', 'mermaid');
    expect(stdout.split('\n').slice(0, 2)).toEqual(['flowchart LR', '  n0["router web.default.default"]']);
    expect(stdout).toContain('header x-debug is #34;1#34;');
    expect(stdout).toContain('  n1 -->|"90%"| n3\n');
    expect(stdout).toContain('  n3 --> n6\n');
    expect(stdout).toContain('  n3 -.->|"failover 1"| n7\n');
  });
});

describe('the response', () => {
  test('is printed unchanged with -o json, and its fields with --field', async () => {
    const server = await serve(answering(rich));
    expect(JSON.parse((await run(server, 'web', '-o', 'json')).stdout)).toEqual(rich);
    expect((await run(server, 'web', '--field', 'Chain.Protocol')).stdout).toBe('http\n');
    expect((await run(server, 'web', '--field', 'Protocol')).stdout).toBe('http\n');
  });

  test.each([
    [500, 'failed to compile discovery chain: service "web" does not have a subset named "y"', 1],
    [400, 'Invalid OverrideMeshGateway.Mode parameter', 1],
    [403, 'Permission denied: anonymous token lacks permission', 4],
  ])('%i "%s" gives exit code %i', async (status, text, code) => {
    const server = await serve((_seen, response) =>
      response.writeHead(status, { 'Content-Type': 'text/plain' }).end(text),
    );
    expectFailure(await run(server, 'web'), code, text);
  });

  test.each([
    [{}, 'Chain: '],
    [chainOf({ Protocol: 'tcp', StartNode: 'x', Nodes: { x: {} }, Targets: {} }), 'Chain.Nodes.x.Type: '],
  ])('%j does not match the specification', async (body, message) => {
    const server = await serve(answering(body));
    const ran = await run(server, 'web');
    expectFailure(ran, 1, `unexpected response from the service registry: status 200, ${message}`);
  });
});
