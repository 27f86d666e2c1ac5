import { describe, expect, test } from 'vitest';
import { expectFailure, expectOutput, homeForAll, quietOutputOf } from '../../support/command-tests.ts';
import { json } from '../../unit/api/support.ts';
import { id, runAt, shelf } from './shelf.ts';

const at = homeForAll();
const run = runAt(at);

const geo = {
  Name: 'geo',
  Session: '',
  Token: 's3cret-token',
  Template: { Type: '', Regexp: '', RemoveEmptyTags: false },
  Service: {
    Service: 'db',
    Namespace: '',
    Near: 'n1',
    Tags: ['primary'],
    OnlyPassing: false,
    Connect: false,
    IgnoreCheckIDs: null,
    NodeMeta: { '': '' },
    ServiceMeta: null,
    SamenessGroup: '',
    Peer: '',
    Failover: { NearestN: 2, Datacenters: ['dc2'], Targets: null },
  },
  DNS: { TTL: '10s' },
};

describe('query create', () => {
  test('sends the fields of the flags', async () => {
    const server = await shelf([]);
    const ran = await run(
      server,
      'create geo --service db --service-namespace team --near _agent --only-passing --tag primary --tag !slow --node-meta rack=a=b --service-meta v=1 --connect --ignore-check c1 --failover-nearest 3 --failover-datacenter dc2 --failover-datacenter dc3 --dns-ttl 90 --session abc --token env://TOKEN --dc dc9',
      { env: { TOKEN: 's3cret' } },
    );
    expect(ran).toEqual({ code: 0, stdout: `Created query geo: ${id(1)}\n`, stderr: '' });
    expect(server.writes()).toEqual(['POST /v1/query?dc=dc9']);
    expect(server.bodies()).toEqual([
      {
        Name: 'geo',
        Session: 'abc',
        Token: 's3cret',
        Service: {
          Service: 'db',
          Namespace: 'team',
          Near: '_agent',
          OnlyPassing: true,
          Connect: true,
          Tags: ['primary', '!slow'],
          NodeMeta: { rack: 'a=b' },
          ServiceMeta: { v: '1' },
          IgnoreCheckIDs: ['c1'],
          Failover: { NearestN: 3, Datacenters: ['dc2', 'dc3'] },
        },
        DNS: { TTL: '90s' },
      },
    ]);
  });

  test('creates a template with failover targets', async () => {
    const server = await shelf([]);
    const ran = await run(server, [
      ...['create', '--name', 'geo-', '--template', 'name_prefix_match', '--regexp', '^geo-(.*)$'],
      ...['--remove-empty-tags', '--service', `db-\${match(1)}`, '--tag', `\${name.suffix}`],
      ...['--failover-target', 'peer:cluster-02', '--failover-target', 'dc:dc2', '-o', 'json'],
    ]);
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(ran.stdout)).toEqual({ ID: id(1) });
    expect(server.bodies()).toEqual([
      {
        Name: 'geo-',
        Template: { Type: 'name_prefix_match', Regexp: '^geo-(.*)$', RemoveEmptyTags: true },
        Service: {
          Service: `db-\${match(1)}`,
          Tags: [`\${name.suffix}`],
          Failover: { Targets: [{ Peer: 'cluster-02' }, { Datacenter: 'dc2' }] },
        },
      },
    ]);
  });

  test('reads a file, such as the output of "query get"; flags override its fields', async () => {
    const server = await shelf([]);
    const stdin = JSON.stringify([{ ...geo, ID: id(9), CreateIndex: 1, ModifyIndex: 2 }]);
    const ran = await run(server, 'create --file - --name other --near n2', { stdin });
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(server.bodies()).toEqual([{ ...geo, Name: 'other', Service: { ...geo.Service, Near: 'n2' } }]);
  });

  test('names the line of an invalid field', async () => {
    const server = await shelf([]);
    const stdin = 'Name: a\nService: {Service: s}\nDNS:\n  TTL: soon\n';
    const ran = await run(server, 'create --file -', { stdin });
    expectFailure(ran, 2, 'standard input, line 4: DNS.TTL: invalid duration "soon"');
  });

  test('prints the request with --dry-run and --curl, without the token of the query', async () => {
    const server = await shelf([]);
    const argv = ['create', 'geo', '--service', 'db', '--token', 'env://TOKEN'];
    for (const flag of ['--dry-run', '--curl']) {
      const stdout = quietOutputOf(await run(server, [...argv, flag], { env: { TOKEN: 's3cret' } }));
      expect(stdout).toContain('/v1/query');
      expect(stdout).toContain('<redacted>');
      expect(stdout).not.toContain('s3cret');
    }
    expect(server.seen).toEqual([]);
  });

  test('finds the created query if the response is lost', async () => {
    const server = await shelf([], (seen, response) => {
      if (seen.method !== 'POST') return;
      server.queries.set(id(1), { ID: id(1), ...JSON.parse(seen.body), Token: '<hidden>' });
      response.destroy();
    });
    const ran = await run(server, 'create geo --service db --token env://T', { env: { T: 's3cret' } });
    expect(ran).toMatchObject({ code: 0, stdout: `Created query geo: ${id(1)}\n` });
    expect(server.writes()).toHaveLength(1);
  });
});

describe('query update', () => {
  test('changes only the given fields and keeps the token', async () => {
    const server = await shelf([geo]);
    const ran = await run(
      server,
      'update geo --only-passing --failover-nearest 1 --tag b,c --unset near,dns-ttl -o json',
    );
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(server.writes()).toEqual([`PUT /v1/query/${id(1)}`]);
    expect(server.bodies()).toEqual([
      {
        ...geo,
        Service: {
          ...geo.Service,
          Near: '',
          OnlyPassing: true,
          Tags: ['b', 'c'],
          Failover: { ...geo.Service.Failover, NearestN: 1 },
        },
        DNS: { TTL: '' },
      },
    ]);
    expect(ran.stdout).not.toContain('s3cret');
    const { changes } = JSON.parse(ran.stdout);
    expect(changes).toContainEqual({ path: ['Service', 'Tags'], before: ['primary'], after: ['b', 'c'] });
    expect(changes).toHaveLength(5);
  });

  test('accepts an ID, and can rename the query', async () => {
    const server = await shelf([geo]);
    expectOutput(await run(server, `update ${id(1)} --name new`), 'Updated query new.\nName\t"geo"\t"new"\n');
    expect(server.seen.map(({ method, url }) => `${method} ${url}`)).toEqual([
      `GET /v1/query/${id(1)}`,
      `PUT /v1/query/${id(1)}`,
    ]);
  });

  test('sends nothing if nothing would change', async () => {
    const server = await shelf([geo]);
    expectOutput(await run(server, 'update geo --near n1 --unset session'), 'Query geo is unchanged.\n');
    expect(server.writes()).toEqual([]);
  });

  test('rejects a write that would replace a hidden token by its placeholder', async () => {
    const server = await shelf([{ ...geo, Token: '<hidden>' }]);
    const ran = await run(server, 'update geo --near n2');
    expectFailure(ran, 5, 'cannot write query "geo": its token is hidden from your token', '--unset token');
    expect(server.writes()).toEqual([]);
    for (const [flags, Token] of [
      [['--unset', 'token'], ''],
      [['--token', 'env://T'], 'n3w-token'],
    ] as const) {
      const again = await run(server, ['update', 'geo', '--near', Token || 'n3', ...flags], {
        env: { T: 'n3w-token' },
      });
      expect(again.code).toBe(0);
      expect(server.bodies().at(-1)).toMatchObject({ Token });
      expect(again.stdout).toMatch(
        Token === '' ? /Token\t"<redacted>"\t\(none\)/ : /Token\t.*\t"<redacted>"/,
      );
    }
  });

  test('merges a file, or replaces all fields with --replace', async () => {
    const server = await shelf([geo, geo]);
    at.write('part.yaml', 'Service:\n  Service: db\n  Near: null\n  NodeMeta: {rack: a}\n');
    await run(server, `update ${id(1)} --file part.yaml`);
    expect(server.bodies()[0]).toEqual({
      ...geo,
      Service: { ...geo.Service, Near: null, NodeMeta: { rack: 'a' } },
    });
    await run(server, `update ${id(2)} --file part.yaml --name geo --replace`);
    expect(server.bodies()[1]).toEqual({
      Name: 'geo',
      Token: geo.Token,
      Service: { Service: 'db', Near: null, NodeMeta: { rack: 'a' } },
    });
  });

  test('reads the query if the response is lost', async () => {
    for (const [takesEffect, code] of [
      [true, 0],
      [false, 9],
    ] as const) {
      const server = await shelf([geo], ({ method, body }, response) => {
        if (method !== 'PUT') return;
        if (takesEffect) server.queries.set(id(1), { ID: id(1), ...JSON.parse(body), Token: '<hidden>' });
        response.destroy();
      });
      expect(await run(server, 'update geo --near n2')).toMatchObject({ code });
      expect(server.writes()).toHaveLength(1);
    }
  });

  test('rejects an update without changes and of a missing query', async () => {
    const server = await shelf([geo]);
    expect(await run(server, 'update geo')).toMatchObject({ code: 2 });
    expect(await run(server, 'update geo --unset service')).toMatchObject({ code: 2 });
    expect(await run(server, 'update none --near x')).toMatchObject({ code: 3 });
    expect(server.writes()).toEqual([]);
  });

  test('prints the merged request with --dry-run', async () => {
    const server = await shelf([geo]);
    const ran = await run(server, 'update geo --near n9 --dry-run -o json');
    expect(JSON.parse(ran.stdout)).toMatchObject({
      method: 'PUT',
      url: `${server.url}/v1/query/${id(1)}`,
      body: { ...geo, Token: '<redacted>', Service: { ...geo.Service, Near: 'n9' } },
    });
    expect(server.writes()).toEqual([]);
  });
});

describe('query delete', () => {
  test('prompts for confirmation, and deletes by name or ID', async () => {
    const server = await shelf([geo, { Service: { Service: 'x' } }]);
    expect(await run(server, 'delete geo')).toMatchObject({ code: 2, stdout: '' });
    expect(server.writes()).toEqual([]);
    expectOutput(await run(server, 'delete geo --yes'), 'Deleted query geo.\n');
    expect(await run(server, `delete ${id(2)} --yes`)).toMatchObject({ code: 0 });
    expect(server.writes()).toEqual([`DELETE /v1/query/${id(1)}`, `DELETE /v1/query/${id(2)}`]);
    expect(await run(server, `delete ${id(2)} --yes`)).toMatchObject({ code: 3, stdout: '' });
  });

  test('reports a query that was deleted concurrently (500) as not found', async () => {
    const server = await shelf([geo], ({ method }, response) => {
      if (method === 'DELETE')
        response.writeHead(500).end(`Cannot modify non-existent prepared query: '${id(1)}'`);
    });
    expectFailure(await run(server, 'delete geo --yes'), 3, 'prepared query "geo" not found');
  });

  test('verifies the deletion if the response is lost', async () => {
    const server = await shelf([geo], ({ method }, response) => {
      if (method !== 'DELETE') return;
      server.queries.clear();
      response.destroy();
    });
    expect(await run(server, 'delete geo --yes')).toMatchObject({ code: 0 });
  });
});

describe('an error of the service', () => {
  test.each([
    [500, 'Bad Regexp: error parsing regexp: missing closing ): `(`', 1],
    [500, 'invalid session "x"', 1],
    [403, 'Permission denied: anonymous token lacks permission \'query:write\' on "geo"', 4],
  ])('with status %i is printed unchanged', async (status, words, code) => {
    const server = await shelf([], (_seen, response) =>
      response.writeHead(status, { 'content-type': 'text/plain' }).end(words),
    );
    expectFailure(await run(server, 'create geo --service db'), code, words);
    const asJson = await run(server, 'create geo --service db -o json');
    expect(asJson.stdout).toBe('');
    expect(JSON.parse(asJson.stderr)).toMatchObject({ error: { status } });
  });

  test('mentions the token of the query if the execution is denied', async () => {
    const server = await shelf([], (_seen, response) => response.writeHead(403).end('ACL not found'));
    const ran = await run(server, 'exec geo');
    expectFailure(ran, 4, /ACL not found\nhint: A query with its own token is executed with it/);
  });

  test('exits with 5 if the token lacks permission', async () => {
    const server = await shelf([], (_seen, response) => json(response, 'x'));
    const rejecting = await shelf([], (_seen, response) => response.writeHead(403).end('Permission denied'));
    expect(await run(server, 'list')).toMatchObject({ code: 1 });
    for (const argv of [['list'], ['get', 'x'], ['delete', 'x', '--yes'], ['exec', 'x'], ['explain', 'x']])
      expect(await run(rejecting, argv, { env: { LANYARD_REGISTRY_TOKEN: 'abcdefgh' } })).toMatchObject({
        code: 5,
        stdout: '',
      });
  });
});
