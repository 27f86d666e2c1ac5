import { describe, expect, test } from 'vitest';
import { responseWith } from '../callers.ts';
import { folder } from '../support.ts';
import { guarded, registry } from './support.ts';

const management = '00000000-0000-0000-0000-000000000001';
const readOnly = '00000000-0000-0000-0000-000000000002';

describe('a policy', () => {
  test('applies in its datacenters only', async () => {
    const { manage, grant } = await guarded({ datacenters: ['dc1', 'dc2'] });
    const policy = await manage('PUT', 'acl/policy', {
      Name: 'p',
      Rules: 'key_prefix "" { policy = "write" }',
      Datacenters: ['dc2'],
    });
    expect(policy.Datacenters).toEqual(['dc2']);
    expect(await manage('GET', `acl/policy/${policy.ID}`)).toEqual(policy);
    expect(await manage('GET', 'acl/policies')).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ Name: 'p', Datacenters: ['dc2'] }),
        expect.objectContaining({ Name: 'global-management', Datacenters: null }),
      ]),
    );
    const send = await grant({ Policies: [{ Name: 'p' }] });
    expect(await send.status('PUT', 'kv/a', '1')).toBe(403);
    expect(await send('PUT', 'kv/a?dc=dc2', '1')).toBe('200 true');
    const changed = await manage('PUT', `acl/policy/${policy.ID}`, { Name: 'p', Rules: policy.Rules });
    expect(changed).not.toHaveProperty('Datacenters');
    expect(await send('PUT', 'kv/a', '1')).toBe('200 true');
  });

  test.each([
    [{ Name: 'p', Datacenters: 'dc1' }, 400, /^Policy decoding failed: Datacenters/],
    [
      { Name: 'a/b/c' },
      500,
      "Invalid Policy: invalid Name. Only alphanumeric characters, a single '/', '-' and '_' are allowed",
    ],
    [
      { Name: 'builtin/p' },
      500,
      "Invalid Policy: invalid Name. Names cannot be prefixed with '/' or 'builtin/'",
    ],
    [
      { Name: 'a'.repeat(129) },
      500,
      'Invalid Policy: invalid Name. Length must be greater than 0 and less than 128',
    ],
    [
      { Name: 'p', Rules: 'key "a" { policy = "read" intentions = "read" }' },
      500,
      'Failed to parse ACL rules: "intentions" is not supported in key "a"',
    ],
    [
      { Name: 'p', Rules: 'service "a" { policy = "read" intentions = "all" }' },
      500,
      /^Failed to parse ACL rules: invalid policy for intentions of service "a"/,
    ],
  ])('is rejected: %j', async (body, status, message) => {
    const { root } = await guarded();
    expect(await root('PUT', 'acl/policy', body)).toEqual(responseWith(status, message));
  });

  test('has a name whose case does not matter', async () => {
    const { manage, root } = await guarded();
    const policy = await manage('PUT', 'acl/policy', { Name: 'Web-Read' });
    expect(policy.Name).toBe('Web-Read');
    expect(await manage('GET', 'acl/policy/name/WEB-read')).toEqual(policy);
    expect(await root('PUT', 'acl/policy', { Name: 'web-read' })).toBe(
      '500 Invalid Policy: A Policy with Name "web-read" already exists',
    );
    const role = await manage('PUT', 'acl/role', { Name: 'Web', Policies: [{ Name: 'wEB-READ' }] });
    expect(role.Policies).toEqual([{ ID: policy.ID, Name: 'Web-Read' }]);
    expect(await manage('GET', 'acl/role/name/web')).toEqual(role);
    expect(await root.status('PUT', 'acl/role', { Name: 'web' })).toBe(500);
  });

  test('can have a slash in its name, and rules for every resource', async () => {
    const { manage } = await guarded();
    const Rules =
      'service "a" { policy = "read" intentions = "write" } peering = "read" identity_prefix "" { policy = "read" }';
    const policy = await manage('PUT', 'acl/policy', { Name: 'team/web', Rules });
    expect(await manage('GET', 'acl/policy/name/team/web')).toEqual(policy);
    expect(await manage('GET', 'acl/policy/name/team%2Fweb')).toEqual(policy);
    // As the clients of Consul escape it.
    expect(await manage('GET', 'acl/policy/name/team%252Fweb')).toEqual(policy);
  });
});

describe('the built-in policies', () => {
  test('grant reading, or everything', async () => {
    const { manage, grant } = await guarded();
    await manage('PUT', 'kv/a', '1');
    const send = await grant({ Policies: [{ Name: 'builtin/global-read-only' }] });
    expect(await send.text('GET', 'kv/a?raw')).toBe('1');
    expect(await send.status('PUT', 'kv/a', '2')).toBe(403);
    expect(await send.status('GET', 'acl/policies')).toBe(200);
    expect(await send.status('PUT', 'acl/policy', { Name: 'p' })).toBe(403);
    expect((await manage('GET', 'acl/policy/name/builtin%2Fglobal-read-only')).ID).toBe(readOnly);
    expect((await manage('GET', `acl/policy/${management}`)).Rules).toContain('intentions = "write"');
  });

  test('do not grant what another policy of the token denies', async () => {
    const { manage, grant } = await guarded();
    await manage('PUT', 'acl/policy', {
      Name: 'not-d',
      Rules: 'key_prefix "d/" { policy = "deny" } acl = "deny"',
    });
    const send = await grant({ Policies: [{ Name: 'not-d' }, { Name: 'global-management' }] });
    expect(await send.status('PUT', 'kv/d/x', '1')).toBe(403);
    expect(await send('PUT', 'kv/e', '1')).toBe('200 true');
    expect(await send.status('GET', 'acl/policies')).toBe(403);
  });

  test('cannot be deleted, and keep their rules', async () => {
    const { manage, root } = await guarded();
    const { Rules } = await manage('GET', `acl/policy/${management}`);
    const change = (id: string, body: object) => root.text('PUT', `acl/policy/${id}`, body);
    expect(await change(management, { Name: 'global-management', Rules, Datacenters: ['dc1'] })).toBe(
      'Changing the Datacenters of the global-management policy is not permitted',
    );
    expect(await change(readOnly, { Name: 'builtin/global-read-only' })).toMatch(
      /^Invalid Policy: invalid Name/,
    );
    expect(await manage('PUT', `acl/policy/${management}`, { Name: 'admin', Rules })).toMatchObject({
      Name: 'admin',
    });
    for (const [id, name] of [
      [management, 'admin'],
      [readOnly, 'builtin/global-read-only'],
    ])
      expect(await root('DELETE', `acl/policy/${id}`)).toBe(
        `500 Delete operation not permitted on the builtin ${name} policy`,
      );
  });
});

describe('templated policies', () => {
  const web = { TemplateName: 'builtin/service', TemplateVariables: { Name: 'web' } };

  test('are listed, read and previewed with permission to read access control', async () => {
    const { manage, root, anonymous } = await guarded();
    const all = (await manage('GET', 'acl/templated-policies')) as unknown as Record<string, object>;
    expect(Object.keys(all).sort()).toEqual([
      'builtin/api-gateway',
      'builtin/dns',
      'builtin/node',
      'builtin/nomad-client',
      'builtin/nomad-server',
      'builtin/service',
    ]);
    expect(all['builtin/dns']).toMatchObject({ TemplateName: 'builtin/dns', Schema: '' });
    for (const name of ['builtin/service', 'builtin%2Fservice'])
      expect(await manage('GET', `acl/templated-policy/name/${name}`)).toEqual(all['builtin/service']);
    expect((all['builtin/service'] as { Template: string }).Template).toContain(
      'service "{{.Name}}-sidecar-proxy" {\n\tpolicy = "write"\n}',
    );
    const preview = await manage('POST', 'acl/templated-policy/preview/builtin/service', { Name: 'web' });
    const Rules =
      '\nservice "web" {\n\tpolicy = "write"\n}\nservice "web-sidecar-proxy" {\n\tpolicy = "write"\n}\n' +
      'service_prefix "" {\n\tpolicy = "read"\n}\nnode_prefix "" {\n\tpolicy = "read"\n}';
    const ID = `${Buffer.from(Rules).toString('hex')}6c62272e07bb014262b821756295c58d`;
    expect(preview).toMatchObject({ ID, Name: `synthetic-policy-${ID}`, Rules });
    expect(await anonymous.status('GET', 'acl/templated-policies')).toBe(403);
    expect(await anonymous.status('POST', 'acl/templated-policy/preview/builtin/dns', {})).toBe(403);
    expect(await root('GET', 'acl/templated-policy/name/x')).toBe('400 Invalid templated policy Name: x');
    expect(await root.status('GET', 'acl/templated-policy/preview/builtin/dns')).toBe(405);
  });

  test.each([
    ['x', {}, 'templated policy "x" does not exist'],
    ['builtin/dns', '', 'Failed to decode request body: EOF'],
    ['builtin/dns', { Nope: 1 }, 'Failed to decode request body: json: unknown field "Nope"'],
    [
      'builtin/service',
      {},
      `validation error for templated policy: "builtin/service": service identity "" has an invalid name. Only lowercase alphanumeric characters, '-' and '_' are allowed`,
    ],
    [
      'builtin/node',
      { Name: 'A' },
      `validation error for templated policy: "builtin/node": node identity "A"  has an invalid name. Only lowercase alphanumeric characters, '-' and '_' are allowed`,
    ],
    [
      'builtin/api-gateway',
      {},
      'validation error for templated policy: "builtin/api-gateway": 1 error occurred:\n\t* name is required\n\n',
    ],
  ])('have no preview: %s %j', async (name, body, message) => {
    const { root } = await guarded();
    expect(await root('POST', `acl/templated-policy/preview/${name}`, body)).toBe(`400 ${message}`);
  });

  test('are in force in tokens and roles, in their datacenters, and after a restart', async () => {
    const dataDirectory = await folder();
    const first = await guarded({ dataDirectory });
    const { manage } = first;
    const token = await manage('PUT', 'acl/token', {
      TemplatedPolicies: [
        web,
        web,
        { TemplateName: 'builtin/nomad-client' },
        { TemplateName: 'builtin/nomad-client' },
      ],
    });
    expect(token.TemplatedPolicies).toEqual([
      {
        TemplateID: '00000000-0000-0000-0000-000000000003',
        TemplateName: 'builtin/service',
        TemplateVariables: { name: 'web' },
      },
      { TemplateID: '00000000-0000-0000-0000-000000000009', TemplateName: 'builtin/nomad-client' },
    ]);
    const role = await manage('PUT', 'acl/role', {
      Name: 'r',
      TemplatedPolicies: [
        { TemplateName: 'builtin/node', TemplateVariables: { Name: 'n1' } },
        { ...web, Datacenters: ['dc9'] },
      ],
    });
    expect(await manage('GET', `acl/role/${role.ID}`)).toEqual(role);
    const ofRole = await manage('PUT', 'acl/token', { Roles: [{ Name: 'r' }] });
    const clone = await manage('PUT', `acl/token/${token.AccessorID}/clone`, {});
    expect(clone.TemplatedPolicies).toEqual(token.TemplatedPolicies);
    await manage('PUT', 'kv/a', '1');
    await first.close();
    const second = await registry({ dataDirectory });
    const send = async (secret: unknown, method: string, path: string, body?: object) =>
      (await second.ask(method, path, { body, headers: { 'X-Registry-Token': String(secret) } })).status;
    expect(await send(token.SecretID, 'GET', 'kv/a')).toBe(200);
    expect(await send(token.SecretID, 'PUT', 'kv/a')).toBe(403);
    const node = { Node: 'n1', Address: '10.0.0.1' };
    expect(await send(token.SecretID, 'PUT', 'catalog/register', node)).toBe(403);
    expect(await send(ofRole.SecretID, 'PUT', 'catalog/register', node)).toBe(200);
    const service = { ...node, Service: { Service: 'web' } };
    expect(await send(ofRole.SecretID, 'PUT', 'catalog/register', service)).toBe(403);
    expect(await send(token.SecretID, 'PUT', 'catalog/register', service)).toBe(200);
  });

  test.each([
    [{}, 'templated policy is missing the template name field on this token'],
    [{ TemplateName: 'x' }, 'no such ACL templated policy with Name "x"'],
    [
      { TemplateName: 'builtin/service' },
      'validation error for templated policy "builtin/service": 1 error occurred:\n\t* Invalid type. Expected: object, given: null\n\n',
    ],
    [
      { TemplateName: 'builtin/service', TemplateVariables: { Name: 'A' } },
      `validation error for templated policy "builtin/service": service identity "A" has an invalid name. Only lowercase alphanumeric characters, '-' and '_' are allowed`,
    ],
  ])('are rejected in tokens: %j', async (use, message) => {
    const { root } = await guarded();
    expect(await root('PUT', 'acl/token', { TemplatedPolicies: [use] })).toBe(`500 ${message}`);
  });

  test.each([
    [{}, 'templated policy is missing the template name field on this role'],
    [{ TemplateName: 'x' }, 'templated policy with an invalid templated name: x for this role'],
    [
      { TemplateName: 'builtin/node', TemplateVariables: { Name: 'A' } },
      `encountered role with invalid templated policy: node identity "A"  has an invalid name. Only lowercase alphanumeric characters, '-' and '_' are allowed`,
    ],
  ])('are rejected in roles: %j', async (use, message) => {
    const { root } = await guarded();
    expect(await root('PUT', 'acl/role', { Name: 'r', TemplatedPolicies: [use] })).toBe(`500 ${message}`);
  });
});
