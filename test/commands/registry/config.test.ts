import { beforeEach, describe, expect, test } from 'vitest';
import {
  embeddedForEach,
  expectExit,
  expectFailure,
  quietRunnerOf,
  runnerOf,
} from '../../support/command-tests.ts';
import { serve } from '../../unit/api/support.ts';

const { at } = embeddedForEach();
const config = runnerOf(at, 'registry config');
const done = quietRunnerOf(at, 'registry config');
const entry = async (line: string) => JSON.parse(await done(`get ${line} -o json`));

beforeEach(async () => {
  at.write('http.json', '{"Kind":"service-defaults","Name":"web","Protocol":"http"}');
});

const router = {
  'HCL with the names of the API': `
    Kind = "service-router"
    Name = "web"
    Routes = [
      {
        Match { HTTP { PathPrefix = "/admin" } }
        Destination { Service = "admin" }
      },
    ]`,
  'HCL in snake case': `
    kind = "service-router"
    name = "web"
    routes = [{ match { http { path_prefix = "/admin" } }, destination { service = "admin" } }]`,
  YAML: `
Kind: service-router
Name: web
Routes:
  - Match: {HTTP: {PathPrefix: /admin}}
    Destination: {Service: admin}`,
  JSON: '{"Kind":"service-router","Name":"web","Routes":[{"Match":{"HTTP":{"PathPrefix":"/admin"}},"Destination":{"Service":"admin"}}]}',
};

describe('registry config put', () => {
  test.each(Object.entries(router))('reads %s', async (_format, text) => {
    at.write('admin.json', '{"Kind":"service-defaults","Name":"admin","Protocol":"http"}');
    for (const file of ['http.json', 'admin.json']) await done(`put ${file}`);
    expect(await done('put -', { stdin: text })).toBe('Created service-router web.\n');
    expect(await entry('service-router web')).toMatchObject({
      Routes: [{ Match: { HTTP: { PathPrefix: '/admin' } }, Destination: { Service: 'admin' } }],
    });
    expect(await done('put -', { stdin: text })).toBe('Service-router web is unchanged.\n');
  });

  test('shows what changed, and writes several entries in their order', async () => {
    const ran = await done('put - -o json', {
      stdin:
        'Kind: service-defaults\nName: web\nProtocol: http\n---\nKind: service-defaults\nName: web\nProtocol: grpc\n',
    });
    expect(JSON.parse(ran)).toMatchObject([
      { kind: 'service-defaults', name: 'web', created: true },
      { created: false, changes: [{ path: ['Protocol'], before: 'http', after: 'grpc' }] },
    ]);
  });

  test('keeps fields that are not in the file; null resets one, --replace all', async () => {
    const put = (fields: string, flags = '') =>
      done(`put - ${flags}`.trim(), { stdin: `kind: service-defaults\nname: merged\n${fields}` });
    await put('Protocol: http\nExternalSNI: sni.example.com\nMaxInboundConnections: 7\n');
    expect(await put('protocol: grpc\n')).toBe(
      'Updated service-defaults merged.\nProtocol\t"http"\t"grpc"\n',
    );
    await put('MaxInboundConnections: null\n');
    const kept = await entry('service-defaults merged');
    expect(kept).toMatchObject({ Protocol: 'grpc', ExternalSNI: 'sni.example.com' });
    expect(kept.MaxInboundConnections ?? 0).toBe(0);
    await put('Protocol: http\n', '--replace');
    expect((await entry('service-defaults merged')).ExternalSNI ?? '').toBe('');
    await done('delete service-defaults merged --yes');
  });

  test('accepts the output of get', async () => {
    await done('put http.json');
    const read = await done('get service-defaults web -o yaml');
    expect(await done('put -', { stdin: read })).toBe('Service-defaults web is unchanged.\n');
  });

  test('--cas writes only the version that was read', async () => {
    at.write('grpc.json', '{"Kind":"service-defaults","Name":"web","Protocol":"grpc"}');
    await done('put http.json --cas 0');
    const { ModifyIndex } = await entry('service-defaults web');
    // 0 says that the entry must not exist: also of an equal one.
    for (const file of ['http.json', 'grpc.json'])
      expect(await config(`put ${file} --cas 0`)).toMatchObject({
        code: 6,
        stderr: `error: service-defaults "web" already exists with ModifyIndex ${ModifyIndex}\nhint: Nothing was changed. Read it again before you repeat the command.\n`,
      });
    await done(`put grpc.json --cas ${ModifyIndex}`);
    expect((await config(`put http.json --cas ${ModifyIndex}`)).code).toBe(6);
    expect((await config('delete service-defaults web --cas 1 --yes')).code).toBe(6);
    const ran = await config('put - --cas 3', { stdin: '{"Kind":"service-defaults","Name":"new"}' });
    expectExit(ran, 6, 'service-defaults "new" does not exist; --cas 3 expects that it does');
  });

  test('an error after the first entry lists the written entries', async () => {
    const ran = await config('put -', {
      stdin:
        '[{"Kind":"service-defaults","Name":"web"},{"Kind":"service-resolver","Name":"web","DefaultSubset":"v9"}]',
    });
    expectFailure(ran, 9, 'service-defaults "web": written');
    expect((await entry('service-defaults web')).Name).toBe('web');
  });

  test.each([
    ['Kind = "service-defaults"', 'standard input, line 1: Name is missing'],
    ['Name: web', 'standard input, line 1: Kind is missing'],
    ['[1]', 'standard input, line 1: expected an object with Kind and Name'],
    [
      'Kind = "service-defaults"\nName = web',
      'line 2, column 8: expected a number, true, false or text in quotes',
    ],
    ['Kind = "a"\nKind = "b"', 'line 2, column 1: duplicate field "Kind"'],
    ['{"Kind":"a","Kind":"b"}', 'duplicate field'],
  ])('rejects %j, and sends nothing', async (text, problem) => {
    expectFailure(await config('put -', { stdin: text }), 2, problem);
  });

  test('the name of an entry that is the only one of its kind is optional', async () => {
    expect(await done('put -', { stdin: '{"Kind":"proxy-defaults","Config":{"protocol":"http"}}' })).toBe(
      'Created proxy-defaults global.\n',
    );
    // As Consul: it rejects a name of mesh, and returns none.
    const stored = { Kind: 'mesh', TransparentProxy: { MeshDestinationsOnly: true } };
    let isStored = false;
    const { url, seen } = await serve(({ method, body }, response) => {
      if (method === 'PUT') {
        expect(JSON.parse(body)).toEqual(stored);
        isStored = true;
      }
      response.writeHead(isStored ? 200 : 404, {
        'Content-Type': isStored ? 'application/json' : 'text/plain',
        'X-Consul-Index': '1',
      });
      if (method === 'PUT') response.end('true');
      else if (isStored) response.end(JSON.stringify({ ...stored, CreateIndex: 640, ModifyIndex: 640 }));
      else response.end('Config entry not found for "mesh" / "mesh"');
    });
    at.env.LANYARD_REGISTRY_ADDR = url;
    expect(await done('put -', { stdin: JSON.stringify(stored) })).toBe('Created mesh mesh.\n');
    const read = await done('get mesh mesh -o yaml');
    expect(await done('put -', { stdin: read })).toBe('Mesh mesh is unchanged.\n');
    expect(seen[0]).toMatchObject({ method: 'GET', url: '/v1/config/mesh/mesh' });
    expect(seen[1]).toMatchObject({ method: 'PUT', url: '/v1/config' });
  });

  test('--cas needs one entry', async () => {
    const ran = await config('put - --cas 0', {
      stdin: '[{"Kind":"mesh","Name":"a"},{"Kind":"mesh","Name":"b"}]',
    });
    expect(ran).toMatchObject({ code: 2, stderr: 'error: --cas requires a file with one entry\n' });
  });
});

describe('registry config list, get and delete', () => {
  test('lists every kind, or one', async () => {
    expect(await done('list')).toBe('');
    expect(await done('list -o json')).toBe('[]\n');
    await done('put http.json');
    await done('put -', { stdin: '{"Kind":"proxy-defaults","Name":"global"}' });
    expect(await done('list')).toMatch(/^proxy-defaults\tglobal\t\d+\nservice-defaults\tweb\t\d+\n$/);
    expect(JSON.parse(await done('list service-defaults -o json'))).toMatchObject([{ Name: 'web' }]);
    expect((await config('list nonsense')).stderr).toContain('invalid config entry kind: nonsense');
  });

  test('a missing entry is not found', async () => {
    for (const line of ['get service-defaults none', 'delete service-defaults none --yes'])
      expect(await config(line)).toMatchObject({
        code: 3,
        stderr:
          'error: service-defaults "none" not found\nhint: Run `lanyard registry config list` for the existing config entries.\n',
      });
  });

  test('deletes after a confirmation', async () => {
    await done('put http.json');
    expect((await config('delete service-defaults web')).code).toBe(2);
    expect(await done('delete service-defaults web --yes')).toBe('Deleted service-defaults web.\n');
    expect(await done('list')).toBe('');
  });
});
