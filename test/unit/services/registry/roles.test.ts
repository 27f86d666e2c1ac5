import { describe, expect, test } from 'vitest';
import { guarded } from './support.ts';

describe('roles', () => {
  test('are made, read by ID and by name, listed, changed and removed', async () => {
    const { manage, ask, rootHeaders } = await guarded();
    const policy = await manage('PUT', 'acl/policy', {
      Name: 'reads',
      Rules: 'key_prefix "" { policy = "read" }',
    });
    const role = await manage('PUT', 'acl/role', {
      Name: 'reader',
      Description: 'may look',
      Policies: [{ Name: 'reads' }],
      ServiceIdentities: [{ ServiceName: 'web', Datacenters: ['dc1'] }],
      NodeIdentities: [{ NodeName: 'n1', Datacenter: 'dc1' }],
    });
    expect(role).toMatchObject({
      Name: 'reader',
      Description: 'may look',
      Policies: [{ ID: policy.ID, Name: 'reads' }],
      ServiceIdentities: [{ ServiceName: 'web', Datacenters: ['dc1'] }],
      NodeIdentities: [{ NodeName: 'n1', Datacenter: 'dc1' }],
      Hash: expect.any(String),
    });
    expect(role.ModifyIndex).toBe(role.CreateIndex);
    expect(await manage('GET', `acl/role/${role.ID}`)).toEqual(role);
    expect(await manage('GET', 'acl/role/name/reader')).toEqual(role);
    expect(await manage('GET', 'acl/roles')).toEqual([role]);
    expect(await manage('GET', `acl/roles?policy=${policy.ID}`)).toEqual([role]);
    expect(await manage('GET', `acl/roles?policy=${role.ID}`)).toEqual([]);
    const changed = await manage('PUT', `acl/role/${role.ID}`, {
      Name: 'viewer',
      Policies: [{ ID: policy.ID }],
    });
    expect(changed).toMatchObject({ ID: role.ID, Name: 'viewer', CreateIndex: role.CreateIndex });
    expect(changed).not.toHaveProperty('ServiceIdentities');
    const headers = rootHeaders;
    const listed = await ask('GET', 'acl/roles', { headers });
    expect(listed.headers['x-registry-index']).toBe(String(changed.ModifyIndex));
    expect(await manage('DELETE', `acl/role/${role.ID}`)).toBe(true);
    expect(await manage('GET', 'acl/roles')).toEqual([]);
  });

  test('grant their permissions to tokens, until they are deleted', async () => {
    const { manage, withToken } = await guarded();
    await manage('PUT', 'acl/policy', { Name: 'p', Rules: 'key_prefix "a/" { policy = "write" }' });
    const role = await manage('PUT', 'acl/role', { Name: 'r', Policies: [{ Name: 'p' }] });
    const token = await manage('PUT', 'acl/token', { Roles: [{ Name: 'r' }] });
    expect(token).toMatchObject({ Roles: [{ ID: role.ID, Name: 'r' }] });
    expect(token).not.toHaveProperty('Policies');
    const send = withToken(token.SecretID);
    expect(await send('PUT', 'kv/a/b', '1')).toBe('200 true');
    expect(await send.status('PUT', 'kv/b', '1')).toBe(403);
    expect(await manage('GET', `acl/tokens?role=${role.ID}`)).toMatchObject([
      { AccessorID: token.AccessorID },
    ]);
    await manage('DELETE', `acl/role/${role.ID}`);
    expect(await send.status('PUT', 'kv/a/b', '1')).toBe(403);
    expect(await manage('GET', `acl/token/${token.AccessorID}`)).not.toHaveProperty('Roles');
  });

  test('can give everything', async () => {
    const { manage, withToken } = await guarded();
    await manage('PUT', 'acl/role', { Name: 'admin', Policies: [{ Name: 'global-management' }] });
    const token = await manage('PUT', 'acl/token', { Roles: [{ Name: 'admin' }] });
    const send = withToken(token.SecretID);
    expect(await send.status('GET', 'acl/tokens')).toBe(200);
  });

  test('that do not exist, or are invalid, are rejected', async () => {
    const { holder, anonymous, root } = await guarded();
    const unknown = 'b7e3c1a0-0000-4000-8000-000000000000';
    const noUuid = '500 failed acl role lookup: index error: UUID must be 36 characters';
    expect(await root('GET', 'acl/role/x')).toEqual(noUuid);
    expect(await root('GET', 'acl/roles?policy=x')).toEqual(noUuid);
    const web = [{ ServiceName: 'web' }];
    const body = { Name: 'x', ServiceIdentities: web };
    expect(await root('PUT', 'acl/role/x', body)).toBe('500 Role ID invalid UUID');
    expect(await root('PUT', 'acl/role', { ID: unknown, Name: 'x' })).toBe(
      '400 Role ID in URL and payload do not match',
    );
    expect(await root('DELETE', 'acl/role/x')).toEqual(noUuid);
    const rejected = async (body: object) => await root.text('PUT', 'acl/role', { Name: 'r', ...body });
    expect(await rejected({ Name: 'two words' })).toMatch(/^Invalid Role: invalid Name/);
    expect(await rejected({ Policies: [{ ID: unknown }] })).toBe(
      `Failed to apply role upsert request: No such policy with ID: ${unknown}`,
    );
    expect(await rejected({ Nope: 1 })).toBe('Role decoding failed: json: unknown field "Nope"');
    expect(await rejected({ ServiceIdentities: [{ ServiceName: 'Web' }] })).toMatch(
      /"Web" has an invalid name/,
    );
    expect(await rejected({ ServiceIdentities: [{}] })).toMatch(
      /missing the service name field on this role/,
    );
    expect(await rejected({ Policies: 1 })).toMatch(/^Role decoding failed: Policies/);
    const { send } = await holder('acl = "read"');
    expect(await send.status('GET', 'acl/roles')).toBe(200);
    expect(await send.status('PUT', 'acl/role', { Name: 's', ServiceIdentities: web })).toBe(403);
    expect(await anonymous.status('GET', 'acl/roles')).toBe(403);
  });
});

describe('identities', () => {
  const node = { Node: 'n1', Address: '10.0.0.1' };

  test('of a service let it register itself and its proxy and find all others', async () => {
    const { manage, withToken } = await guarded();
    await manage('PUT', 'catalog/register', node);
    const token = await manage('PUT', 'acl/token', { ServiceIdentities: [{ ServiceName: 'web' }] });
    const send = withToken(token.SecretID);
    const register = async (Service: string) =>
      await send.status('PUT', 'catalog/register', { ...node, Service: { Service } });
    expect(await register('web')).toBe(200);
    expect(await register('web-sidecar-proxy')).toBe(200);
    expect(await register('db')).toBe(403);
    expect(await send.status('GET', 'catalog/service/db')).toBe(200);
    expect(await send.text('GET', 'catalog/nodes')).toContain('"n1"');
    expect(await send.status('PUT', 'catalog/register', { Node: 'n2', Address: '10.0.0.2' })).toBe(403);
    expect(await send.status('PUT', 'kv/a', '1')).toBe(403);
  });

  test('of a node let it register itself and find services', async () => {
    const { manage, withToken } = await guarded();
    await manage('PUT', 'catalog/register', { ...node, Service: { Service: 'web' } });
    const token = await manage('PUT', 'acl/token', {
      NodeIdentities: [{ NodeName: 'n1', Datacenter: 'dc1' }],
    });
    const send = withToken(token.SecretID);
    expect(await send.status('PUT', 'catalog/register', { ...node, Address: '10.0.0.9' })).toBe(200);
    expect(await send.status('PUT', 'catalog/register', { Node: 'n2', Address: '10.0.0.2' })).toBe(403);
    expect(await send.text('GET', 'catalog/services')).toContain('"web"');
    // Instances on nodes that the token cannot read are left out.
    await manage('PUT', 'catalog/register', { Node: 'n2', Address: '10.0.0.2', Service: { Service: 'db' } });
    expect(await send.text('GET', 'catalog/services')).not.toContain('"db"');
  });

  test('of another datacenter mean nothing', async () => {
    const { manage, withToken } = await guarded();
    const token = await manage('PUT', 'acl/token', {
      ServiceIdentities: [{ ServiceName: 'web', Datacenters: ['dc9'] }],
      NodeIdentities: [{ NodeName: 'n1', Datacenter: 'dc9' }],
    });
    const send = withToken(token.SecretID);
    expect(await send.status('PUT', 'catalog/register', node)).toBe(403);
    expect(await send.text('GET', 'catalog/nodes')).toBe('[]');
  });

  test('of a token of one datacenter name no others', async () => {
    const { root } = await guarded();
    const ServiceIdentities = [{ ServiceName: 'web', Datacenters: ['dc1'] }];
    expect(await root('PUT', 'acl/token', { Local: true, ServiceIdentities })).toBe(
      '500 Service identity "web" cannot specify a list of datacenters on a local token',
    );
  });

  test('and roles go along when a token is cloned, and go when it is changed without them', async () => {
    const { manage } = await guarded();
    const role = await manage('PUT', 'acl/role', { Name: 'r', ServiceIdentities: [{ ServiceName: 'web' }] });
    const grants = {
      Roles: [{ ID: role.ID, Name: 'r' }],
      NodeIdentities: [{ NodeName: 'n1', Datacenter: 'dc1' }],
    };
    const token = await manage('PUT', 'acl/token', { ...grants, ExpirationTTL: '1h' });
    const { ExpirationTime } = token;
    expect(await manage('PUT', `acl/token/${token.AccessorID}/clone`, {})).toMatchObject({
      ...grants,
      ExpirationTime,
    });
    const bare = await manage('PUT', `acl/token/${token.AccessorID}`, { Description: 'bare' });
    expect(bare).toMatchObject({ Description: 'bare', ExpirationTime });
    expect(bare).not.toHaveProperty('Roles');
    expect(bare).not.toHaveProperty('NodeIdentities');
  });
});

test('tokens whose time is over are removed with a later request', async () => {
  const { manage, pass, anonymous, logged } = await guarded();
  const { AccessorID, SecretID } = await manage('PUT', 'acl/token', { ExpirationTTL: '90s' });
  pass(120);
  await anonymous('GET', 'status/leader');
  // Were it still there, the secret could not be given to another token.
  expect(await manage('PUT', 'acl/token', { AccessorID, SecretID })).toMatchObject({ AccessorID });
  expect(logged).toEqual([]);
});
