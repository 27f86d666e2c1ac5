import type { AclRole } from '../../api/registry-acl.ts';
import type { Json } from '../../wire/json.ts';
import { isObject } from '../../wire/objects.ts';
import type { JsonObject, Reference, Services } from '../kind.ts';
import { sharedIn } from './registry-shared.ts';

type Grants = Pick<AclRole, 'Policies' | 'ServiceIdentities' | 'NodeIdentities' | 'TemplatedPolicies'>;
type Link = NonNullable<Grants['Policies']>[number];

/** Links without IDs. A link whose name the service does not return is read. */
export const linksOf = (
  links: readonly Link[] | null | undefined,
  nameOf: (id: string) => Promise<string>,
): Promise<Json[]> =>
  Promise.all((links ?? []).map(async ({ ID = '', Name }) => ({ Name: Name || (await nameOf(ID)) })));

/** The permissions of a token or role in the form of files. */
export async function grantsOf(services: Services, grants: Grants): Promise<JsonObject> {
  const registry = await services.registry();
  const policyName = async (id: string) =>
    (await registry.readPolicy({ id, ...(await sharedIn(services, 'policies')) })).body.Name;
  return {
    Policies: await linksOf(grants.Policies, policyName),
    ServiceIdentities: (grants.ServiceIdentities ?? []).map((each) => ({ ...each }) as JsonObject),
    NodeIdentities: (grants.NodeIdentities ?? []).map((each) => ({ ...each }) as JsonObject),
    TemplatedPolicies: (grants.TemplatedPolicies ?? []).map(
      ({ TemplateID: _id, ...each }) => ({ ...each }) as JsonObject,
    ),
  };
}

/** The objects that a list of links names. */
export function linkedObjects(kind: string, links: Json | undefined): Reference[] {
  if (!Array.isArray(links)) return [];
  return links.flatMap((each): Reference[] => {
    const name = isObject(each) ? nameIn(each) : undefined;
    return typeof name === 'string' ? [{ kind, identity: { scope: {}, key: name.toLowerCase() } }] : [];
  });
}

const nameIn = (each: JsonObject): Json | undefined =>
  Object.entries(each).find(([name]) => name.toLowerCase() === 'name')?.[1];
