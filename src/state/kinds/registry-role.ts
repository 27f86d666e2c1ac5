import { isAclNameTaken } from '../../api/conditions/registry.ts';
import type { AclRole } from '../../api/registry-acl.ts';
import { describeAs, unlessNotFound } from '../../errors.ts';
import { registryRole as schema } from '../../objects/registry-acl.ts';
import type { JsonObject, Kind, Live, Services } from '../kind.ts';
import { withWireNames } from '../normalize.ts';
import { grantsOf, linkedObjects } from './registry-grants.ts';
import { completeList } from './registry-lists.ts';
import { sharedIn } from './registry-shared.ts';

async function liveOf(services: Services, role: AclRole): Promise<Live> {
  const { ID, Description = '', ModifyIndex = 0 } = role;
  return {
    spec: { Description, ...(await grantsOf(services, role)) },
    version: String(ModifyIndex),
    uid: ID,
    id: ID,
  };
}

const bodyOf = (spec: JsonObject, Name: string): JsonObject => ({
  ...(withWireNames(schema, spec) as JsonObject),
  Name,
});

/** A role of the registry (docs/protocol/registry.md#access-control). */
export const registryRole: Kind = {
  name: 'registry.role',
  service: 'registry',
  description: 'A role of the service registry: permissions that tokens share.',
  scope: [],
  nameIs: 'name of the role, in lower case: the registry ignores the case',
  canonicalName: (name) => name.toLowerCase(),
  schema,
  level: 3,
  mark: { type: 'text', field: 'Description' },
  guard: 're-read',
  references: (_identity, { Policies }) => linkedObjects('registry.policy', Policies),
  async list(services) {
    const where = await sharedIn(services, 'roles');
    const roles = await (await services.registry()).listRoles({ consistent: '', ...where });
    return ((await completeList(services, 'roles', roles)) ?? []).map(({ Name }) => ({
      scope: {},
      key: Name.toLowerCase(),
    }));
  },
  async read(services, { key }) {
    const where = await sharedIn(services, 'roles');
    const role = await unlessNotFound((await services.registry()).readRoleByName({ name: key, ...where }));
    return role && liveOf(services, role);
  },
  async create(services, { identity, spec }) {
    await sharedIn(services, 'roles');
    const exists = `role "${identity.key}" already exists`;
    await (await services.registry())
      .createRole(bodyOf(spec, identity.key))
      .catch(describeAs(isAclNameTaken, 'conflict', exists, { details: [] }));
  },
  async update(services, { spec, live }) {
    const registry = await services.registry();
    const id = live.id ?? '';
    // The registry rejects its name in another case.
    const { Name } = (await registry.readRole({ id, ...(await sharedIn(services, 'roles')) })).body;
    await registry.updateRole({ ...bodyOf(spec, Name), id });
  },
  async remove(services, _identity, live) {
    await sharedIn(services, 'roles');
    await (await services.registry()).deleteRole({ id: live.id ?? '' });
  },
};
