import { beforeEach, describe, expect, test } from 'vitest';
import {
  embeddedForEach,
  expectExit,
  expectFailure,
  outputOf,
  runnerOf,
} from '../../support/command-tests.ts';
import { serve } from '../../unit/api/support.ts';

const { at, running } = embeddedForEach();
const acl = runnerOf(at, 'acl');
const put = (name: string, rules: string) => at.run(['acl', 'policy', 'put', name, '--rules', rules]);
const created = async (flags: string): Promise<{ AccessorID: string; SecretID: string }> =>
  JSON.parse((await acl(`token create ${flags} -o json`)).stdout);
const as = ({ SecretID }: { SecretID: string }) => ({ env: { LANYARD_REGISTRY_TOKEN: SecretID } });

beforeEach(async () => {
  at.env.LANYARD_REGISTRY_TOKEN = (await acl('bootstrap --field SecretID')).stdout.trim();
  await put('deploy', 'key_prefix "app/" { policy = "read" } key "app/x" { policy = "write" }');
  await put('stop', 'key_prefix "app/secret/" { policy = "deny" } operator = "read"');
  await acl('role put ops --policy stop --service-identity web');
});

describe('acl explain', () => {
  test('shows what a token has, and the rules that it adds up to', async () => {
    const { AccessorID } = await created(
      '--policy deploy --role ops --node-identity n1:other --description Job',
    );
    const stdout = outputOf(await acl(`explain ${AccessorID.slice(0, 8)}`));
    const lines = stdout.split('\n');
    expect(lines).toEqual(
      expect.arrayContaining([
        `accessor\t${AccessorID}`,
        'policy\tdeploy\t-\tall\tapply',
        'policy\tstop\trole ops\tall\tapply',
        'service identity\tweb\trole ops\tall\tapply',
        'node identity\tn1\t-\tother\tdo not apply here',
        'key\tapp/*\tread\tpolicy deploy',
        'key\tapp/secret/*\tdeny\tpolicy stop',
        'key\tapp/x\twrite\tpolicy deploy',
        'operator\t-\tread\tpolicy stop',
        'service\tweb\twrite\tservice identity web',
        'service\tweb-sidecar-proxy\twrite\tservice identity web',
      ]),
    );
    expect(stdout).not.toContain('node\tn1');
  });

  test('shows the rules of templated policies, and leaves out other datacenters', async () => {
    await at.run(['acl', 'policy', 'put', 'far', '--rules', 'acl = "write"', '--valid-datacenter', 'dc9']);
    const { AccessorID } = await created('--templated-policy builtin/service:api --policy far');
    const ran = await acl(`explain ${AccessorID}`);
    expect(ran.stdout).toContain('policy\tfar\t-\tdc9\tdo not apply here\n');
    expect(ran.stdout).toContain('service\tapi\twrite\ttemplated policy builtin/service:api\n');
    expect(ran.stdout).not.toContain('acl\t');
    const expanded = await acl(`token get ${AccessorID} --expanded`);
    expect(expanded.stdout + expanded.stderr).toMatch(/service "api" \{|did not expand the token/);
  });

  test('prints JSON without the secret', async () => {
    const token = await created('--policy deploy');
    const ran = await acl(`explain ${token.AccessorID} -o json`);
    expect(ran.stdout).not.toContain(token.SecretID);
    expect(JSON.parse(ran.stdout)).toMatchObject({
      token: { AccessorID: token.AccessorID, SecretID: '<redacted>' },
      grants: [{ kind: 'policy', name: 'deploy', role: null, datacenters: [], isValid: true }],
      rules: [
        { resource: 'key', match: 'prefix', name: 'app/', access: 'read', from: ['policy deploy'] },
        { resource: 'key', match: 'exact', name: 'app/x', access: 'write', from: ['policy deploy'] },
      ],
      complete: true,
    });
  });

  test('shows only the names without acl:read, with a warning', async () => {
    const ran = await acl('explain', as(await created('--policy deploy --role ops')));
    expect(ran.code).toBe(0);
    expect(ran.stderr).toContain('policy "deploy" could not be read: acl:read is missing');
    expect(ran.stderr).toContain('role "ops" could not be read');
    expect(ran.stdout).toContain('The rules are incomplete');
  });

  test.each([
    ['explain ffffffff', 3, 'token "ffffffff" not found'],
    ['explain x', 2, 'invalid token "x"'],
  ])('rejects "%s"', async (line, code, message) => {
    expectFailure(await acl(line), code, message);
  });

  test('reports a token that the registry does not know', async () => {
    expect((await acl('explain', as({ SecretID: '4f1b0b5c-2c66-4c44-8f76-1f0a2c4d6c11' }))).code).toBe(4);
  });
});

const requests: readonly (readonly [string, boolean])[] = [
  ['key:read app/a', true],
  ['key:write app/a', false],
  ['key:write app/x', true],
  ['key:list app/a', false],
  ['key:read app/secret/a', false],
  ['key:write-prefix app/', false],
  ['service:write web', true],
  ['service:read other', true],
  ['node:read n1', true],
  ['session:write n1', false],
  ['operator:read', true],
  ['operator:write', false],
  ['acl:read', false],
];

describe('acl can', () => {
  test.each(requests)('%s: %s, by the registry and computed', async (request, isAllowed) => {
    const token = await created('--policy deploy --role ops');
    const code = isAllowed ? 0 : 5;
    const decided = await acl(`can ${request}`, as(token));
    expect([decided.code, decided.stdout], decided.stderr).toEqual([code, isAllowed ? 'yes\n' : 'no\n']);
    const computed = await acl(`can ${request} --token ${token.AccessorID}`);
    expect(computed.code, computed.stderr).toBe(code);
    expect(computed.stdout).toMatch(isAllowed ? /^yes: / : /^no: /);
  });

  test('names the rule that decides', async () => {
    const { AccessorID } = await created('--policy deploy --role ops');
    const reason = async (request: string) => (await acl(`can ${request} --token ${AccessorID}`)).stdout;
    expect(await reason('key:write app/x')).toBe('yes: key "app/x" is write in policy deploy\n');
    expect(await reason('key:read app/secret/a')).toBe(
      'no: key_prefix "app/secret/" is deny in policy stop\n',
    );
    expect(JSON.parse(await reason('operator:read -o json'))).toEqual({
      Resource: 'operator',
      Access: 'read',
      Allow: true,
      Reason: 'operator is read in policy stop',
    });
  });

  // A version without the path, and one without the resource.
  test.each([
    [404, ''],
    [400, 'Invalid ACL resource requested: "key"'],
  ])('computes the permission if the registry responds with %i', async (status, text) => {
    const older = await serve(async ({ method, url, headers, body }, response) => {
      if (url.startsWith('/v1/internal/')) {
        response.writeHead(status, { 'Content-Type': 'text/plain' }).end(text);
        return;
      }
      const sent = await fetch(`${running.addresses.registry}${url}`, {
        method,
        headers: { 'X-Registry-Token': String(headers['x-registry-token']) },
        ...(body === '' ? {} : { body }),
      });
      const type = sent.headers.get('content-type') ?? 'text/plain';
      response.writeHead(sent.status, { 'Content-Type': type }).end(await sent.text());
    });
    const address = `--address ${older.url}`;
    await put('reader', 'acl = "read" key "a" { policy = "write" }');
    const reader = await created('--policy reader');
    expect(await acl(`can key:write a ${address}`, as(reader))).toMatchObject({
      code: 0,
      stdout: 'yes: key "a" is write in policy reader\n',
    });
    expect((await acl(`can key:write b ${address}`, as(reader))).code).toBe(5);
    const other = await acl(`can key:write a ${address}`, as(await created('--policy deploy')));
    expectFailure(other, 1, 'the rules of the token are incomplete');
  });

  test('lets the registry decide about intentions, as about its own resources', async () => {
    const ran = await acl('can intention:read web');
    expect(ran.stdout).toBe('yes\n');
    expect(ran.code).toBe(0);
  });

  test('"no" is not the exit code of a missing permission to ask', async () => {
    const ran = await acl('can acl:read --token anonymous', as(await created('--policy deploy')));
    expectFailure(ran, 1, 'reading tokens and policies requires acl:read');
    expectExit(await acl('can acl:read', as({ SecretID: '4f1b0b5c-2c66-4c44-8f76-1f0a2c4d6c11' })), 4);
  });

  test.each([
    ['can key:rite a', 'Did you mean "key:write"?'],
    ['can frob', 'expected RESOURCE:ACCESS'],
    ['can acl:list', 'invalid permission "acl:list"'],
    ['can key:read', 'NAME is required: key:read is about one key'],
    ['can acl:read x', 'acl:read takes no NAME'],
  ])('rejects "%s"', async (line, message) => {
    expectFailure(await acl(`${line} --address http://127.0.0.1:9`), 2, message);
  });
});

// As Consul 1.21.4 responds.
const template = {
  TemplateName: 'builtin/node',
  Schema: '{}',
  Template: '\nnode "{{.Name}}" {\n\tpolicy = "write"\n}',
  Description: 'A node.',
};

describe('acl templated-policy', () => {
  const consul = () =>
    serve(({ method, url, body }, response) => {
      const send = (status: number, value: unknown) =>
        response
          .writeHead(status, {
            'Content-Type': typeof value === 'string' ? 'text/plain' : 'application/json',
          })
          .end(typeof value === 'string' ? value : JSON.stringify(value));
      if (url === '/v1/acl/templated-policies')
        send(200, {
          'builtin/node': template,
          'builtin/dns': { ...template, TemplateName: 'builtin/dns', Schema: '' },
        });
      else if (url === '/v1/acl/templated-policy/name/builtin/node') send(200, template);
      else if (method === 'POST' && body.includes('"name":"n1"'))
        send(200, { ID: 'x', Name: 'synthetic-policy-x', Rules: '\nnode "n1" {\n\tpolicy = "write"\n}' });
      else if (method === 'POST')
        send(
          400,
          'validation error for templated policy: "builtin/node": node identity "" has an invalid name.',
        );
      else send(400, `Invalid templated policy Name: ${url.slice(33)}`);
    });

  test('lists, shows and previews templates', async () => {
    const { url } = await consul();
    const run = (line: string) => acl(`templated-policy ${line} --address ${url}`);
    expect((await run('list')).stdout).toBe('builtin/dns\t-\tA node.\nbuiltin/node\tname\tA node.\n');
    expect((await run('get builtin/node')).stdout).toContain('\nnode "{{.Name}}" {\n');
    expect((await run('preview builtin/node --name n1')).stdout).toBe('node "n1" {\n\tpolicy = "write"\n}\n');
    expect((await run('preview builtin/node')).stderr).toContain('has an invalid name');
    expectFailure(await run('get builtin/nope'), 3, 'templated policy "builtin/nope" not found');
  });
});
