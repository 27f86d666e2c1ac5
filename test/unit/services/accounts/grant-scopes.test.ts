import { describe, expect, test } from 'vitest';
import { accounts, type Listed } from './support.ts';

// The cases of Boundary 0.21: internal/daemon/controller/handlers/{roles,scopes}/grants_test.go.

type Service = Awaited<ReturnType<typeof accounts>>;

/** A grant of the role of a user: in which scope the role is, and where it applies. */
type RoleGrant = readonly [roleScope: string, grant: string, ...grantScopes: string[]];

const skip = 'skip_admin_role_creation=true&skip_default_role_creation=true';
const names = ['global', 'org1', 'org2', 'proj1', 'proj2', 'proj3'] as const;
type Name = (typeof names)[number];

/** `org1` with `proj1`, `org2` with `proj2` and `proj3`, a role in each, and a user with no role but those of a test. */
async function tree() {
  const service = await accounts();
  const { json, ask, made, login } = service;
  const scope = async (parent: string, name: string) =>
    (await json('POST', `scopes?${skip}`, { scope_id: parent, name, description: 'd' })).id;
  const [org1, org2] = [await scope('global', 'org1'), await scope('global', 'org2')];
  const scopes: { readonly [name in Name]: string } = {
    ...{ global: 'global', org1, org2 },
    proj1: await scope(org1, 'proj1'),
    proj2: await scope(org2, 'proj2'),
    proj3: await scope(org2, 'proj3'),
  };
  const roles = new Map<Name, string>();
  for (const name of names) {
    const body = { scope_id: scopes[name], name: `role of ${name}`, description: 'd' };
    roles.set(name, (await json('POST', 'roles', body)).id);
  }
  const account = await made('ada', {}, 'long enough');
  const token = await login('ada', 'long enough');
  const { items } = (await json('GET', 'roles?scope_id=global')) as unknown as Listed;
  for (const { id, name } of items) if (String(name).includes('Grants')) await ask('DELETE', `roles/${id}`);
  const user = account.id.replace('acctpw_', 'u_');
  return { service, scopes, roles, user, token };
}

const idOf = (scopes: { readonly [name: string]: string }, text: string): string => scopes[text] ?? text;

async function addRoles(
  { json }: Service,
  scopes: { readonly [name: string]: string },
  user: string,
  grants: readonly RoleGrant[],
) {
  for (const [roleScope, grant, ...grantScopes] of grants) {
    const { id } = await json('POST', 'roles', { scope_id: idOf(scopes, roleScope) });
    const to = grantScopes.map((each) => idOf(scopes, each));
    const { version } = await json('POST', `roles/${id}:add-grant-scopes`, {
      version: 1,
      grant_scope_ids: to,
    });
    if (!to.includes('this'))
      await json('POST', `roles/${id}:remove-grant-scopes`, { version, grant_scope_ids: ['this'] });
    const text = grant.replace(/\borg1\b/, idOf(scopes, 'org1'));
    const current = async () => (await json('GET', `roles/${id}`)).version;
    await json('POST', `roles/${id}:add-grants`, { version: await current(), grant_strings: [text] });
    await json('POST', `roles/${id}:add-principals`, { version: await current(), principal_ids: [user] });
  }
}

type Case = readonly [
  name: string,
  grants: readonly RoleGrant[],
  fields: { readonly [name in Name]?: readonly string[] },
];

const everywhere = (fields: readonly string[], ...of: readonly Name[]) =>
  Object.fromEntries(of.map((name) => [name, fields]));
const named = ['id', 'name', 'created_time'];
const listed = ['id', 'name', 'description', 'scope_id', 'authorized_actions'];
const updated = ['id', 'updated_time', 'authorized_actions'];
const versions = ['id', 'version', 'authorized_actions'];
const described = ['id', 'name', 'scope_id', 'description'];
const ofRoles = (actions: string, fields: readonly string[]) =>
  `ids=*;type=role;actions=${actions};output_fields=${fields.join(',')}`;
const ofScopes = (actions: string, fields: readonly string[]) =>
  `ids=*;type=scope;actions=${actions};output_fields=${fields.join(',')}`;

const readRoles: readonly Case[] = [
  [
    'global role grant this and descendants can read all roles',
    [['global', ofRoles('read', named), 'this', 'descendants']],
    everywhere(named, ...names),
  ],
  [
    'global role grant this and children can read global and org roles',
    [['global', ofRoles('*', updated), 'this', 'children']],
    everywhere(updated, 'global', 'org1', 'org2'),
  ],
  [
    'org role grant this and children can read self and projects roles',
    [['org2', ofRoles('*', updated), 'this', 'children']],
    everywhere(updated, 'org2', 'proj2', 'proj3'),
  ],
  ['project role grant this can read self', [['proj2', ofRoles('*', versions), 'this']], { proj2: versions }],
  [
    'individually granted scopes can read granted scopes roles',
    [['global', ofRoles('*', versions), 'org2', 'proj3']],
    everywhere(versions, 'org2', 'proj3'),
  ],
  [
    'multiple roles can read granted scopes roles',
    [
      ['global', ofRoles('*', versions), 'org2', 'proj3'],
      ['proj2', ofRoles('*', versions), 'this'],
    ],
    everywhere(versions, 'org2', 'proj2', 'proj3'),
  ],
];

const readScopes: readonly Case[] = [
  ['no grants returns no scopes', [], {}],
  [
    'global role grant this returns scopes under the global scope',
    [['global', ofScopes('read', ['id']), 'this']],
    everywhere(['id'], 'global', 'org1', 'org2'),
  ],
  [
    'global role grant this and children returns scopes under the global and org scopes',
    [['global', ofScopes('read', ['id', 'name']), 'this', 'children']],
    everywhere(['id', 'name'], ...names),
  ],
  [
    'global role grant children returns scopes under org scopes',
    [['global', ofScopes('read', described), 'children']],
    everywhere(described, 'proj1', 'proj2', 'proj3'),
  ],
  [
    'global role grant descendants returns scopes under org scopes',
    [['global', ofScopes('read', described), 'descendants']],
    everywhere(described, 'proj1', 'proj2', 'proj3'),
  ],
  [
    'org1 role grant this returns scopes under the org1 scope',
    [['org1', ofScopes('read', described), 'this']],
    { proj1: described },
  ],
  [
    'org1 role grant children returns scopes under project scopes (nothing)',
    [['org1', 'ids=*;type=scope;actions=read', 'children']],
    {},
  ],
  [
    'proj1 role grant this returns scopes under proj1 scope (nothing)',
    [['proj1', 'ids=*;type=scope;actions=read', 'this']],
    {},
  ],
  [
    'global role grant this scope pinned to org1 scope returns org1 scope',
    [['global', `ids=org1;types=scope;actions=read;output_fields=${described.join(',')}`, 'this']],
    { org1: described },
  ],
  [
    'global role grant individual scopes (org1) returns org1 scopes',
    [['global', ofScopes('read', described), 'org1']],
    { proj1: described },
  ],
];

describe.each([
  ['roles', readRoles],
  ['scopes', readScopes],
] as const)('grants to read %s', (resource, cases) => {
  test.each(cases)('%s', async (_name, grants, expected) => {
    const { service, scopes, roles, user, token } = await tree();
    await addRoles(service, scopes, user, grants);
    for (const name of names) {
      const id = resource === 'roles' ? roles.get(name) : scopes[name];
      const { status, json } = await service.ask('GET', `${resource}/${id}`, undefined, token);
      const fields = expected[name];
      const of = `${resource} ${name}`;
      expect(status === 200 ? Object.keys(json as object).sort() : status, of).toEqual(
        fields ? [...fields].sort() : 403,
      );
    }
  });
});

const listFields = ['id', 'name', 'description', 'scope_id', 'authorized_actions', 'principal_ids'];

const listRoles: readonly (readonly [...Case, scope: Name])[] = [
  [
    'global role grant this and descendants returns global org and project roles',
    [['global', ofRoles('list,read', listFields), 'this', 'descendants']],
    everywhere(listed, ...names),
    'global',
  ],
  [
    'project grant scope list recursive returns the roles of the project only',
    [['proj1', ofRoles('list,read', listFields), 'this']],
    { proj1: listed },
    'global',
  ],
  [
    'global role grant this and children returns global and org roles',
    [['global', ofRoles('list,read', listFields), 'this', 'children']],
    everywhere(listed, 'global', 'org1', 'org2'),
    'global',
  ],
  [
    'org role grant this and children returns org and project roles',
    [['org2', ofRoles('list,read', named), 'this', 'children']],
    everywhere(named, 'org2', 'proj2', 'proj3'),
    'org2',
  ],
  [
    'org role grant this and individual project returns org and granted project roles',
    [
      ['org2', ofRoles('list,read', ['id', 'name', 'updated_time']), 'this'],
      ['org2', ofRoles('list,read', named), 'proj3'],
    ],
    { org2: ['id', 'name', 'updated_time'], proj3: named },
    'org2',
  ],
];

test.each(listRoles)('grants to list roles: %s', async (_name, grants, expected, scope) => {
  const { service, scopes, roles, user, token } = await tree();
  expect((await service.ask('GET', 'roles?scope_id=global&recursive=true', undefined, token)).status).toBe(
    403,
  );
  await addRoles(service, scopes, user, grants);
  const path = `roles?scope_id=${scopes[scope]}&recursive=true`;
  const { items } = (await service.json('GET', path, undefined, token)) as unknown as Listed;
  const found = Object.fromEntries(
    names.flatMap((name) => {
      const item = items.find(({ id }) => id === roles.get(name));
      return item ? [[name, Object.keys(item).sort()]] : [];
    }),
  );
  expect(found).toEqual(
    Object.fromEntries(Object.entries(expected).map(([name, fields]) => [name, [...fields].sort()])),
  );
});

test.each<readonly [string, RoleGrant[], boolean, Name[]]>([
  ['no grants returns no scopes', [], false, []],
  [
    'global role grant this returns all org scopes',
    [['global', ofScopes('list,no-op', ['id']), 'this']],
    false,
    ['org1', 'org2'],
  ],
  [
    'global role grant this & children returns org scopes',
    [['global', ofScopes('list,read', ['id']), 'this', 'children']],
    false,
    ['org1', 'org2'],
  ],
  [
    'global role grant this & children recursive returns org and project scopes',
    [['global', ofScopes('list,read', ['id']), 'this', 'children']],
    true,
    ['org1', 'org2', 'proj1', 'proj2', 'proj3'],
  ],
  [
    'global role grant this & descendants recursive returns org and project scopes',
    [['global', ofScopes('list,read', ['id']), 'this', 'descendants']],
    true,
    ['org1', 'org2', 'proj1', 'proj2', 'proj3'],
  ],
])('grants to list scopes: %s', async (_name, grants, recursive, expected) => {
  const { service, scopes, user, token } = await tree();
  await addRoles(service, scopes, user, grants);
  const path = `scopes?scope_id=global&recursive=${recursive}`;
  const { status, json } = await service.ask('GET', path, undefined, token);
  if (grants.length === 0) expect(status).toBe(403);
  else
    expect((json as unknown as Listed).items.toReversed()).toEqual(
      expected.map((name) => ({ id: scopes[name] })),
    );
});
