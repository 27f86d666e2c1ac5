import { describe, expect, test } from 'vitest';
import { embeddedForEach, expectExit, expectFailure, quietOutputOf } from '../../support/command-tests.ts';
import type { Ran, RunOptions } from '../../support/run.ts';

const { at } = embeddedForEach();
const registry = (line: string, options?: RunOptions): Promise<Ran> =>
  at.run(
    ['registry', ...[...line.matchAll(/'([^']*)'|[^ ']+/g)].map(([word, quoted]) => quoted ?? word)],
    options,
  );
const done = async (line: string, options?: RunOptions): Promise<string> => {
  return quietOutputOf(await registry(line, options));
};
const data = async (line: string) => JSON.parse(await done(`${line} -o json`));

const definitions = {
  'HCL of consul services register':
    'service {\n  name = "api"\n  id = "api-1"\n  port = 9090\n  enable_tag_override = true\n  tags = ["a"]\n  meta { team_name = "x" }\n  check { ttl = "10s" }\n}\n',
  JSON: '{"service":{"name":"api","id":"api-1","port":9090,"enable_tag_override":true,"tags":["a"],"meta":{"team_name":"x"},"check":{"ttl":"10s"}}}',
  'the fields of the API':
    'Name: api\nID: api-1\nPort: 9090\nEnableTagOverride: true\nTags: [a]\nMeta: {team_name: x}\nCheck: {TTL: 10s}\n',
};

describe('registry service register', () => {
  test('registers a service with its tags, metadata and check', async () => {
    expect(await done('service register web --port 8080 --tag prod,eu --meta version=2')).toBe(
      'Registered service web.\n',
    );
    expect(await done('service register web --id web-2 --address 10.1.2.3 --port 8081 --check-ttl 30s')).toBe(
      'Registered service web with ID web-2.\n',
    );
    expect(await done('service get web')).toBe(
      'web\tlanyard\t127.0.0.1:8080\tpassing\tprod, eu\nweb-2\tlanyard\t10.1.2.3:8081\tcritical\t-\n',
    );
    expect((await data('service get web --passing')).map(idOf)).toEqual(['web']);
    expect((await data('service get web --tag eu')).map(idOf)).toEqual(['web']);
    expect((await data(`service get web --filter 'Service.Port == 8081'`)).map(idOf)).toEqual(['web-2']);
  });

  test.each(Object.entries(definitions))('reads %s', async (_format, text) => {
    expect(await done('service register --in -', { stdin: text })).toBe(
      'Registered service api with ID api-1.\n',
    );
    expect(await data('service get api')).toMatchObject([
      {
        Service: {
          ID: 'api-1',
          Port: 9090,
          Tags: ['a'],
          EnableTagOverride: true,
          Meta: { team_name: 'x' },
        },
        Checks: expect.arrayContaining([
          expect.objectContaining({ CheckID: 'service:api-1', Status: 'critical' }),
        ]),
      },
    ]);
  });

  test.each([
    'service {\n  name = "api"\n  check {\n    id = "alive"\n    ttl = "10s"\n  }\n}\n',
    'service {\n  name = "api"\n  checks = [{ id = "alive", ttl = "10s" }]\n}\n',
    '{"Name":"api","Checks":[{"CheckID":"alive","TTL":"10s"}]}',
  ])('names the check as the file does: %j', async (stdin) => {
    await done('service register --in -', { stdin });
    expect(await data('service get api')).toMatchObject([
      { Checks: expect.arrayContaining([expect.objectContaining({ CheckID: 'alive' })]) },
    ]);
  });

  test('registers several services of a file', async () => {
    await done('service register --in -', { stdin: '{"services":[{"name":"a"},{"name":"b"}]}' });
    expect((await data('service list')).map(({ Name }: { Name: string }) => Name)).toEqual([
      'a',
      'b',
      'consul',
    ]);
  });

  test('replaces the checks of a service with the same ID', async () => {
    await done('service register web --check-ttl 30s');
    await done('service register web');
    expect(await done('service get web')).toContain('\tpassing\t');
  });

  test.each([
    ['service register', undefined, 'no service specified'],
    ['service register web --in -', '{"name":"a"}', '--in cannot be combined with NAME'],
    ['service register --in - --port 1', '{"name":"a"}', '--in cannot be combined with NAME'],
    ['service register --in -', '{"nam":"a"}', 'invalid service in standard input: name is missing'],
    ['service register --in -', '[1]', 'invalid service in standard input: name is missing'],
    ['service register web --port x', undefined, 'invalid --port "x"'],
    ['service register web --port 65536', undefined, 'invalid port 65536: expected 1 to 65535'],
    ['service register --in -', '{"name":"a","port":-1}', 'invalid port -1: expected 1 to 65535'],
  ])('rejects %s %j', async (line, stdin, problem) => {
    expectFailure(await registry(line, stdin === undefined ? {} : { stdin }), 2, problem);
    expect((await data('service list')).length).toBe(1);
  });

  test('a check that the agent does not run is an error of the service', async () => {
    const ran = await registry('service register --in -', {
      stdin: '{"name":"web","check":{"http":"http://127.0.0.1:1/","interval":"10s"}}',
    });
    expect(ran).toMatchObject({ code: 1, stdout: '' });
    expect(await registry('service get web')).toMatchObject({ code: 3 });
  });
});

const idOf = ({ Service }: { Service: { ID: string } }): string => Service.ID;

describe('registry service list, get and deregister', () => {
  test('lists names and tags', async () => {
    await done('service register web --tag prod');
    expect(await done('service list')).toBe('consul\t-\nweb\tprod\n');
    expect(await data(`service list --filter 'ServiceName == "web"'`)).toEqual([
      { Name: 'web', Tags: ['prod'] },
    ]);
    expectExit(await registry(`service list --filter 'Nothing == 1'`), 1, 'Selector "Nothing" is not valid');
  });

  test('a missing service is not found, and a selection without instances is empty', async () => {
    expect(await registry('service get none')).toMatchObject({
      code: 3,
      stderr:
        'error: service "none" not found\nhint: Run `lanyard registry service list` for the existing services.\n',
    });
    await done('service register web --check-ttl 30s');
    expect(await done('service get web --passing')).toBe('');
    expect(await data('service get web --passing')).toEqual([]);
  });

  test('deregisters by ID after a confirmation', async () => {
    await done('service register web --id web-2');
    expect((await registry('service deregister web-2')).code).toBe(2);
    expect(await done('service deregister web-2 --yes')).toBe('Deregistered service web-2.\n');
    const ran = await registry('service deregister web-2 --yes');
    expectExit(ran, 3, 'the agent has no service with ID "web-2"');
  });
});

describe('registry node', () => {
  test('lists nodes, and shows one with its services and checks', async () => {
    await done('service register web --port 80 --check-ttl 30s');
    expect(await done('node list')).toMatch(/^lanyard\t127\.0\.0\.1\tdc1\t[\da-f-]{36}\n$/);
    const shown = await done('node get lanyard');
    expect(shown).toMatch(/^name\tlanyard\naddress\t127\.0\.0\.1\ndatacenter\tdc1\nstatus\tpassing\n/);
    expect(shown).toContain('web\tweb\t127.0.0.1:80\tcritical\t-\n');
    const { Node, Services, Checks } = await data('node get lanyard');
    expect(Node.Node).toBe('lanyard');
    expect(Object.keys(Services)).toContain('web');
    expect(Checks.map(({ CheckID }: { CheckID: string }) => CheckID).sort()).toEqual([
      'serfHealth',
      'service:web',
    ]);
    expect(await registry('node get none')).toMatchObject({
      code: 3,
      stderr:
        'error: node "none" not found\nhint: Run `lanyard registry node list` for the existing nodes.\n',
    });
  });
});
