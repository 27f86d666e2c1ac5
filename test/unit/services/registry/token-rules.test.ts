import { describe, expect, test } from 'vitest';
import { responseWith } from '../callers.ts';
import { guarded } from './support.ts';

const unknown = 'b7e3c1a0-0000-4000-8000-000000000000';

describe('a new token', () => {
  test.each([
    [{ ExpirationTTL: '1s' }, 500, 'ExpirationTime cannot be less than 1m0s in the future (was 1s)'],
    [{ ExpirationTTL: '-1h' }, 500, "Token Expiration TTL '-1h0m0s' should be > 0"],
    [{ ExpirationTTL: 'x' }, 400, 'Token decoding failed: time: invalid duration "x"'],
    [{ ExpirationTTL: '60' }, 400, 'Token decoding failed: time: invalid duration "60"'],
    [{ ExpirationTTL: true }, 400, 'Token decoding failed: time: invalid duration true'],
    [{ ExpirationTime: '2020-01-01T00:00:00Z' }, 500, 'ExpirationTime cannot be before CreateTime'],
    [
      { ExpirationTime: '2026-01-02T12:00:30Z' },
      500,
      'ExpirationTime cannot be less than 1m0s in the future (was 30s)',
    ],
    [
      { ExpirationTTL: '1h', ExpirationTime: '2027-01-01T00:00:00Z' },
      500,
      'Token Expiration TTL and Expiration Time cannot both be set',
    ],
    [{ ExpirationTime: 'tomorrow' }, 400, /^Token decoding failed: parsing time "tomorrow"/],
    [{ ExpirationTime: '2027' }, 400, /^Token decoding failed: parsing time "2027"/],
    [
      { SecretID: '00000000-0000-0000-0000-000000000009' },
      500,
      'Invalid Token: SecretID - UUIDs with the prefix "00000000-0000-0000-0000-0000000000" are reserved',
    ],
    [{ SecretID: 'anonymous' }, 500, 'Invalid Token: SecretID - not a valid UUID'],
    [{ AuthMethod: 'x' }, 500, 'AuthMethod field is disallowed outside of login'],
    [{ Nope: 1 }, 400, 'Token decoding failed: json: unknown field "Nope"'],
    [{ Rules: '' }, 400, 'Token decoding failed: json: unknown field "Rules"'],
    [{ Type: 'client' }, 400, 'Token decoding failed: json: unknown field "Type"'],
    [
      { Namespace: 'default' },
      400,
      'Token decoding failed: json: unknown field "Namespace" - Namespaces are a Consul Enterprise feature',
    ],
    [{ Policies: [{ Nope: 1 }] }, 400, 'Token decoding failed: json: unknown field "Nope"'],
    [{ Policies: [{ ID: unknown }] }, 500, `No such ACL policy with ID "${unknown}"`],
    [
      { Policies: [{ ID: 'x' }] },
      500,
      'Error looking up policy for ID: "x": failed acl policy lookup: index error: UUID must be 36 characters',
    ],
    [{ ServiceIdentities: [{}] }, 500, 'Service identity is missing the service name field on this token'],
    [
      { NodeIdentities: [{ NodeName: 'N', Datacenter: 'dc1' }] },
      500,
      "Node identity has an invalid name. Only lowercase alphanumeric characters, '-' and '_' are allowed",
    ],
  ])('is rejected: %j', async (body, status, message) => {
    const { root } = await guarded();
    expect(await root('PUT', 'acl/token', body)).toEqual(responseWith(status, message));
  });

  test('expires after its TTL or at its time, the zero time is none, and its IDs are its own', async () => {
    const { manage, root } = await guarded();
    const expiration = async (body: object) => (await manage('PUT', 'acl/token', body)).ExpirationTime;
    expect(await expiration({ ExpirationTTL: '25h' })).toBe('2026-01-03T13:00:00.000Z');
    expect(await expiration({ ExpirationTTL: 60_000_000_000 })).toBe('2026-01-02T12:01:00.000Z');
    expect(await expiration({ ExpirationTime: '2027-01-01T00:00:00+01:00' })).toBe(
      '2026-12-31T23:00:00.000Z',
    );
    expect(await expiration({ ExpirationTime: '0001-01-01T00:00:00Z', ExpirationTTL: 0 })).toBeUndefined();
    const SecretID = 'b7e3c1a0-0000-4000-8000-000000000001';
    await manage('PUT', 'acl/token', { AccessorID: unknown, SecretID });
    expect(await root('PUT', 'acl/token', { SecretID: unknown })).toBe(
      '500 Invalid Token: SecretID is already in use',
    );
  });

  test('has each identity once', async () => {
    const { manage } = await guarded();
    const token = await manage('PUT', 'acl/token', {
      ServiceIdentities: [
        { ServiceName: 'b', Datacenters: ['dc2'] },
        { ServiceName: 'a' },
        { ServiceName: 'b', Datacenters: ['dc1', 'dc2'] },
      ],
      NodeIdentities: [
        { NodeName: 'n', Datacenter: 'dc1' },
        { NodeName: 'n', Datacenter: 'dc1' },
      ],
    });
    expect(token.ServiceIdentities).toEqual([
      { ServiceName: 'b', Datacenters: ['dc1', 'dc2'] },
      { ServiceName: 'a' },
    ]);
    expect(token.NodeIdentities).toEqual([{ NodeName: 'n', Datacenter: 'dc1' }]);
  });
});

test('an update changes neither locality, auth method, secret nor expiration of a token', async () => {
  const { manage, root } = await guarded();
  const { AccessorID, ExpirationTime } = await manage('PUT', 'acl/token', { ExpirationTTL: '1h' });
  const update = async (body: object) => await root.text('PUT', `acl/token/${AccessorID}`, body);
  expect(await update({ Local: true })).toBe(`Cannot toggle local mode of ${AccessorID}`);
  expect(await update({ AuthMethod: 'x' })).toBe(`Cannot change AuthMethod of ${AccessorID}`);
  const fixed = `Cannot change expiration time of ${AccessorID}`;
  expect(await update({ ExpirationTTL: '2h' })).toBe(fixed);
  expect(await update({ ExpirationTime: '2026-01-02T14:00:00Z' })).toBe(fixed);
  expect(await manage('PUT', `acl/token/${AccessorID}`, { ExpirationTime })).toMatchObject({
    ExpirationTime,
  });
});

test('a token cannot delete itself', async () => {
  const { manage, withToken, bootstrapped } = await guarded();
  const token = await manage('PUT', 'acl/token', { Policies: [{ Name: 'global-management' }] });
  const send = withToken(token.SecretID);
  expect(await send('DELETE', `acl/token/${token.AccessorID}`)).toBe(
    "500 Deletion of the request's authorization token is not permitted",
  );
  expect(await send.status('DELETE', `acl/token/${bootstrapped.AccessorID}`)).toBe(200);
  expect(await send.status('GET', 'acl/token/self')).toBe(200);
});

test('the list of tokens is of a policy, role, auth method or service, one of them', async () => {
  const { manage, root } = await guarded();
  const identity = await manage('PUT', 'acl/token', { ServiceIdentities: [{ ServiceName: 'web' }] });
  const template = await manage('PUT', 'acl/token', {
    TemplatedPolicies: [{ TemplateName: 'builtin/service', TemplateVariables: { Name: 'web' } }],
  });
  await manage('PUT', 'acl/token', { ServiceIdentities: [{ ServiceName: 'db' }] });
  const listed = JSON.parse((await root.text('GET', 'acl/tokens?servicename=web')) as string) as object[];
  const accessors = [identity.AccessorID, template.AccessorID].map((AccessorID) =>
    expect.objectContaining({ AccessorID }),
  );
  expect(listed).toHaveLength(2);
  expect(listed).toEqual(expect.arrayContaining(accessors));
  expect(await root('GET', 'acl/tokens?servicename=none')).toBe('200 []');
  expect(await root('GET', `acl/tokens?servicename=web&policy=${unknown}`)).toBe(
    '500 can only filter by one of policy, role, serviceName, or methodName at a time',
  );
  for (const name of ['policy', 'role']) {
    expect(await root('GET', `acl/tokens?${name}=x`)).toBe(
      '500 failed acl token lookup: index error: UUID must be 36 characters',
    );
  }
  expect(await root('GET', 'acl/tokens?authmethod=x&authmethod-ns=y')).toBe(
    '400 Invalid query parameter: "authmethod-ns" - Namespaces are a Consul Enterprise feature',
  );
});

test('an expanded token has its roles and all its policies', async () => {
  const { manage } = await guarded();
  const policy = await manage('PUT', 'acl/policy', { Name: 'p', Rules: 'acl = "read"' });
  const role = await manage('PUT', 'acl/role', {
    Name: 'r',
    Policies: [{ Name: 'p' }],
    NodeIdentities: [{ NodeName: 'n', Datacenter: 'dc1' }],
  });
  const { AccessorID } = await manage('PUT', 'acl/token', {
    Policies: [{ Name: 'p' }],
    Roles: [{ Name: 'r' }],
    ServiceIdentities: [{ ServiceName: 'web' }],
  });
  const expanded = await manage('GET', `acl/token/${AccessorID}?expanded=true`);
  expect(expanded).toMatchObject({
    AccessorID,
    ExpandedRoles: [role],
    NamespaceDefaultPolicyIDs: null,
    NamespaceDefaultRoleIDs: null,
    AgentACLDefaultPolicy: 'deny',
    AgentACLDownPolicy: 'extend-cache',
    ResolvedByAgent: 'lanyard',
  });
  const synthetic = 'synthetic policy generated from templated policy: builtin/';
  expect(expanded.ExpandedPolicies).toMatchObject([
    policy,
    { Description: `${synthetic}service`, Rules: expect.stringContaining('service "web-sidecar-proxy"') },
    { Description: `${synthetic}node`, Datacenters: ['dc1'] },
  ]);
  const { AccessorID: bare } = await manage('PUT', 'acl/token', {});
  expect(await manage('GET', `acl/token/${bare}?expanded`)).toMatchObject({
    ExpandedPolicies: null,
    ExpandedRoles: null,
  });
});
