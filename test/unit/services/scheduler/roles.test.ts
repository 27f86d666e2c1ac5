import { describe, expect, test } from 'vitest';
import { guarded } from './support.ts';

const read = (path: string) =>
  `namespace "default" { variables { path "${path}" { capabilities = ["read"] } } }`;

/** A scheduler with the policies "a" and "b". */
async function withPolicies() {
  const all = await guarded();
  for (const name of ['a', 'b'])
    await all.manage('PUT', `acl/policy/${name}`, { Name: name, Rules: read(name) });
  return all;
}

const links = (...names: string[]) => names.map((Name) => ({ Name }));

describe('roles', () => {
  test('are created, renamed, read by ID and name, listed and deleted', async () => {
    const { manage, root } = await withPolicies();
    const made = await manage('PUT', 'acl/role', {
      Name: 'ops',
      Description: 'd',
      Policies: links('a', 'a', 'b'),
    });
    expect(made).toMatchObject({ Name: 'ops', Description: 'd', Policies: links('a', 'b') });
    const { ID } = made;
    const changed = await manage('PUT', `acl/role/${ID}`, { ID, Name: 'dev', Policies: links('b') });
    expect(changed).toMatchObject({ ID, Name: 'dev', Description: '', Policies: links('b') });
    expect(await manage('GET', `acl/role/${ID}`)).toEqual(changed);
    expect(await manage('GET', 'acl/role/name/dev')).toEqual(changed);
    expect(await root('GET', 'acl/role/name/ops')).toBe('404 ACL role not found');
    expect(await manage('GET', 'acl/roles')).toEqual([changed]);
    expect(await manage('GET', 'acl/roles?prefix=x')).toEqual([]);
    expect(await root('DELETE', `acl/role/${ID}`)).toBe('200');
    expect(await root('DELETE', `acl/role/${ID}`)).toBe('404 ACL role not found');
  });

  test.each([
    [{ Name: 'a b', Policies: links('a') }, `role 0 invalid: 1 error occurred:\n\t* invalid name 'a b'\n\n`],
    [
      { Name: 'r', Description: 'd'.repeat(257) },
      'role 0 invalid: 2 errors occurred:\n\t* description longer than 256\n\t* at least one policy should be specified\n\n',
    ],
    [{ Name: 'r', Policies: links('none') }, 'cannot find policy none'],
    [{ Name: 'taken', Policies: links('a') }, 'role with name taken already exists'],
    [{ ID: 'none', Name: 'r', Policies: links('a') }, 'cannot find role none'],
  ])('are rejected as %j', async (body, message) => {
    const { manage, root } = await withPolicies();
    await manage('PUT', 'acl/role', { Name: 'taken', Policies: links('a') });
    expect(await root('PUT', 'acl/role', body)).toBe(`400 ${message}`);
  });

  test('are not updated with another ID than in the path', async () => {
    const { root } = await withPolicies();
    expect(await root('PUT', 'acl/role/x', { ID: 'y', Name: 'r', Policies: links('a') })).toBe(
      '400 ACL role ID does not match request path',
    );
  });

  test('give their tokens the current policies, until they are deleted', async () => {
    const { manage, withToken } = await withPolicies();
    const { ID } = await manage('PUT', 'acl/role', { Name: 'ops', Policies: links('a') });
    const token = await manage('PUT', 'acl/token', { Type: 'client', Roles: links('ops') });
    expect(token).toMatchObject({ Policies: null, Roles: [{ ID, Name: 'ops' }] });
    const send = withToken(token.SecretID);
    const statuses = async () => [await send.status('GET', 'var/a'), await send.status('GET', 'var/b')];
    expect(await statuses()).toEqual([404, 403]);
    await manage('PUT', `acl/role/${ID}`, { ID, Name: 'ops2', Policies: links('b') });
    expect(await statuses()).toEqual([403, 404]);
    expect(await manage('GET', `acl/token/${token.AccessorID}`)).toMatchObject({
      Roles: [{ ID, Name: 'ops2' }],
    });
    await manage('DELETE', `acl/role/${ID}`);
    expect(await statuses()).toEqual([403, 403]);
    expect(await manage('GET', `acl/token/${token.AccessorID}`)).toMatchObject({ Roles: null });
  });

  test('are replaced, and removed, by an update of the token', async () => {
    const { manage, root } = await withPolicies();
    await manage('PUT', 'acl/role', { Name: 'ops', Policies: links('a') });
    const { AccessorID } = await manage('PUT', 'acl/token', { Type: 'client', Roles: links('ops') });
    const update = (fields: object) =>
      root('PUT', `acl/token/${AccessorID}`, { AccessorID, Type: 'client', ...fields });
    expect(await update({ Roles: links('none') })).toBe('400 cannot find role none');
    expect(await update({ Policies: ['a'] })).toMatch(/^200 /);
    expect(await manage('GET', `acl/token/${AccessorID}`)).toMatchObject({ Roles: null, Policies: ['a'] });
  });

  test('are visible to tokens that have them, with their policies', async () => {
    const { manage, withToken, anonymous } = await withPolicies();
    const { ID } = await manage('PUT', 'acl/role', { Name: 'ops', Policies: links('a') });
    const other = await manage('PUT', 'acl/role', { Name: 'other', Policies: links('b') });
    const { SecretID } = await manage('PUT', 'acl/token', { Type: 'client', Roles: [{ ID }] });
    const send = withToken(SecretID);
    expect(JSON.parse(await send.text('GET', 'acl/roles'))).toMatchObject([{ ID }]);
    expect(await send.status('GET', `acl/role/${ID}`)).toBe(200);
    expect(await send.status('GET', 'acl/role/name/ops')).toBe(200);
    expect(await send('GET', `acl/role/${other.ID}`)).toBe('403 Permission denied');
    expect(await send('GET', 'acl/role/name/none')).toBe('403 Permission denied');
    expect(await send.status('GET', 'acl/policy/a')).toBe(200);
    expect(await send.status('GET', 'acl/policy/b')).toBe(403);
    expect(await send.status('PUT', 'acl/role', { Name: 'mine', Policies: links('a') })).toBe(403);
    expect(await send.status('DELETE', `acl/role/${ID}`)).toBe(403);
    expect(await anonymous('GET', 'acl/roles')).toBe('200 []');
  });
});

describe('policies of jobs', () => {
  test('are written, listed and removed with the policy that has none', async () => {
    const { manage } = await guarded();
    const job = { Namespace: 'default', JobID: 'web', Group: 'api', Task: '' };
    const policy = { Name: 'web', Rules: read('nomad/jobs/web') };
    await manage('PUT', 'acl/policy/web', { ...policy, JobACL: job });
    expect(await manage('GET', 'acl/policy/web')).toMatchObject({ JobACL: job });
    expect(await manage('GET', 'acl/policies')).toMatchObject([{ JobACL: job }]);
    await manage('PUT', 'acl/policy/web', policy);
    expect(await manage('GET', 'acl/policy/web')).toMatchObject({ JobACL: null });
  });

  test.each([
    [{ JobID: 'web' }, 'namespace must be set to set job ID'],
    [{ Namespace: 'default', Group: 'api' }, 'job ID must be set to set group'],
    [{ Namespace: 'default', JobID: 'web', Task: 't' }, 'group must be set to set task'],
  ])('are rejected without the outer part: %j', async (JobACL, message) => {
    const { root } = await guarded();
    expect(await root('PUT', 'acl/policy/web', { Rules: read('a'), JobACL })).toBe(
      `400 policy 0 invalid: 1 error occurred:\n\t* ${message}\n\n`,
    );
  });
});

test('anyone reads the anonymous policy, whose permissions they have', async () => {
  const { manage, anonymous, holder } = await guarded();
  await manage('PUT', 'acl/policy/anonymous', { Rules: read('a') });
  const { send } = await holder(read('b'));
  expect(await anonymous.status('GET', 'acl/policy/anonymous')).toBe(200);
  expect(await send.status('GET', 'acl/policy/anonymous')).toBe(200);
});

test('tokens are listed in pages, which together have every token once', async () => {
  const { manage, ask, rootHeaders } = await guarded();
  for (let count = 0; count < 4; count++)
    await manage('PUT', 'acl/token', { Type: 'client', Policies: ['a'], Global: count === 0 });
  const seen: string[] = [];
  for (let next: string | null = ''; next !== null; ) {
    const { json, headers } = await ask('GET', `acl/tokens?per_page=2&next_token=${next}`, {
      headers: rootHeaders,
    });
    const page = json as unknown as readonly { readonly AccessorID: string }[];
    expect(page.length).toBeLessThanOrEqual(2);
    seen.push(...page.map(({ AccessorID }) => AccessorID));
    next = headers['x-nomad-nexttoken'] ?? null;
  }
  expect(seen).toHaveLength(5);
  expect(new Set(seen).size).toBe(5);
  // As in Nomad, there is no list of only the global ones.
  expect(await manage('GET', 'acl/tokens?global=true')).toHaveLength(5);
});
