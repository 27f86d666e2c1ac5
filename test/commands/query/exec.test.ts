import { describe, expect, test } from 'vitest';
import { expectFailure, homeForAll, words } from '../../support/command-tests.ts';
import { shell } from '../../support/process.ts';
import { has } from '../../support/require.ts';
import { json, serve } from '../../unit/api/support.ts';
import { runAt, shelf } from './shelf.ts';

const at = homeForAll();
const run = runAt(at);

const instance = (Node: object, Service: object, Checks: object[] = []) => ({
  Node: { ID: 'x', Datacenter: 'dc1', TaggedAddresses: null, Meta: { 'rack-no': '7' }, ...Node },
  Service: { ID: 'web-1', Service: 'web', Tags: ['a', 'b'], Meta: { v: '1' }, Port: 80, ...Service },
  Checks,
});
const nodes = [
  instance({ Node: 'n1', Address: '10.0.0.1' }, { Address: '' }, [{ Status: 'passing' }]),
  instance({ Node: 'n1', Address: '10.0.0.1' }, { ID: 'web-2', Address: '192.0.2.9', Port: 81 }),
  instance({ Node: 'n6.example', Address: '2001:db8::6' }, { Tags: null, Port: 0 }, [
    { Status: 'passing' },
    { Status: 'warning' },
  ]),
  instance({ Node: 'named', Address: 'n4.example' }, { Tags: [] }),
];
const hostile = [
  instance({ Node: 'localhost', Address: '10.6.6.6' }, { Address: '10.0.0.9' }),
  instance({ Node: 'evil\n10.6.6.6 bank.example', Address: '10.0.0.2' }, {}),
  instance({ Node: 'star*', Address: '10.0.0.3' }, {}),
  instance({ Node: '-oProxyCommand=x', Address: '10.0.0.4' }, {}),
  instance({ Node: 'ok', Address: '10.0.0.5\n  ProxyCommand touch /tmp/x' }, {}),
  instance({ Node: '', Address: '10.0.0.7' }, { Address: '::1 ::2' }),
  instance({ Node: 'sp ace', Address: '10.0.0.8' }, { Address: 'a b' }),
];

const answering = (body: object, headers: Record<string, string> = {}) =>
  serve((_seen, response) => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    json(response, body);
  });
const found = { Service: 'web', Nodes: nodes, DNS: { TTL: '' }, Datacenter: 'dc3', Failovers: 2 };
const none = { Service: 'web', Nodes: null, Datacenter: 'dc1', Failovers: 0 };

describe('query exec', () => {
  test('prints the instances, and a note after a failover to another datacenter', async () => {
    expect(await run(await answering(found), 'exec geo')).toEqual({
      code: 0,
      stdout: [
        'n1\t10.0.0.1\t80\ta, b\tpassing\tdc3',
        'n1\t192.0.2.9\t81\ta, b\tpassing\tdc3',
        'n6.example\t2001:db8::6\t\t\twarning\tdc3',
        'named\tn4.example\t80\t\tpassing\tdc3',
        '',
      ].join('\n'),
      stderr: 'dc3 returned 4 instances of web after 2 failovers.\n',
    });
  });

  test('reads failover and peer from the nodes of the response', async () => {
    const nested = { Service: 'web', Nodes: [{ ...nodes[0], Datacenter: 'dc9', Failovers: 1 }] };
    expect((await run(await answering(nested), 'exec geo')).stderr).toBe(
      'dc9 returned 1 instance of web after 1 failover.\n',
    );
    const peer = { ...found, Datacenter: '', PeerName: 'cluster-02' };
    expect((await run(await answering(peer), 'exec geo')).stderr).toMatch(/^Peer cluster-02 returned /);
  });

  test('prints no note for instances of the local datacenter', async () => {
    const ran = await run(await answering({ ...found, Failovers: 0 }), 'exec geo');
    expect(ran).toMatchObject({ code: 0, stderr: '' });
  });

  test('sends the flags as query parameters', async () => {
    const server = await answering(none);
    await run(server, ['exec', 'b c', ...words('--near _ip --limit 0 --connect --dc dc2 --stale')]);
    await run(server, 'exec x --consistent');
    // Without a token, the registry is asked whether access control is on.
    const executed = () => server.seen.map(({ url }) => url).filter((url) => url !== '/v1/status/leader');
    expect(executed()).toEqual([
      '/v1/query/b%20c/execute?dc=dc2&stale=&near=_ip&limit=0&connect=true',
      '/v1/query/x/execute?consistent=',
    ]);
    for (const flags of [
      ['--stale', '--consistent'],
      ['--limit', '-1'],
      ['--limit', 'x'],
      ['--format', 'x'],
    ])
      expect(await run(server, ['exec', 'x', ...flags])).toMatchObject({ code: 2, stdout: '' });
    expect(executed()).toHaveLength(2);
  });

  test('prints the complete response as JSON and one instance per line as JSON lines', async () => {
    const server = await answering(found);
    expect(JSON.parse((await run(server, 'exec geo -o json')).stdout)).toEqual(found);
    expect((await run(server, 'exec geo -o jsonl -q')).stdout.split('\n')).toHaveLength(5);
  });

  test('prints no output and a note if no instance is found', async () => {
    const server = await answering(none, { 'X-Consul-Results-Filtered-By-ACLs': 'true' });
    for (const [flags, stdout] of [
      [[], ''],
      [['--format', 'hosts'], ''],
      [['--format', 'addr'], ''],
      [['--format', 'prometheus-sd'], '[]\n'],
    ] as const) {
      const ran = await run(server, ['exec', 'geo', ...flags]);
      expect(ran).toMatchObject({ code: 0, stdout });
      expect(ran.stderr).toBe(
        'warning: execute prepared query: some results were omitted: no token was sent\ndc1 returned no instances of web.\n',
      );
    }
  });

  test('exits with 3 for an unknown name', async () => {
    const server = await shelf([]);
    for (const verb of ['exec', 'explain']) {
      expectFailure(await run(server, [verb, 'none']), 3, 'prepared query "none" not found');
    }
  });

  test('rejects names that would match another route', async () => {
    const server = await shelf([]);
    for (const name of ['..', '', 'a/../b', 'a\nb'])
      expect(await run(server, ['exec', name])).toMatchObject({ code: 2, stdout: '' });
    expect(server.seen).toEqual([]);
  });
});

describe('query exec --format', () => {
  const lines = async (format: string, body: object = found) =>
    run(await answering(body), ['exec', 'geo', '-q', '--format', format]);

  test('hosts: one line per node with an address', async () => {
    expect(await lines('hosts')).toEqual({
      code: 0,
      stdout: '10.0.0.1 n1\n2001:db8::6 n6.example\n',
      stderr: 'warning: skipped the instance on "named": its name or address is not valid in hosts\n',
    });
  });

  test('addr: the address of the service, else of its node, with the port', async () => {
    expect((await lines('addr')).stdout).toBe('10.0.0.1:80\n192.0.2.9:81\n[2001:db8::6]\nn4.example:80\n');
  });

  test('prometheus-sd: one target per instance, with labels', async () => {
    const groups = JSON.parse((await lines('prometheus-sd')).stdout);
    expect(groups.map(({ targets }: { targets: unknown }) => targets)).toEqual([
      ['10.0.0.1:80'],
      ['192.0.2.9:81'],
      ['[2001:db8::6]'],
      ['n4.example:80'],
    ]);
    expect(groups[1].labels).toEqual({
      __meta_consul_address: '10.0.0.1',
      __meta_consul_dc: 'dc3',
      __meta_consul_health: 'passing',
      __meta_consul_metadata_rack_no: '7',
      __meta_consul_node: 'n1',
      __meta_consul_service: 'web',
      __meta_consul_service_address: '192.0.2.9',
      __meta_consul_service_id: 'web-2',
      __meta_consul_service_metadata_v: '1',
      __meta_consul_service_port: '81',
      __meta_consul_tags: ',a,b,',
    });
  });

  test.each(['hosts', 'ssh-config', 'addr', 'prometheus-sd'])(
    '%s: a text of the service cannot become separate lines',
    async (format) => {
      const { stdout, stderr } = await lines(format, { ...found, Nodes: hostile });
      expect(stdout).not.toMatch(/ProxyCommand touch|^10\.6\.6\.6|bank\.example$|star\*\n|^Host -/m);
      expect(stderr).toContain('skipped the instance on ');
      for (const line of stdout.split('\n').slice(0, -1)) {
        if (format === 'hosts') expect(line).toMatch(/^[\d.]+ [\w.-]+$/);
        if (format === 'addr') expect(line).toMatch(/^[\w.:[\]-]+$/);
      }
      if (format === 'prometheus-sd') expect(JSON.parse(stdout)).toBeInstanceOf(Array);
    },
  );

  test.skipIf(!has('ssh'))('ssh-config: ssh reads the intended values', async () => {
    at.write('ssh_config', (await lines('ssh-config', { ...found, Nodes: [...nodes, ...hostile] })).stdout);
    for (const [name, address] of [
      ['n1', '10.0.0.1'],
      ['n6.example', '2001:db8::6'],
      ['named', 'n4.example'],
      ['ok', 'ok'],
      ['starx', 'starx'],
    ]) {
      const read = await shell(at, `ssh -G -F ssh_config ${name}`);
      expect(read.code).toBe(0);
      expect(read.stderr).not.toContain('ssh_config');
      expect(read.stdout).toMatch(new RegExp(`^hostname ${address?.replaceAll('.', '\\.')}$`, 'm'));
      expect(read.stdout).not.toContain('proxycommand');
    }
  });
});

describe('query list, get and explain', () => {
  const stored = [
    {
      Name: 'geo',
      Token: 's3cret',
      Service: { Service: 'db', Failover: { NearestN: 2, Datacenters: ['dc2'] } },
    },
    {
      Name: '',
      Template: { Type: 'name_prefix_match' },
      Service: { Service: 'x', Failover: { Targets: [{ Peer: 'p' }] } },
    },
    { Session: 'abc', Service: { Service: 'y' } },
  ];

  test('list prints a table without tokens', async () => {
    const server = await shelf(stored);
    expect((await run(server, 'list --dc dc1')).stdout.replace(/\t[\da-f-]{36}$/gm, '')).toBe(
      'geo\tquery\tdb\t2 nearest, dc2\n-\tcatch-all template\tx\tpeer p\n-\tbound to a session\ty\t-\n',
    );
    expect((await run(server, 'list -o json')).stdout).not.toContain('s3cret');
    expect(await run(await shelf([]), 'list', { columns: 80 })).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('No prepared queries.'),
    });
  });

  test('list warns about omitted queries, and get explains a name that is not found', async () => {
    const server = await answering([], { 'X-Registry-Results-Filtered-By-ACLs': 'true' });
    const filtered = await serve((_seen, response) => {
      response.setHeader('X-Registry-Results-Filtered-By-ACLs', 'true');
      json(response, []);
    });
    expect((await run(filtered, 'list')).stderr).toBe(
      'warning: list prepared queries: some results were omitted: no token was sent\n',
    );
    expect((await run(filtered, 'get geo')).stderr).toContain('The token cannot read all queries');
    expect((await run(server, 'get geo')).code).toBe(3);
  });

  test('get prints a query by name or ID, with the fields that are set', async () => {
    const server = await shelf(stored);
    expect((await run(server, 'get geo')).stdout).toMatch(
      /^name\tgeo\nID\t.*\nkind\tquery\nservice\tdb\nfailover\t2 nearest, dc2\ntoken\t<redacted>\n$/,
    );
    const data = JSON.parse((await run(server, 'get geo -o json')).stdout);
    expect(data).toMatchObject({ Name: 'geo', RaftIndex: { ModifyIndex: 7 }, Token: '<redacted>' });
    expect((await run(server, ['get', data.ID, '-o', 'json'])).stdout).toContain('"geo"');
    expect(await run(server, 'get 8f246b77-f3e1-ff88-5b48-ffffffffffff')).toMatchObject({ code: 3 });
  });

  test('explain prints the query that would be executed', async () => {
    const Query = {
      ID: 'i',
      Name: 'geo-',
      Token: 's3cret',
      Template: { Type: 'name_prefix_match', Regexp: '^geo-(.*)$' },
      Service: { Service: 'db-x', Tags: ['t'], NodeMeta: { a: 'b' }, Meta: null, OnlyPassing: true },
    };
    const server = await answering({ Query, Index: 5 });
    const ran = await run(server, 'explain geo-x');
    expect(ran.stdout).toContain('service\tdb-x\n');
    expect(ran.stdout).toContain('node metadata\ta=b\nonly passing\tyes\n');
    const asJson = await run(server, 'explain geo-x -o json');
    expect(JSON.parse(asJson.stdout)).toMatchObject({ Query: { Token: '<redacted>' }, Index: 5 });
  });
});

describe('query exec and explain', () => {
  test.each(['exec', 'explain'])('%s rejects a name that is not a path segment', async (verb) => {
    const server = await answering(found);
    for (const [name, message] of [
      ['a/b', 'query must not contain "/"'],
      ['..', 'query must not contain ".." as a path segment'],
      ['a\u0007', 'query contains a control character'],
    ] as const) {
      expectFailure(await run(server, [verb, name]), 2, message);
    }
    expect(server.seen).toEqual([]);
  });

  test('report a missing query only for the error of the service', async () => {
    const reply = (text: string) =>
      serve((_seen, response) => void response.writeHead(404, { 'Content-Type': 'text/plain' }).end(text));
    expectFailure(await run(await reply('Query not found'), 'exec x'), 3, 'prepared query "x" not found');
    const other = await run(await reply('Invalid URL path: not a recognized HTTP API endpoint'), 'exec x');
    expect(other.code).toBe(3);
    expect(other.stderr).not.toContain('prepared query "');
    expect(other.stderr).toContain('Invalid URL path: not a recognized HTTP API endpoint');
  });
});

test.each(['-o json', '--output table', '--field 0', '--select [0]'])(
  '--format goes with no %s, which would be passed over',
  async (flags) => {
    const server = await answering(found);
    const ran = await run(server, ['exec', 'geo', '--format', 'addr', ...flags.split(' ')]);
    expectFailure(ran, 2, /--format cannot be combined with --(output|field|select)/);
    expect(server.seen).toEqual([]);
    expect((await run(server, 'exec geo --format addr -o text')).code).toBe(0);
  },
);

test('-o table has the columns of the text output, without JSON in cells', async () => {
  const server = await answering(found);
  const { stdout } = await run(server, 'exec geo -o table');
  const rows = stdout.split('\n').filter((line) => line.startsWith('│'));
  const cells = rows.map((row) =>
    row
      .split('│')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
  expect(cells[0]).toEqual(['node', 'address', 'port', 'tags', 'status', 'dc']);
  expect(cells[1]).toEqual(['n1', '10.0.0.1', '80', 'a, b', 'passing', 'dc3']);
  expect(stdout).not.toContain('{');
  const list = await shelf([{ Name: 'w', Service: { Service: 'web', Failover: { NearestN: 2 } } }]);
  expect((await run(list, 'list -o table')).stdout).toMatch(/│ w +│ query │ web +│ 2 nearest │/);
  const members = await run(list, ['list', '-o', 'table', '--select', '[].{name: Name}']);
  expect(members.stdout).toMatch(/│ name │/);
});
