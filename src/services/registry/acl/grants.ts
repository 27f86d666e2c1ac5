import { HttpError } from '../../core/http/http-service.ts';
import {
  byName,
  type Grants,
  type GrantsInput,
  type Link,
  type NodeIdentity,
  type Policy,
  policies,
  type Role,
  type roles,
  type ServiceIdentity,
  type TemplatedPolicy,
} from '../model/acl.ts';
import type { View } from '../model/tables.ts';
import { checkUuid, isIdentityName } from './names.ts';
import { templateOf, variablesProblem, withoutRepeated } from './templates.ts';

type Owner = 'token' | 'role';

/** @throws HttpError 500: an identity has no name or an invalid one, a template is unknown or lacks variables */
export function resolveIdentities(
  { ServiceIdentities: services = [], NodeIdentities: nodes = [], TemplatedPolicies = [] }: GrantsInput,
  owner: Owner,
): Omit<Grants, 'Policies'> {
  for (const { ServiceName } of services) checkName('Service', 'service', ServiceName, owner);
  for (const { NodeName, Datacenter } of nodes) {
    checkName('Node', 'node', NodeName, owner, Datacenter);
  }
  for (const use of TemplatedPolicies) checkTemplate(use, owner);
  const templates = withoutRepeated(TemplatedPolicies).map((use) => ({
    ...use,
    TemplateID: templateOf(use.TemplateName)?.id ?? '',
  }));
  return {
    ...(services.length > 0 && { ServiceIdentities: mergeServices(services) }),
    ...(nodes.length > 0 && { NodeIdentities: withoutRepeatedNodes(nodes) }),
    ...(templates.length > 0 && { TemplatedPolicies: templates }),
  };
}

function checkName(
  title: string,
  kind: 'service' | 'node',
  name: string,
  owner: Owner,
  datacenter?: string,
): void {
  const reject = (problem: string) => {
    throw new HttpError(500, problem);
  };
  if (name === '') reject(`${title} identity is missing the ${kind} name field on this ${owner}`);
  if (datacenter === '') reject(`Node identity is missing the datacenter field on this ${owner}`);
  if (isIdentityName(name)) return;
  const subject = kind === 'service' ? ` ${JSON.stringify(name)}` : '';
  reject(
    `${title} identity${subject} has an invalid name. Only lowercase alphanumeric characters, '-' and '_' are allowed`,
  );
}

function checkTemplate({ TemplateName, TemplateVariables }: TemplatedPolicy, owner: Owner): void {
  if (TemplateName === '')
    throw new HttpError(500, `templated policy is missing the template name field on this ${owner}`);
  if (!templateOf(TemplateName)) {
    throw new HttpError(
      500,
      owner === 'token'
        ? `no such ACL templated policy with Name ${JSON.stringify(TemplateName)}`
        : `templated policy with an invalid templated name: ${TemplateName} for this role`,
    );
  }
  const problem = variablesProblem(TemplateName, TemplateVariables);
  const prefix =
    owner === 'token'
      ? `validation error for templated policy ${JSON.stringify(TemplateName)}`
      : 'encountered role with invalid templated policy';
  if (problem !== undefined) throw new HttpError(500, `${prefix}: ${problem}`);
}

/** Identities of the same service become one, for the datacenters of both. */
function mergeServices(services: readonly ServiceIdentity[]): ServiceIdentity[] {
  return [...Map.groupBy(services, ({ ServiceName }) => ServiceName)].map(([ServiceName, same]) => {
    const all = [...new Set(same.flatMap(({ Datacenters = [] }) => Datacenters))].sort();
    return { ServiceName, ...(all.length > 0 && { Datacenters: all }) };
  });
}

function withoutRepeatedNodes(nodes: readonly NodeIdentity[]): NodeIdentity[] {
  return [...new Map(nodes.map((node) => [`${node.NodeName}\n${node.Datacenter}`, node])).values()];
}

type LinkedTable = typeof policies | typeof roles;

/** The IDs of policies or roles. @throws HttpError 500: one does not exist */
export function resolveLinks(table: LinkedTable, view: View, links: readonly Link[] = []): string[] {
  const kind = table === policies ? 'policy' : 'role';
  const ids = links.map(({ ID, Name }) => {
    if (ID !== '') checkUuid(`acl ${kind}`, ID, `Error looking up ${kind} for ID: ${JSON.stringify(ID)}: `);
    const match = ID === '' ? byName<Policy | Role>(table, view, Name) : table.get(view, ID);
    if (match) return match.ID;
    const subject = ID === '' ? `name ${JSON.stringify(Name)}` : `ID ${JSON.stringify(ID)}`;
    throw new HttpError(500, `No such ACL ${kind} with ${subject}`);
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
