import { FieldError, Fields } from '../../core/http/fields.ts';
import { HttpError } from '../../core/http/http-service.ts';
import {
  type Grants,
  type Link,
  type NodeIdentity,
  policyByName,
  policyOf,
  roleByName,
  roleOf,
  type ServiceIdentity,
} from '../model/acl.ts';
import type { View } from '../model/tables.ts';

/** A link to a policy or role in a request: by ID, or else by name. */
type LinkInput = Readonly<Link>;

/** Grants as clients write them. */
export interface GrantsInput {
  readonly policies: readonly LinkInput[];
  readonly services: readonly ServiceIdentity[];
  readonly nodes: readonly NodeIdentity[];
}

/** @throws FieldError */
export function readGrants(fields: Fields): GrantsInput {
  if (fields.list('TemplatedPolicies').length > 0)
    throw new FieldError('TemplatedPolicies are not supported');
  return {
    policies: readLinks(fields, 'Policies'),
    services: fields.list('ServiceIdentities').map((each) => {
      const identity = new Fields(each, 'ServiceIdentities');
      const Datacenters = identity.strings('Datacenters');
      return { ServiceName: identity.string('ServiceName'), ...(Datacenters.length > 0 && { Datacenters }) };
    }),
    nodes: fields.list('NodeIdentities').map((each) => {
      const identity = new Fields(each, 'NodeIdentities');
      return { NodeName: identity.string('NodeName'), Datacenter: identity.string('Datacenter') };
    }),
  };
}

/** @throws FieldError */
export function readLinks(fields: Fields, name: 'Policies' | 'Roles'): LinkInput[] {
  return fields.list(name).map((link) => {
    const linkFields = new Fields(link, name);
    return { ID: linkFields.string('ID'), Name: linkFields.string('Name') };
  });
}

/** @throws HttpError 500: there is no such policy, or an identity names nothing that can be */
export function resolveGrants(view: View, { policies, services, nodes }: GrantsInput): Grants {
  for (const { ServiceName } of services) checkIdentity('service', ServiceName);
  for (const { NodeName, Datacenter } of nodes) {
    checkIdentity('node', NodeName);
    if (Datacenter === '') throw new HttpError(500, 'Node identity is missing the datacenter field');
  }
  return {
    Policies: policyIds(view, policies),
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

function policyIds(view: View, links: readonly LinkInput[]): string[] {
  return resolveLinks('policy', links, ({ ID, Name }) =>
    ID ? policyOf(view, ID) : policyByName(view, Name),
  );
}

/** @throws HttpError 500: there is no such role */
export function roleIds(view: View, links: readonly LinkInput[]): string[] {
  return resolveLinks('role', links, ({ ID, Name }) => (ID ? roleOf(view, ID) : roleByName(view, Name)));
}

function resolveLinks(
  kind: string,
  links: readonly LinkInput[],
  find: (link: LinkInput) => Link | undefined,
): string[] {
  const ids = links.map((link) => {
    const match = find(link);
    if (!match) throw new HttpError(500, `No such ACL ${kind} with name or ID "${link.ID || link.Name}"`);
    return match.ID;
  });
  return [...new Set(ids)];
}

/** Policies by ID as clients read them; deleted ones are omitted. */
export function policyLinks(view: View, ids: readonly string[]): Link[] {
  return linksOf(ids, (id) => policyOf(view, id));
}

/** Roles by ID as clients read them; deleted ones are omitted. */
export function roleLinks(view: View, ids: readonly string[]): Link[] {
  return linksOf(ids, (id) => roleOf(view, id));
}

function linksOf(ids: readonly string[], find: (id: string) => Link | undefined): Link[] {
  return ids.flatMap((id) => {
    const match = find(id);
    return match ? [{ ID: match.ID, Name: match.Name }] : [];
  });
}
