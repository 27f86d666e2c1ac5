import { describe, expect, test } from 'vitest';
import { accounts, bad, type Item, type Listed, notFound, seeded } from './support.ts';

const time = '2026-01-02T12:00:00.000Z';
const globalInfo = { id: 'global', type: 'global', name: 'global', description: 'Global Scope' };
const allActions = [
  ...['no-op', 'read', 'update', 'delete', 'add-principals', 'set-principals', 'remove-principals'],
  ...['add-grants', 'set-grants', 'remove-grants', 'add-grant-scopes', 'set-grant-scopes'],
  'remove-grant-scopes',
];
const invalid = (...fields: string[]) => [
  ...[400, 'InvalidArgument', 'Errors in provided fields.'],
  ...fields.sort(),
];
const invalidScope = (description: string) => [
  ...[400, 'InvalidArgument', 'Invalid grant scope.', `grant_scope_ids: ${description}`],
];

type Service = Awaited<ReturnType<typeof accounts>>;

const newRole = ({ json }: Service, body: object = {}) =>
  json('POST', 'roles', { scope_id: 'global', ...body });

async function listed({ json }: Service, path: string) {
  const { items = [], ...rest } = (await json('GET', path)) as unknown as Partial<Listed>;
  return { ids: items.map(({ id }) => id), items, ...rest };
}

/** An organization with a project, without the roles that the service adds. */
async function scopes({ json }: Service) {
  const skip = '?skip_admin_role_creation=true&skip_default_role_creation=true';
  const org = await json('POST', `scopes${skip}`, { scope_id: 'global', name: 'org' });
  const project = await json('POST', `scopes${skip}`, { scope_id: org.id, name: 'project' });
  return { org: org.id, project: project.id };
}

describe('a role', () => {
  test('is created, changed with its version, listed and deleted', async () => {
    const service = await accounts();
    const { ask, json, pass, rejected } = service;
    const role = await newRole(service, { name: ' Readers\n', description: 'first' });
    expect(role).toEqual({
      id: expect.stringMatching(/^r_[0-9A-Za-z]{10}$/),
      scope_id: 'global',
      scope: globalInfo,
      name: 'Readers',
      description: 'first',
      created_time: time,
      updated_time: time,
      version: 1,
      grant_scope_ids: ['this'],
      authorized_actions: allActions,
    });
    const path = `roles/${role.id}`;
    expect((await listed(service, 'roles?scope_id=global')).items[0]).toEqual(role);
    pass(31);
    const before = await listed(service, 'roles?scope_id=global');
    const { description: _description, ...rest } = role;
    const changed = await json('PATCH', path, { version: 1, name: 'Authors', description: null });
    expect(changed).toEqual({ ...rest, name: 'Authors', version: 2, updated_time: expect.any(String) });
    expect(await json('GET', path)).toEqual(changed);
    expect(await rejected('PATCH', path, { version: 1, name: 'x' })).toEqual([
      ...[404, 'NotFound', `Role "${role.id}" doesn't exist or incorrect version provided.`],
    ]);
    const filter = encodeURIComponent('"/item/name" == "Authors"');
    expect((await listed(service, `roles?scope_id=global&filter=${filter}`)).ids).toEqual([role.id]);
    expect((await listed(service, `roles?scope_id=global&list_token=${before.list_token}`)).ids).toEqual([
      role.id,
    ]);
    expect((await ask('DELETE', path)).status).toBe(204);
    for (const method of ['GET', 'DELETE']) expect(await rejected(method, path)).toEqual(notFound);
    const after = await listed(service, `roles?scope_id=global&list_token=${before.list_token}`);
    expect([after.ids, after.removed_ids]).toEqual([[], [role.id]]);
    await newRole(service, { name: 'Readers' });
  });

  test('is not created, changed or listed by an invalid request', async () => {
    const service = await accounts();
    const { json, rejected } = service;
    const create = (body: object) => rejected('POST', 'roles', body);
    const scope = 'scope_id: This field is missing or improperly formatted.';
    const readOnly = 'This is a read only field.';
    expect(await create({})).toEqual(bad(scope));
    expect(
      await create({ scope_id: 'u_1', id: 'x', version: 1, principals: [{ id: 'u_anon' }], grants: [{}] }),
    ).toEqual(
      bad(
        scope,
        `id: ${readOnly}`,
        `principals: ${readOnly}`,
        `grants: ${readOnly}`,
        'version: Cannot specify this field in a create request.',
      ),
    );
    expect(await create({ scope_id: 'p_0000000000' })).toEqual(notFound);
    const role = await newRole(service, { name: 'one' });
    expect((await create({ scope_id: 'global', name: 'one' }))[2]).toMatch(/second resource/);
    const path = `roles/${role.id}`;
    const set = ': This is a read only field and cannot be specified in an update request.';
    const members = { principal_ids: ['x'], principals: [{}], grants: [{}], grant_strings: ['x'] };
    expect(await rejected('PATCH', path, { version: 1, ...members })).toEqual(
      bad(...Object.keys(members).map((name) => name + set)),
    );
    const nothing = 'No valid fields provided in the update mask.';
    expect(await rejected('PATCH', path, { version: 1 })).toEqual([
      ...[400, 'InvalidArgument', nothing, `update_mask: ${nothing}`],
    ]);
    expect(await rejected('PATCH', 'roles/r_!', { version: 1 })).toEqual(
      bad('id: Improperly formatted path identifier.'),
    );
    expect(await rejected('GET', 'roles/u_1')).toEqual(bad('id: Invalid formatted identifier.'));
    expect(await rejected('GET', 'roles?scope_id=x')).toEqual([
      ...[
        400,
        'InvalidArgument',
        'Improperly formatted identifier.',
        'scope_id: Improperly formatted field.',
      ],
    ]);
    expect(await json('GET', path)).toEqual(role);
  });

  test('of an organization or a project is found by a recursive list, and removed with its scope', async () => {
    const service = await accounts();
    const { ask, rejected } = service;
    const { org, project } = await scopes(service);
    const ofOrg = await newRole(service, { scope_id: org, name: 'same' });
    const ofProject = await newRole(service, { scope_id: project, name: 'same' });
    expect((await listed(service, `roles?scope_id=${org}&recursive=true`)).ids).toEqual([
      ofProject.id,
      ofOrg.id,
    ]);
    expect((await listed(service, `roles?scope_id=${project}`)).ids).toEqual([ofProject.id]);
    expect((await ask('DELETE', `scopes/${org}`)).status).toBe(204);
    for (const { id } of [ofOrg, ofProject]) expect(await rejected('GET', `roles/${id}`)).toEqual(notFound);
  });
});

describe('the principals of a role', () => {
  test('are users, which are added, replaced and removed', async () => {
    const service = await accounts();
    const { ask, json, rejected } = service;
    const role = await newRole(service);
    const ada = await json('POST', 'users', { scope_id: 'global', name: 'ada' });
    const path = `roles/${role.id}`;
    const added = await json('POST', `${path}:add-principals`, {
      version: 1,
      principal_ids: [ada.id, 'u_auth'],
    });
    expect(added).toMatchObject({
      version: 2,
      principal_ids: [ada.id, 'u_auth'],
      principals: [
        { id: ada.id, type: 'user', scope_id: 'global' },
        { id: 'u_auth', type: 'user', scope_id: 'global' },
      ],
    });
    const change = (verb: string, version: number, ids: string[]) =>
      rejected('POST', `${path}:${verb}-principals`, { version, principal_ids: ids });
    expect(await change('add', 1, ['u_anon'])).toEqual([
      ...[404, 'NotFound', `Role "${role.id}" doesn't exist or incorrect version provided.`],
    ]);
    expect(await change('add', 2, [ada.id])).toEqual(
      invalid(`principal_ids: The role already has principal ${ada.id}.`),
    );
    expect(await change('remove', 2, ['u_anon'])).toEqual(
      invalid('principal_ids: The role does not have principal u_anon.'),
    );
    for (const id of ['u_0000000000', 'g_0000000000'])
      expect(await change('set', 2, [id])).toEqual(invalid(`principal_ids: Principal ${id} does not exist.`));
    expect(await change('add', 0, [])).toEqual(
      invalid('principal_ids: Must be non-empty.', 'version: Required field.'),
    );
    expect(await change('add', 2, ['acctpw_1'])).toEqual(
      invalid('principal_ids: Must only have valid user, group, and/or managed group ids.'),
    );
    expect(await change('set', 2, ['u_recovery'])).toEqual(
      invalid('principal_ids: u_recovery cannot be assigned to a role'),
    );
    const same = { version: 2, principal_ids: ['u_auth', ada.id] };
    expect(await json('POST', `${path}:set-principals`, same)).toMatchObject({ version: 2 });
    const set = await json('POST', `${path}:set-principals`, {
      version: 2,
      principal_ids: [ada.id, 'u_anon'],
    });
    expect(set).toMatchObject({ version: 3, principal_ids: [ada.id, 'u_anon'] });
    // A deleted user is taken out of its roles.
    await ask('DELETE', `users/${ada.id}`);
    expect(await json('GET', path)).toMatchObject({ principal_ids: ['u_anon'] });
    const none = await json('POST', `${path}:remove-principals`, { version: 3, principal_ids: ['u_anon'] });
    expect(none).not.toHaveProperty('principal_ids');
    expect(none).not.toHaveProperty('principals');
  });
});

test('a role has a limited number of members, however many requests add them', async () => {
  const service = await accounts();
  const { json, rejected } = service;
  const role = await newRole(service);
  const grants = (from: number) =>
    Array.from(
      { length: 150 },
      (_, at) => `ids=*;type=user;actions=read;output_fields=${'x'.repeat(200)}${from + at}`,
    );
  const path = `roles/${role.id}:add-grants`;
  expect(await json('POST', path, { version: 1, grant_strings: grants(0) })).toMatchObject({ version: 2 });
  expect(await rejected('POST', path, { version: 2, grant_strings: grants(150) })).toEqual(
    invalid('grant_strings: This field has at most 65536 characters of JSON.'),
  );
});

describe('the grants of a role', () => {
  test('are stored as sent, and compared in canonical form', async () => {
    const service = await accounts();
    const { json, rejected } = service;
    const role = await newRole(service);
    const path = `roles/${role.id}`;
    const raw = 'type=account;ids=ampw_1234567890;actions=read,list;output_fields=name,id';
    const text = '{"ids":["{{.User.Id}}"],"actions":["read"]}';
    const added = await json('POST', `${path}:add-grants`, { version: 1, grant_strings: [raw, text] });
    expect(added).toMatchObject({
      version: 2,
      grant_strings: [raw, text],
      grants: [
        {
          raw,
          canonical: 'ids=ampw_1234567890;type=account;actions=list,read;output_fields=id,name',
          json: { ids: ['ampw_1234567890'], type: 'account', actions: ['list', 'read'] },
        },
        {
          raw: text,
          canonical: 'ids={{.User.Id}};actions=read',
          json: { ids: ['{{.User.Id}}'], type: 'unknown', actions: ['read'] },
        },
      ],
    });
    // Another text of the same grant.
    const again = 'actions=read;ids={{.User.Id}}';
    const add = { version: 2, grant_strings: [again] };
    expect(await rejected('POST', `${path}:add-grants`, add)).toEqual(
      invalid(`grant_strings: The role already has grant "${again}".`),
    );
    const removed = await json('POST', `${path}:remove-grants`, {
      version: 2,
      grant_strings: [again, 'type=user;actions=list'],
    });
    expect(removed).toMatchObject({ version: 3, grant_strings: [raw] });
    const set = await json('POST', `${path}:set-grants`, { version: 3, grant_strings: [text, raw] });
    expect(set).toMatchObject({ version: 4, grant_strings: [raw, text] });
    const none = await json('POST', `${path}:set-grants`, { version: 4 });
    expect(none).not.toHaveProperty('grant_strings');
    expect(none).not.toHaveProperty('grants');
  });

  test('are rejected with the texts of the product', async () => {
    const service = await accounts();
    const { rejected } = service;
    const role = await newRole(service);
    const change = (verb: string, ...grants: string[]) =>
      rejected('POST', `roles/${role.id}:${verb}-grants`, { version: 1, grant_strings: grants });
    expect(await change('add')).toEqual(invalid('grant_strings: Must be non-empty.'));
    expect(await change('add', '')).toEqual(invalid('grant_strings: Grant strings must not be empty.'));
    expect(await change('add', 'nonsense')).toEqual(
      invalid('grant_strings: Improperly formatted grant "nonsense".'),
    );
    expect(await change('set', 'ids=*;actions=read')).toEqual(
      invalid(
        'grant_strings: Improperly formatted grant "ids=*;actions=read": parsed grant string "ids=*;actions=read" contains wildcard id and no specified type.',
      ),
    );
    expect(await change('add', 'id=u_1234567890;actions=read')).toEqual(
      invalid(
        'grant_strings: Grant "id=u_1234567890;actions=read" uses the "id" field which is no longer supported. Please use "ids" instead.',
      ),
    );
    expect(await change('set', 'ids=ttcp_1234567890;actions=add-host-sets')).toEqual(
      invalid(
        'grant_strings: Action "add-host-sets" has been deprecated and is not allowed to be set in grants. Use "add-host-sources" instead.',
      ),
    );
  });
});

describe('the grant scopes of a role', () => {
  test('are added, replaced and removed, without a version for what changes nothing', async () => {
    const service = await accounts();
    const { ask, json } = service;
    const { org } = await scopes(service);
    const role = await newRole(service);
    const change = (verb: string, version: number, ...ids: string[]): Promise<Item> =>
      json('POST', `roles/${role.id}:${verb}-grant-scopes`, { version, grant_scope_ids: ids });
    expect(await change('add', 1, 'global')).toMatchObject({ version: 1, grant_scope_ids: ['this'] });
    expect(await change('add', 1, org, 'this')).toMatchObject({ version: 2, grant_scope_ids: [org, 'this'] });
    expect(await change('remove', 2, 'children')).toMatchObject({ version: 2 });
    expect(await change('set', 2, 'descendants')).toMatchObject({
      version: 3,
      grant_scope_ids: ['descendants'],
    });
    const none = await change('remove', 3, 'descendants');
    expect(none).not.toHaveProperty('grant_scope_ids');
    expect(await change('add', 4, org)).toMatchObject({ version: 5 });
    // A deleted scope is taken out of roles.
    await ask('DELETE', `scopes/${org}`);
    expect(await json('GET', `roles/${role.id}`)).not.toHaveProperty('grant_scope_ids');
  });

  test('must exist, be in the scope of the role, and not include each other', async () => {
    const service = await accounts();
    const { rejected } = service;
    const { org, project } = await scopes(service);
    const other = await service.json('POST', 'scopes', { scope_id: 'global', name: 'other' });
    const roles = {
      global: (await newRole(service)).id,
      org: (await newRole(service, { scope_id: org })).id,
      project: (await newRole(service, { scope_id: project })).id,
      other: (await newRole(service, { scope_id: other.id })).id,
    };
    const set = (role: keyof typeof roles, ...ids: string[]) =>
      rejected('POST', `roles/${roles[role]}:set-grant-scopes`, { version: 1, grant_scope_ids: ids });
    const ownOnly = 'Project scopes can only have their own scope ID or "this" as a grant scope ID.';
    expect(await set('project', 'children')).toEqual(invalidScope(ownOnly));
    expect(await set('org', 'descendants')).toEqual(
      invalidScope('Grant scope ID "descendants" is not valid to set on an organization role.'),
    );
    expect(await set('other', project)).toEqual(
      invalidScope(`Scope ${project} is not in the organization of the role.`),
    );
    expect(await set('global', 'o_0000000000')).toEqual(invalidScope('Scope o_0000000000 does not exist.'));
    expect(await set('global', 'children', 'descendants')).toEqual(
      invalidScope('Only one of descendants or children grant scope can be specified.'),
    );
    for (const [role, ...ids] of [
      ['global', 'children', org],
      ['global', 'descendants', project],
      ['org', 'children', project],
    ] as const)
      expect(await set(role, ...ids)).toEqual(
        invalidScope(`Scope ${ids[1]} is already included by descendants or children.`),
      );
    expect(await set('global', '', 'x')).toEqual(
      invalid('grant_scope_ids: Grant scope IDs must not be empty.'),
    );
    expect(await set('global', 'x')).toEqual(invalid('grant_scope_ids: Unknown value "x".'));
    expect(await set('global', 'o_!')).toEqual(
      invalid('grant_scope_ids: Incorrectly formatted identifier "o_!".'),
    );
    const allowed = { version: 1, grant_scope_ids: ['children', project, 'global'] };
    expect(await service.json('POST', `roles/${roles.global}:set-grant-scopes`, allowed)).toMatchObject({
      grant_scope_ids: ['children', project, 'this'].sort(),
    });
  });
});

test('a new organization and project have the roles of the product, unless a request skips them', async () => {
  const service = await accounts();
  const { json } = service;
  const org = await json('POST', 'scopes', { scope_id: 'global', name: 'org' });
  const project = await json('POST', 'scopes', { scope_id: org.id, name: 'project' });
  const rolesOf = async (scope: string) => {
    const { ids } = await listed(service, `roles?scope_id=${scope}`);
    return Promise.all(ids.map((id) => json('GET', `roles/${id}`)));
  };
  const administration = (scope: string) => ({
    name: 'Administration',
    description: `Role created for administration of scope ${scope} by user u_1234567890 at its creation time`,
    principal_ids: ['u_1234567890'],
    grant_strings: ['ids=*;type=*;actions=*'],
    grant_scope_ids: ['this'],
  });
  expect(await rolesOf(org.id)).toMatchObject([
    { name: 'Login and Default Grants', principal_ids: ['u_anon'], grant_scope_ids: ['this'] },
    administration(org.id),
  ]);
  expect(await rolesOf(project.id)).toMatchObject([
    { name: 'Default Grants', principal_ids: ['u_auth'] },
    administration(project.id),
  ]);
  for (const [skipped, left] of [
    ['admin', 'Login and Default Grants'],
    ['default', 'Administration'],
  ]) {
    const query = `skip_${skipped}_role_creation=true`;
    const scope = await json('POST', `scopes?${query}`, { scope_id: 'global' });
    expect((await rolesOf(scope.id)).map(({ name }) => name)).toEqual([left]);
  }
  expect((await rolesOf('global')).map(({ name }) => name).sort()).toEqual([
    ...['Administration', 'Authenticated User Grants', 'Login Grants'],
  ]);
  expect(await json('GET', `auth-methods/${seeded}`)).toMatchObject({ id: seeded });
});
