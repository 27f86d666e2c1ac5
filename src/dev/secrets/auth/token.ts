import { formatDuration } from '../../../wire/duration.ts';
import type { Json } from '../../../wire/json.ts';
import {
  type Backend,
  type Caller,
  type CoreHandler,
  type CoreRequest,
  Paths,
  routedBackend,
} from '../backend.ts';
import { Refusal } from '../engine.ts';
import { booleanField, durationField, integerField, listField, mapField, textField } from '../fields.ts';
import { duration, flag, integer, list, object, required, text } from '../help/field.ts';
import { badToken, denied } from '../refusals.ts';
import { systemTtl, type TokenEntry, type Tokens } from '../tokens.ts';

const createFields = {
  id: text('A custom token; requires `sudo`.'),
  policies: list('Policies (default: those of the parent token).'),
  ttl: duration('Time to live of the token.'),
  explicit_max_ttl: duration('Maximum lifetime of the token, including renewals.'),
  display_name: text('Display name, prefixed with `token-`.'),
  meta: object('Custom metadata.'),
  num_uses: integer('Number of uses; 0: unlimited.'),
  renewable: flag('Whether the token can be renewed.'),
  no_parent: flag('Create an orphan token, which is not revoked with its parent.'),
  no_default_policy: flag('Omit the policy `default`.'),
};
const tokenField = { token: required(text('The token.')) };
const accessorField = { accessor: required(text('The accessor of the token.')) };
const incrementField = { increment: duration('Requested time to live from now.') };

/**
 * `auth/token/` of a namespace: create, look up, renew and revoke tokens (docs/protocol/secrets.md#tokens).
 * Other tokens than the caller's own are found if they belong to this namespace or one below it.
 */
export function tokenBackend(tokens: Tokens, namespace: string): Backend {
  const own = (token: TokenEntry | undefined) =>
    token?.namespace?.startsWith(namespace) || namespace === '' ? token : undefined;
  const byToken: Find = ({ data }) => {
    const text = textField(data, 'token') ?? '';
    return { token: own(tokens.find(text)), text };
  };
  const byAccessor: Find = ({ data }) => ({
    token: own(tokens.byAccessor(textField(data, 'accessor') ?? '')),
    text: '',
  });
  const lookup =
    (find: Find): CoreHandler =>
    (request) => {
      const { token, text } = find(request);
      if (!token) throw new Refusal(403, 'bad token');
      return { data: shown(token, text, tokens.now()) };
    };
  const renew =
    (find: Find): CoreHandler =>
    async (request) => {
      const { token, text } = find(request);
      if (!token) throw new Refusal(403, 'bad token');
      if (!token.renewable) throw new Refusal(400, 'lease is not renewable');
      const renewed = await tokens.renew(token, durationField(request.data, 'increment') ?? 0);
      return { auth: authOf(renewed, text, tokens.now()) };
    };
  const revoke =
    (find: Find): CoreHandler =>
    async (request) => {
      const { token } = find(request);
      if (!token) throw new Refusal(400, 'token not found');
      await tokens.revoke(token);
      return undefined;
    };

  const paths = new Paths()
    .on(
      'create',
      'Create a token.',
      { update: (request) => create(tokens, namespace, request, false) },
      createFields,
    )
    .on(
      'create-orphan',
      'Create an orphan token, which is not revoked with its parent.',
      { update: (request) => create(tokens, namespace, request, true) },
      createFields,
    )
    .on('lookup-self', "Show the caller's token.", { read: lookup(callerOf), update: lookup(callerOf) })
    .on('lookup', 'Show a token.', { update: lookup(byToken) }, tokenField)
    .on('lookup-accessor', 'Show the token of an accessor.', { update: lookup(byAccessor) }, accessorField)
    .on('renew-self', "Renew the caller's token.", { update: renew(callerOf) }, incrementField)
    .on('renew', 'Renew a token.', { update: renew(byToken) }, { ...tokenField, ...incrementField })
    .on('revoke-self', "Revoke the caller's token and its child tokens.", { update: revoke(callerOf) })
    .on('revoke', 'Revoke a token and its child tokens.', { update: revoke(byToken) }, tokenField)
    .on(
      'revoke-accessor',
      'Revoke the token of an accessor and its child tokens.',
      { update: revoke(byAccessor) },
      accessorField,
    );
  return routedBackend('token', paths);
}

/** The token that a request is about, if valid, and its text, if the request contains it. */
type Find = (request: CoreRequest) => { readonly token: TokenEntry | undefined; readonly text: string };

function callerOf(request: CoreRequest): Caller {
  if (!request.caller) throw badToken();
  return request.caller;
}

async function create(tokens: Tokens, namespace: string, request: CoreRequest, orphanPath: boolean) {
  const { token: parent, acl } = callerOf(request);
  const { data } = request;
  const root = parent.policies.includes('root');
  const sudo = acl.capabilities(orphanPath ? 'auth/token/create-orphan' : 'auth/token/create').has('sudo');
  const orphan = orphanPath || (booleanField(data, 'no_parent') ?? false);
  const id = textField(data, 'id');
  if (orphan && !sudo) throw denied();
  if (id !== undefined && !sudo)
    throw new Refusal(400, 'root or sudo privileges required to specify token id');
  if (id !== undefined && (id.length < 8 || !/^[\x21-\x7e]+$/.test(id))) {
    throw new Refusal(400, 'token id must be at least 8 printable characters');
  }
  if (id !== undefined && tokens.find(id))
    throw new Refusal(400, 'cannot create a token with a duplicate ID');

  const abroad = (parent.namespace ?? '') !== namespace;
  const policies = policiesOf(request, abroad ? { ...parent, policies: [] } : parent, sudo);
  if (policies.includes('root') && namespace !== '') {
    throw new Refusal(400, 'root tokens may only be created in the root namespace');
  }
  if (policies.includes('root') && !root) {
    throw new Refusal(400, 'root tokens may not be created without parent token being root');
  }
  const uses = integerField(data, 'num_uses') ?? 0;
  if (uses < 0) throw new Refusal(400, 'number of uses cannot be negative');
  const asked = durationField(data, 'ttl') ?? durationField(data, 'lease') ?? 0;
  const maxTtl = durationField(data, 'explicit_max_ttl') ?? 0;
  const limit = Math.min(maxTtl || systemTtl, systemTtl);
  const forever = policies.includes('root') && asked === 0 && maxTtl === 0;
  const ttl = forever ? 0 : Math.min(asked || systemTtl, limit);
  const token = id ?? tokens.newToken();
  const entry = await tokens.create(token, {
    policies,
    path: `auth/token/${orphanPath ? 'create-orphan' : 'create'}`,
    displayName: displayName(textField(data, 'display_name')),
    meta: mapField(data, 'meta') ?? null,
    uses,
    parent: orphan ? null : parent.digest,
    ttl,
    maxTtl,
    renewable: ttl > 0 && (booleanField(data, 'renewable') ?? true),
    ...(namespace !== '' && { namespace }),
    ...(parent.entityId !== undefined && !orphan && !abroad && { entityId: parent.entityId }),
  });
  const [from, to] = [formatDuration(asked), formatDuration(limit)];
  return {
    auth: authOf(entry, token, tokens.now()),
    ...(asked > limit && {
      warnings: [
        `TTL of "${from}" exceeded the effective max_ttl of "${to}"; TTL value is capped accordingly`,
      ],
    }),
  };
}

/** The policies of a new token: the requested ones or the parent's, and `default`. */
function policiesOf({ data }: CoreRequest, parent: TokenEntry, sudo: boolean): string[] {
  const asked = listField(data, 'policies')?.map((name) => name.toLowerCase()) ?? [];
  if (!sudo && asked.some((name) => name !== 'default' && !parent.policies.includes(name))) {
    throw new Refusal(400, 'child policies must be subset of parent');
  }
  const names = new Set(asked.length > 0 ? asked : parent.policies);
  if (booleanField(data, 'no_default_policy')) names.delete('default');
  else if (!names.has('root')) names.add('default');
  return [...names].sort();
}

/**
 * `token`, or `token-` and the name with all characters except letters, digits and hyphens replaced by
 * hyphens.
 */
function displayName(name: string | undefined): string {
  const clean = (name ?? '').replace(/[^a-zA-Z0-9-]/g, '-').replace(/-+$/, '');
  return clean === '' ? 'token' : `token-${clean}`;
}

function left(entry: TokenEntry, now: number): number {
  return entry.expires === null ? 0 : Math.max(0, entry.expires - now);
}

/**
 * The `auth` field of a response.
 * @param identityPolicies policies added by the token's entity
 */
export function authOf(
  entry: TokenEntry,
  token: string,
  now: number,
  identityPolicies: readonly string[] = [],
): Readonly<Record<string, Json>> {
  return {
    client_token: token,
    accessor: entry.accessor,
    policies: [...new Set([...entry.policies, ...identityPolicies])].sort(),
    token_policies: [...entry.policies],
    ...(identityPolicies.length > 0 && { identity_policies: [...identityPolicies] }),
    metadata: entry.meta,
    lease_duration: left(entry, now),
    renewable: entry.renewable,
    entity_id: entry.entityId ?? '',
    token_type: 'service',
    orphan: entry.parent === null,
    mfa_requirement: null,
    num_uses: entry.uses,
  };
}

/** A token as returned by lookups; the token itself only to a caller that sent it. */
function shown(entry: TokenEntry, text: string, now: number): Readonly<Record<string, Json>> {
  const time = (at: number | null): string | null => (at === null ? null : new Date(at * 1000).toISOString());
  return {
    id: text,
    accessor: entry.accessor,
    policies: [...entry.policies],
    path: entry.path,
    meta: entry.meta,
    display_name: entry.displayName,
    num_uses: entry.uses,
    orphan: entry.parent === null,
    creation_time: entry.created,
    creation_ttl: entry.ttl,
    expire_time: time(entry.expires),
    issue_time: time(entry.created),
    ...(entry.renewed === null
      ? {}
      : { last_renewal: time(entry.renewed), last_renewal_time: entry.renewed }),
    ttl: left(entry, now),
    explicit_max_ttl: entry.maxTtl,
    entity_id: entry.entityId ?? '',
    type: 'service',
    renewable: entry.renewable,
  };
}
