import { FieldError, Fields } from '../../core/http/fields.ts';
import { HttpError } from '../../core/http/http-service.ts';
import {
  byName,
  type Grants,
  type Link,
  type Policy,
  policies,
  type Role,
  type roles,
} from '../model/acl.ts';
import type { View } from '../model/tables.ts';

/** Grants as clients write them: links are by ID, or else by name. */
type GrantsInput = ReturnType<typeof readGrants>;

/** @throws FieldError */
export function readGrants(fields: Fields) {
  if (fields.list('TemplatedPolicies').length > 0)
    throw new FieldError('TemplatedPolicies are not supported');
  return {
    policies: readLinks(fields, 'Policies'),
    services: fields.list('ServiceIdentities').map((each) => {
      const identity = new Fields(each, 'ServiceIdentities');
      const Datacenters = identity.strings('Datacenters');
      return { ServiceName: identity.string('ServiceName'), ...(Datacenters.length > 0 && { Datacenters }) };
    }),
    nodes: fields
      .list('NodeIdentities')
      .map((each) => new Fields(each, 'NodeIdentities').texts('NodeName', 'Datacenter')),
  };
}

/** @throws FieldError */
export function readLinks(fields: Fields, name: 'Policies' | 'Roles'): Link[] {
  return fields.list(name).map((link) => new Fields(link, name).texts('ID', 'Name'));
}

/** @throws HttpError 500: there is no such policy, or an identity names nothing that can be */
export function resolveGrants(view: View, { policies: links, services, nodes }: GrantsInput): Grants {
  for (const { ServiceName } of services) checkIdentity('service', ServiceName);
  for (const { NodeName, Datacenter } of nodes) {
    checkIdentity('node', NodeName);
    if (Datacenter === '') throw new HttpError(500, 'Node identity is missing the datacenter field');
  }
  return {
    Policies: resolveLinks(policies, view, links),
    ...(services.length > 0 && { ServiceIdentities: services }),
    ...(nodes.length > 0 && { NodeIdentities: nodes }),
  };
}

const maxIdentityLength = 256;

/** Whether a service or node identity can have this name. */
export function isIdentityName(name: string): boolean {
  return name.length <= maxIdentityLength && /^[a-z0-9]([a-z0-9_-]*[a-z0-9])?$/.test(name);
}

function checkIdentity(kind: 'service' | 'node', name: string): void {
  const title = kind === 'service' ? 'Service' : 'Node';
  if (name === '') throw new HttpError(500, `${title} identity is missing the ${kind} name field`);
  if (isIdentityName(name)) return;
  throw new HttpError(
    500,
    `${title} identity "${name}" has an invalid name. Only lowercase letters, digits, '-' and '_' are allowed`,
  );
}

type LinkedTable = typeof policies | typeof roles;

/** The IDs of policies or roles. @throws HttpError 500: one does not exist */
export function resolveLinks(table: LinkedTable, view: View, links: readonly Link[]): string[] {
  const ids = links.map(({ ID, Name }) => {
    const match = ID ? table.get(view, ID) : byName<Policy | Role>(table, view, Name);
    if (match) return match.ID;
    const kind = table === policies ? 'policy' : 'role';
    throw new HttpError(500, `No such ACL ${kind} with name or ID "${ID || Name}"`);
  });
  return [...new Set(ids)];
}

/** Policies or roles by ID as clients read them; deleted ones are omitted. */
export function linksOf(table: LinkedTable, view: View, ids: readonly string[]): Link[] {
  return ids.flatMap((id) => {
    const match = table.get(view, id);
    return match ? [{ ID: match.ID, Name: match.Name }] : [];
  });
}
