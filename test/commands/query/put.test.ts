import { describe, expect, test } from 'vitest';
import { expectExit, expectFailure, homeForAll, quietOutputOf } from '../../support/command-tests.ts';
import { id, runAt, shelf } from './shelf.ts';

const at = homeForAll();
const run = runAt(at);

const web = { Name: 'web', Service: { Service: 'web', Tags: ['a'] } };
const webAsStored = {
  ...web,
  Template: { Type: '', Regexp: '', RemoveEmptyTags: false },
  Session: '',
  Token: '',
  Service: {
    Service: 'web',
    Tags: ['a'],
    Near: '',
    OnlyPassing: false,
    NodeMeta: null,
    IgnoreCheckIDs: null,
    Failover: { NearestN: 0, Datacenters: null, Targets: null, SkipLocalDatacenter: false },
  },
  DNS: { TTL: '' },
};
const db = { Name: 'db', Service: { Service: 'db', Near: 'n1' } };

describe('query put --file', () => {
  test('creates missing, updates differing and keeps equal queries, and is idempotent', async () => {
    const server = await shelf([webAsStored, db]);
    at.write(
      'queries.yaml',
      [
        ...['Name: web', 'Service: {Service: web, Tags: [a]}', '---'],
        ...['Name: db', 'Service: {Service: db, OnlyPassing: true}', '---'],
        ...['Template: {Type: name_prefix_match}', `Service: {Service: "\${name.full}"}`],
      ].join('\n'),
    );
    const stdout = quietOutputOf(await run(server, 'put --file queries.yaml --dry-run'));
    expect(stdout).toMatch(/web is unchanged.*\n.*db would be updated/s);
    expect(server.writes()).toEqual([]);

    expect(JSON.parse(quietOutputOf(await run(server, 'put --file queries.yaml -o json')))).toMatchObject([
      { action: 'unchanged', name: 'web', id: id(1), changes: [] },
      {
        action: 'update',
        name: 'db',
        changes: [{ path: ['Service', 'OnlyPassing'], after: true }],
      },
      { action: 'create' },
    ]);
    expect(server.writes()).toEqual([`PUT /v1/query/${id(2)}`, 'POST /v1/query']);
    expect(server.bodies()[0]).toEqual({
      Name: 'db',
      Service: { Service: 'db', Near: 'n1', OnlyPassing: true },
    });

    const again = await run(server, 'put --file queries.yaml -o jsonl --select [].action');
    expect(again.stdout).toBe('"unchanged"\n"unchanged"\n"unchanged"\n');
    expect(server.writes()).toHaveLength(2);
  });

  test('writes the edited output of "query get" and keeps the token', async () => {
    const server = await shelf([{ ...webAsStored, Token: 's3cret-token' }]);
    const got = await run(server, 'get web -o yaml');
    expect(got.stdout).not.toContain('s3cret');
    // The placeholder of the token is not written as a token, also if the query has none.
    expect((await run(server, 'put --file -', { stdin: got.stdout })).stdout).toBe(
      'Query web is unchanged.\n',
    );
    for (const verb of ['put', 'create']) {
      const rejected = await run(await shelf([]), [verb, '--file', '-'], { stdin: got.stdout });
      expectFailure(rejected, 2, 'Token: placeholder of a hidden token');
    }
    const edited = got.stdout.replace('Near: ""', 'Near: _agent');
    expect(await run(server, 'put --file -', { stdin: edited })).toMatchObject({ code: 0 });
    expect(server.bodies()).toMatchObject([{ Token: 's3cret-token', Service: { Near: '_agent' } }]);
  });

  test('with a hidden token keeps equal queries and rejects changes to others', async () => {
    const server = await shelf([{ ...webAsStored, Token: '<hidden>' }]);
    const equal = await run(server, 'put --file -', { stdin: JSON.stringify(web) });
    expect(equal).toMatchObject({ code: 0, stdout: 'Query web is unchanged.\n' });
    expect(await run(server, 'put web --service other')).toMatchObject({ code: 5, stdout: '' });
    expectExit(await run(server, 'put --file -', { stdin: JSON.stringify({ ...web, Token: '' }) }), 0);
    expect(server.bodies()).toMatchObject([{ ...web, Token: '' }]);
  });

  test('sets --token for queries without a token', async () => {
    const server = await shelf([]);
    const stdin = JSON.stringify([web, { ...db, Token: 'own-token' }]);
    expectExit(await run(server, 'put --file - --token env://T', { stdin, env: { T: 'giv3n' } }), 0);
    expect(server.bodies()).toMatchObject([{ Token: 'giv3n' }, { Token: 'own-token' }]);
  });

  test('reports what was written if a later write fails', async () => {
    const server = await shelf([], (seen, response) => {
      if (seen.body.includes('db')) response.writeHead(500).end('invalid session "x"');
    });
    const ran = await run(server, 'put --file -', { stdin: JSON.stringify([web, db]) });
    expectFailure(ran, 9, /partially applied.*\n.*web: created\n.*invalid session "x"/);
    expect((await run(server, 'put --file -', { stdin: JSON.stringify([db]) })).code).toBe(1);
  });
});

describe('an invalid file', () => {
  const wrong: readonly (readonly [what: string, text: string, message: RegExp])[] = [
    [
      'an unknown member',
      'Name: a\nService:\n  Service: s\n  onlypasing: true\n',
      /line 4: Service\.onlypasing: unknown field; did you mean "OnlyPassing"\?/,
    ],
    [
      'a member in another place',
      'Name: a\nNear: n\nService: {Service: s}',
      /line 2: Near: unknown field; it belongs in Service/,
    ],
    [
      'another unknown member',
      'Name: a\nDNS: {xyz: 1}\nService: {Service: s}',
      /line 2: DNS\.xyz: unknown field; valid fields: TTL/,
    ],
    [
      'a number for a text',
      'Name: 12\nService: {Service: s}',
      /line 1: Name: expected a string; quote numbers/,
    ],
    [
      'a text for a list',
      'Name: a\nService: {Service: s, Tags: x}',
      /Service\.Tags: expected a list of strings/,
    ],
    [
      'a text for a flag',
      'Name: a\nService: {Service: s, Connect: "yes"}',
      /Service\.Connect: expected true or false/,
    ],
    ['a list for an object', '- - a\n', /line 1: prepared query: expected an object/],
    [
      'values that are no texts',
      'Name: a\nService:\n  Service: s\n  NodeMeta:\n    a: 1\n',
      /line 4: Service\.NodeMeta: expected an object with string values/,
    ],
    [
      'a negative NearestN',
      'Name: a\nService: {Service: s, Failover: {NearestN: -1}}',
      /Service\.Failover\.NearestN: expected an integer/,
    ],
    ['no service', 'Name: a\nService: {}', /Service\.Service: required/],
    ['no name', 'Service: {Service: s}', /Name: required, except for a template/],
    [
      'a template of another type',
      'Name: a\nTemplate: {Type: prefix}\nService: {Service: s}',
      /line 2: Template\.Type: must be name_prefix_match/,
    ],
    [
      'targets and datacenters',
      'Name: a\nService: {Service: s, Failover: {Datacenters: [b], Targets: [{Peer: x}]}}',
      /Targets: cannot be combined with NearestN or Datacenters/,
    ],
    [
      'an empty target',
      'Name: a\nService:\n  Service: s\n  Failover:\n    Targets:\n      - Peer: x\n      - {}\n',
      /line 7: Service\.Failover\.Targets\.1: requires Peer or Datacenter/,
    ],
    [
      'a TTL without a unit',
      'Name: a\nDNS: {TTL: "10"}\nService: {Service: s}',
      /DNS\.TTL: invalid duration "10"/,
    ],
    [
      'an unknown interpolation',
      `Name: a\nTemplate: {Type: name_prefix_match}\nService: {Service: "\${name.sufix}"}`,
      /line 3: Service\.Service: unknown expression "\$\{name\.sufix\}"/,
    ],
    [
      'an interpolation without an end',
      `Name: a\nTemplate: {Type: name_prefix_match}\nService: {Service: s, Tags: ["\${match(1"]}`,
      /Service\.Tags\.0: unclosed /,
    ],
    [
      'one name twice',
      'Name: a\nService: {Service: s}\n---\nName: a\nService: {Service: s}',
      /duplicate name "a"/,
    ],
    ...['a/b', '..', '"a\\u0007b"'].map((name): (typeof wrong)[number] => [
      `the name ${name}, which nothing executes`,
      `Name: ${name}\nService: {Service: s}`,
      /line 1: Name: invalid name: a query whose name is "\."/,
    ]),
    [
      'a session in the place of a name',
      'Session: x\nService: {Service: s}',
      /invalid query 1 in standard input: missing name/,
    ],
  ];

  test.each(wrong)(
    'with %s is rejected with the line, and nothing is sent',
    async (_what, stdin, message) => {
      const server = await shelf([]);
      expectFailure(await run(server, 'put --file -', { stdin }), 2, message);
      expect(server.seen).toEqual([]);
    },
  );

  test('lists all problems of all queries', async () => {
    const stdin = 'Name: a\nService: {}\n---\nService: {Service: s}\n';
    const { stderr } = await run(await shelf([]), 'put --file -', { stdin });
    expect(stderr).toMatch(/standard input, line 2: Service\.Service: .*\n.*standard input, line 4: Name: /);
  });

  test('keeps escaped and known expressions, and warns about them outside templates', async () => {
    const server = await shelf([]);
    const texts = [
      `\${name.full}`,
      `\${name.prefix}-\${ match( 12 ) }`,
      `$\${verbatim}`,
      `\${agent.segment}`,
      '$x',
    ];
    const query = {
      Name: 'a',
      Template: { Type: 'name_prefix_match' },
      Service: { Service: 's', Tags: texts },
    };
    expect(await run(server, 'put --file -', { stdin: JSON.stringify(query) })).toMatchObject({
      code: 0,
      stderr: '',
    });
    const plain = await run(server, ['put', 'b', '--service', `x-\${name.full}`]);
    expectExit(plain, 0, /^warning: \$\{\.\.\.\} is only filled in by templates/);
  });
});

describe('query put with flags', () => {
  test('keeps the fields that are not given', async () => {
    const server = await shelf([db]);
    expect(await run(server, 'put db --only-passing')).toMatchObject({ code: 0, stderr: '' });
    expect(server.bodies()).toEqual([
      { Name: 'db', Service: { Service: 'db', Near: 'n1', OnlyPassing: true } },
    ]);
    expect((await run(server, 'put db --unset near')).code).toBe(0);
    expect(server.bodies()[1]).toMatchObject({ Service: { Service: 'db', Near: '', OnlyPassing: true } });
    expect((await run(server, 'put new --near n')).code).toBe(2);
  });

  test('replaces all fields of the query with the name, with --replace', async () => {
    const server = await shelf([webAsStored]);
    const ran = await run(server, 'put web --service web --near n --replace');
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(server.bodies()).toEqual([{ Name: 'web', Service: { Service: 'web', Near: 'n' } }]);
  });

  test('requires one name, and rejects a file with field flags', async () => {
    const server = await shelf([]);
    for (const argv of [
      ['put', 'a', '--name', 'b', '--service', 's'],
      ['put', '--service', 's'],
      ['put', 'a', '--file', 'x.yaml'],
      ['put', 'a', '--service', 's', '--failover-target', 'dc2'],
      ['put', 'a', '--service', 's', '--token', 'plain-s3cret'],
    ]) {
      const ran = await run(server, argv);
      expect(ran).toMatchObject({ code: 2, stdout: '' });
      expect(ran.stderr).not.toContain('plain-s3cret');
    }
    expect(server.seen).toEqual([]);
  });

  test('changes nothing if two queries have the name', async () => {
    const server = await shelf([webAsStored, webAsStored]);
    expect(await run(server, 'put web --service x')).toMatchObject({ code: 2, stdout: '' });
    expectFailure(await run(server, 'get web'), 2, id(2));
    expect(server.writes()).toEqual([]);
  });
});

describe('query put --curl', () => {
  const two = 'Name: web\nService: {Service: web}\n---\nName: db\nService: {Service: db}\n';

  test('prints the requests of all queries of a file, one per line', async () => {
    const server = await shelf([web]);
    at.write('two.yaml', two);
    const stdout = quietOutputOf(await run(server, 'put --file two.yaml --replace --curl'));
    const lines = stdout.trimEnd().split('\n');
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(/^curl --request PUT .*\/v1\/query\/\S+$/);
    expect(lines[1]).toMatch(/^curl --request POST .*"Name":"db".*\/v1\/query$/);
    expect(server.writes()).toEqual([]);
  });

  test('prints a comment if nothing would change', async () => {
    const server = await shelf([]);
    at.write('two.yaml', two);
    expect((await run(server, 'put --file two.yaml')).code).toBe(0);
    for (const argv of [
      ['put', '--file', 'two.yaml', '--curl'],
      ['update', 'web', '--service', 'web', '--curl'],
      ['put', '--file', 'two.yaml', '--curl', '-o', 'jsonl'],
    ]) {
      const stdout = quietOutputOf(await run(server, argv));
      expect(stdout).toMatch(/^"?# nothing to send: Query web is unchanged\./);
      if (!argv.includes('jsonl'))
        for (const line of stdout.trimEnd().split('\n')) expect(line).toMatch(/^# /);
    }
  });
});
