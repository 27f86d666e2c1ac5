import { FieldError, Fields } from '../../http/fields.ts';
import { HttpRefusal } from '../../http/service.ts';
import {
  type Grants,
  type Link,
  type NodeIdentity,
  policyByName,
  policyOf,
  roleByName,
  roleOf,
  type ServiceIdentity,
} from '../state/acl.ts';
import type { View } from '../state/draft.ts';

/** A policy or role as clients point to it: by ID, or by name where there is none. */
type Wanted = Readonly<Link>;

/** Grants as clients write them. */
export interface WantedGrants {
  readonly policies: readonly Wanted[];
  readonly services: readonly ServiceIdentity[];
  readonly nodes: readonly NodeIdentity[];
}

/** @throws FieldError */
export function readGrants(fields: Fields): WantedGrants {
  if (fields.list('TemplatedPolicies').length > 0)
    throw new FieldError('TemplatedPolicies are not supported');
  return {
    policies: readLinks(fields, 'Policies'),
    services: fields.list('ServiceIdentities').map((each) => {
      const identity = new Fields(each, 'ServiceIdentities');
      const Datacenters = identity.texts('Datacenters');
      return { ServiceName: identity.text('ServiceName'), ...(Datacenters.length > 0 && { Datacenters }) };
    }),
    nodes: fields.list('NodeIdentities').map((each) => {
      const identity = new Fields(each, 'NodeIdentities');
      return { NodeName: identity.text('NodeName'), Datacenter: identity.text('Datacenter') };
    }),
  };
}

/** @throws FieldError */
export function readLinks(fields: Fields, name: 'Policies' | 'Roles'): Wanted[] {
  return fields.list(name).map((link) => {
    const members = new Fields(link, name);
    return { ID: members.text('ID'), Name: members.text('Name') };
  });
}

/** @throws HttpRefusal 500: there is no such policy, or an identity names nothing that can be */
export function grantsOf(view: View, { policies, services, nodes }: WantedGrants): Grants {
  for (const { ServiceName } of services) checkIdentity('service', ServiceName);
  for (const { NodeName, Datacenter } of nodes) {
    checkIdentity('node', NodeName);
    if (Datacenter === '') throw new HttpRefusal(500, 'Node identity is missing the datacenter field');
  }
  return {
    Policies: policyIds(view, policies),
    ...(services.length > 0 && { ServiceIdentities: services }),
    ...(nodes.length > 0 && { NodeIdentities: nodes }),
  };
}

const longestIdentity = 256;

/** May a service or a node have an identity of this name? */
export function isIdentity(name: string): boolean {
  return name.length <= longestIdentity && /^[a-z0-9]([a-z0-9_-]*[a-z0-9])?$/.test(name);
}

function checkIdentity(kind: 'service' | 'node', name: string): void {
  const title = kind === 'service' ? 'Service' : 'Node';
  if (name === '') throw new HttpRefusal(500, `${title} identity is missing the ${kind} name field`);
  if (isIdentity(name)) return;
  throw new HttpRefusal(
    500,
    `${title} identity "${name}" has an invalid name. Only lowercase letters, digits, '-' and '_' are allowed`,
  );
}

function policyIds(view: View, links: readonly Wanted[]): string[] {
  return idsOf('policy', links, ({ ID, Name }) => (ID ? policyOf(view, ID) : policyByName(view, Name)));
}

/** @throws HttpRefusal 500: there is no such role */
export function roleIds(view: View, links: readonly Wanted[]): string[] {
  return idsOf('role', links, ({ ID, Name }) => (ID ? roleOf(view, ID) : roleByName(view, Name)));
}

function idsOf(kind: string, links: readonly Wanted[], find: (link: Wanted) => Link | undefined): string[] {
  const ids = links.map((link) => {
    const found = find(link);
    if (!found) throw new HttpRefusal(500, `No such ACL ${kind} with name or ID "${link.ID || link.Name}"`);
    return found.ID;
  });
  return [...new Set(ids)];
}

/** Policies by ID as clients read them; those that are gone are left out. */
export function policyLinks(view: View, ids: readonly string[]): Link[] {
  return linksOf(ids, (id) => policyOf(view, id));
}

/** Roles by ID as clients read them; those that are gone are left out. */
export function roleLinks(view: View, ids: readonly string[]): Link[] {
  return linksOf(ids, (id) => roleOf(view, id));
}

function linksOf(ids: readonly string[], find: (id: string) => Link | undefined): Link[] {
  return ids.flatMap((id) => {
    const found = find(id);
    return found ? [{ ID: found.ID, Name: found.Name }] : [];
  });
}
