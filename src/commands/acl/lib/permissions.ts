import type { RegistryClient } from '../../../api/registry.ts';
import type { AclPolicy, AclToken } from '../../../api/registry-acl.ts';
import type { Context } from '../../../command/context.ts';
import { problemText } from '../../../command/policy-text.ts';
import { insteadOf, isForbidden, unlessNotFound } from '../../../errors.ts';
import { compact } from '../../../wire/objects.ts';
import { type MergedRule, mergeRules, type SourcedRule } from './access.ts';
import { describeMissing } from './find.ts';
import { resolveAccessor } from './find-token.ts';
import { templateName } from './grants.ts';
import { parseRules } from './policy-rules.ts';
import type { Grants } from './views.ts';

/** A policy, identity or template that a token has, directly or through a role. */
export interface Grant {
  readonly kind: 'policy' | 'service identity' | 'node identity' | 'templated policy';
  readonly name: string;
  /** The role through which the token has it. */
  readonly role?: string | undefined;
  /** Empty: valid everywhere. */
  readonly datacenters: readonly string[];
  /** False: it is for other datacenters. */
  readonly isValid: boolean;
  /** Undefined: the rules could not be read. */
  readonly rules?: string | undefined;
}

type FoundGrant = Omit<Grant, 'isValid'>;

/** What a token may do. */
export interface Permissions {
  readonly token: AclToken;
  readonly grants: readonly Grant[];
  readonly rules: readonly MergedRule[];
  readonly defaultPolicy: 'allow' | 'deny';
  /** Why the rules are incomplete; empty: they are complete. */
  readonly gaps: readonly string[];
  /** Rules that the registry ignores, or that are not shown. */
  readonly notes: readonly string[];
}

/**
 * Reads the permissions of a token: the caller's own, or one by its accessor ID.
 *
 * @throws LanyardError not_found; unauthenticated: the registry does not know the caller's token
 */
export async function readPermissions(
  accessor: string | undefined,
  dc: string | undefined,
  ctx: Context,
): Promise<Permissions> {
  const registry = await ctx.api.registry();
  const where = compact({ dc });
  const { body: token, headers } = await readToken(registry, accessor, where);
  const gaps: string[] = [];
  const notes: string[] = [];
  const found = await readGrants(token, { registry, where, gaps });
  const datacenter = found.some(({ datacenters }) => datacenters.length > 0)
    ? await datacenterOf(dc, gaps, ctx)
    : undefined;
  const grants = found.map((grant) => ({ ...grant, isValid: isValidIn(grant.datacenters, datacenter) }));
  const rules = grants.filter(({ isValid }) => isValid).flatMap((grant) => rulesOf(grant, notes));
  return {
    token,
    grants,
    rules: mergeRules(rules),
    defaultPolicy: defaultPolicyOf(headers),
    gaps: [...new Set(gaps)],
    notes: [...new Set(notes)],
  };
}

const isValidIn = (datacenters: readonly string[], datacenter: string | undefined): boolean =>
  datacenters.length === 0 || datacenter === undefined || datacenters.includes(datacenter);

type Headers = Readonly<Record<string, string | undefined>>;

const defaultPolicyOf = (headers: Headers): 'allow' | 'deny' =>
  Object.entries(headers).some(([name, value]) => name.endsWith('-default-acl-policy') && value === 'allow')
    ? 'allow'
    : 'deny';

async function readToken(registry: RegistryClient, accessor: string | undefined, where: object) {
  if (accessor === undefined) return registry.readOwnToken(where);
  const id = await resolveAccessor(registry, accessor, where);
  return registry.readToken({ id, ...where }).catch(describeMissing('token', accessor));
}

/** The datacenter that the rules are for; undefined: unknown. */
async function datacenterOf(dc: string | undefined, gaps: string[], { api }: Context) {
  const given = dc ?? (await api.settings('registry')).datacenter;
  if (given !== undefined) return given;
  const registry = await api.registry();
  const agent = await ifPermitted(registry.readAgent({}));
  if (!agent)
    gaps.push('the datacenter is unknown (agent:read is missing): policies of all datacenters are shown');
  return agent?.body.Config.Datacenter;
}

/** Where permissions are read, and what is missing in them. */
interface Reader {
  readonly registry: RegistryClient;
  readonly where: object;
  readonly gaps: string[];
}

async function readGrants(token: AclToken, reader: Reader): Promise<readonly FoundGrant[]> {
  const { registry, where, gaps } = reader;
  const own = await grantsOf(token, undefined, reader);
  const ofRoles: (readonly FoundGrant[])[] = [];
  for (const { ID = '', Name = ID } of token.Roles ?? []) {
    const reading = registry.readRole({ id: ID, ...where });
    const role = await ifPermitted(readOrMissing(reading, 'role', Name));
    if (role === undefined) gaps.push(`role "${Name}" could not be read: acl:read is missing`);
    else if (role) ofRoles.push(await grantsOf(role, Name, reader));
  }
  return [...own, ...ofRoles.flat()];
}

/** Undefined: the token lacks the permission. */
const ifPermitted = <Result>(reading: Promise<Result>) => reading.catch(insteadOf(isForbidden, undefined));

/** Null: it was deleted, and grants nothing. */
const readOrMissing = async <Body>(
  reading: Promise<{ readonly body: Body }>,
  noun: 'policy' | 'role',
  name: string,
): Promise<Body | null> => (await unlessNotFound(reading.catch(describeMissing(noun, name)))) ?? null;

async function grantsOf(
  object: Grants,
  role: string | undefined,
  { registry, where, gaps }: Reader,
): Promise<readonly FoundGrant[]> {
  const grants: FoundGrant[] = [];
  const add = (
    kind: Grant['kind'],
    name: string,
    datacenters: readonly string[] | null | undefined,
    rules?: string,
  ) => grants.push({ kind, name, role, datacenters: datacenters ?? [], rules });
  for (const { ID = '', Name = ID } of object.Policies ?? []) {
    const reading = registry.readPolicy({ id: ID, ...where });
    const policy = await ifPermitted(readOrMissing<AclPolicy>(reading, 'policy', Name));
    if (policy === undefined) gaps.push(`policy "${Name}" could not be read: acl:read is missing`);
    if (policy !== null) add('policy', policy?.Name ?? Name, policy?.Datacenters, policy?.Rules);
  }
  for (const { ServiceName, Datacenters } of object.ServiceIdentities ?? [])
    add('service identity', ServiceName, Datacenters, serviceRules(ServiceName));
  for (const { NodeName, Datacenter } of object.NodeIdentities ?? [])
    add('node identity', NodeName, Datacenter ? [Datacenter] : [], nodeRules(NodeName));
  for (const { TemplateName = '', TemplateVariables, Datacenters } of object.TemplatedPolicies ?? []) {
    const name = templateName(TemplateVariables);
    const title = name === '' ? TemplateName : `${TemplateName}:${name}`;
    const preview = await ifPermitted(
      registry.previewTemplatedPolicy({ template: TemplateName, ...(name === '' ? {} : { name }) }),
    );
    if (!preview) gaps.push(`templated policy "${title}" could not be read: acl:read is missing`);
    add('templated policy', title, Datacenters, preview?.body.Rules);
  }
  return grants;
}

/** The rules of a service identity (docs/protocol/registry.md#access-control). */
const serviceRules = (name: string): string =>
  [
    `service "${name}" { policy = "write" }`,
    `service "${name}-sidecar-proxy" { policy = "write" }`,
    'service_prefix "" { policy = "read" }',
    'node_prefix "" { policy = "read" }',
  ].join('\n');

/** The rules of a node identity. */
const nodeRules = (name: string): string =>
  [`node "${name}" { policy = "write" }`, 'service_prefix "" { policy = "read" }'].join('\n');

function rulesOf({ kind, name, rules: text }: Grant, notes: string[]): readonly SourcedRule[] {
  if (text === undefined) return [];
  const { rules, problems, isComplete } = parseRules(text);
  notes.push(...problems.map((problem) => problemText(`${kind} "${name}"`, problem)));
  if (!isComplete)
    notes.push(`${kind} "${name}" has rules for namespaces or partitions, which are not shown`);
  return rules.map((rule) => ({ ...rule, from: `${kind} ${name}` }));
}
