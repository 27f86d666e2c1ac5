import { isAclNameTaken } from '../../api/conditions/registry.ts';
import type { AclPolicy } from '../../api/registry-acl.ts';
import { describeAs, unlessNotFound } from '../../errors.ts';
import { registryPolicy as schema } from '../../objects/registry-acl.ts';
import type { JsonObject, Kind, Live } from '../kind.ts';
import { withWireNames } from '../normalize.ts';
import { completeList } from './registry-lists.ts';
import { sharedIn } from './registry-shared.ts';

const liveOf = ({ ID, Description = '', Rules = '', Datacenters, ModifyIndex = 0 }: AclPolicy): Live => ({
  spec: { Description, Rules, Datacenters: [...(Datacenters ?? [])] },
  version: String(ModifyIndex),
  uid: ID,
  id: ID,
});

const bodyOf = (spec: JsonObject, Name: string): JsonObject => ({
  ...(withWireNames(schema, spec) as JsonObject),
  Name,
});

const builtIn = new Set(['global-management', 'builtin/global-read-only']);

/** A policy of the registry (docs/protocol/registry.md#access-control). */
export const registryPolicy: Kind = {
  name: 'registry.policy',
  service: 'registry',
  description: 'A policy of the service registry.',
  scope: [],
  nameIs: 'name of the policy, in lower case: the registry ignores the case',
  canonicalName: (name) => name.toLowerCase(),
  schema,
  level: 2,
  mark: { type: 'text', field: 'Description' },
  guard: 're-read',
  isBuiltIn: ({ key }) => builtIn.has(key),
  async list(services) {
    const where = await sharedIn(services, 'policies');
    const policies = await (await services.registry()).listPolicies({ consistent: '', ...where });
    return ((await completeList(services, 'policies', policies)) ?? []).map(({ Name }) => ({
      scope: {},
      key: Name.toLowerCase(),
    }));
  },
  async read(services, { key }) {
    const registry = await services.registry();
    const policy = await unlessNotFound(
      registry.readPolicyByName({ name: key, ...(await sharedIn(services, 'policies')) }),
    );
    return policy && liveOf(policy);
  },
  async create(services, { identity, spec }) {
    await sharedIn(services, 'policies');
    const exists = `policy "${identity.key}" already exists`;
    await (await services.registry())
      .createPolicy(bodyOf(spec, identity.key))
      .catch(describeAs(isAclNameTaken, 'conflict', exists, { details: [] }));
  },
  async update(services, { spec, live }) {
    const registry = await services.registry();
    const id = live.id ?? '';
    // The registry rejects its name in another case.
    const { Name } = (await registry.readPolicy({ id, ...(await sharedIn(services, 'policies')) })).body;
    await registry.updatePolicy({ ...bodyOf(spec, Name), id });
  },
  async remove(services, _identity, live) {
    await sharedIn(services, 'policies');
    await (await services.registry()).deletePolicy({ id: live.id ?? '' });
  },
};
