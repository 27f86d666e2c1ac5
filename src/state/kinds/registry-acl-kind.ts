import { isAclNameTaken } from '../../api/conditions/registry.ts';
import type { ServiceResponse } from '../../api/http/response.ts';
import type { RegistryClient } from '../../api/registry.ts';
import type { InDatacenter } from '../../api/registry-datacenter.ts';
import { describeAs, unlessNotFound } from '../../errors.ts';
import type { Kind, Live, Services } from '../kind.ts';
import { withWireNames } from '../normalize.ts';
import { completeList, namesOf } from './registry-lists.ts';
import { sharedIn } from './registry-shared.ts';

interface Item {
  readonly ID: string;
  readonly Name: string;
  readonly ModifyIndex?: number | bigint | undefined;
}

type Response<Body> = Promise<ServiceResponse<Body>>;

/** Policies and roles: objects of the primary datacenter, with a name and an ID. */
interface AclTable<Object extends Item>
  extends Pick<Kind, 'description' | 'level' | 'schema' | 'references' | 'isBuiltIn'> {
  readonly noun: 'policy' | 'role';
  readonly plural: 'policies' | 'roles';
  readonly specOf: (object: Object, services: Services) => Live['spec'] | Promise<Live['spec']>;
  readonly operations: (registry: RegistryClient) => {
    readonly list: (input: InDatacenter & { consistent: '' }) => Response<readonly Object[] | null>;
    readonly read: (input: InDatacenter & { id: string }) => Response<Object>;
    readonly readByName: (input: InDatacenter & { name: string }) => Response<Object>;
    readonly create: (input: object) => Promise<unknown>;
    readonly update: (input: { id: string; Name: string }) => Promise<unknown>;
    readonly remove: (input: { id: string }) => Promise<unknown>;
  };
}

/** The kind of policies or of roles (docs/protocol/registry.md#access-control). */
export function aclKind<Object extends Item>(table: AclTable<Object>): Kind {
  const { noun, plural, specOf, operations, ...rest } = table;
  const located = async (services: Services) => ({
    where: await sharedIn(services, plural),
    objects: operations(await services.registry()),
  });
  return {
    ...rest,
    name: `registry.${noun}`,
    service: 'registry',
    scope: [],
    nameIs: `name of the ${noun}, in lower case: the registry ignores the case`,
    canonicalName: (name) => name.toLowerCase(),
    mark: { type: 'text', field: 'Description' },
    guard: 're-read',
    async list(services) {
      const { where, objects } = await located(services);
      return namesOf(await completeList(services, plural, await objects.list({ consistent: '', ...where })));
    },
    async read(services, { key }) {
      const { where, objects } = await located(services);
      const found = await unlessNotFound(objects.readByName({ name: key, ...where }));
      if (!found) return undefined;
      const { ID, ModifyIndex = 0 } = found;
      return { spec: await specOf(found, services), version: String(ModifyIndex), uid: ID, id: ID };
    },
    async create(services, { identity: { key: Name }, spec }) {
      const { objects } = await located(services);
      const taken = `${noun} "${Name}" already exists`;
      await objects
        .create({ ...withWireNames(table.schema, spec), Name })
        .catch(describeAs(isAclNameTaken, 'conflict', taken, { details: [] }));
    },
    async update(services, { spec, live: { id = '' } }) {
      const { where, objects } = await located(services);
      // The registry rejects its name in another case.
      const { Name } = (await objects.read({ id, ...where })).body;
      await objects.update({ ...withWireNames(table.schema, spec), Name, id });
    },
    async remove(services, _identity, { id = '' }) {
      await (await located(services)).objects.remove({ id });
    },
  };
}
