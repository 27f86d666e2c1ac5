import { formatDuration } from '../../../../wire/duration.ts';
import type { Json } from '../../../../wire/json.ts';
import {
  type Backend,
  type Caller,
  type CoreHandler,
  type CoreRequest,
  Paths,
  routedBackend,
} from '../../backend.ts';
import { SecretsError } from '../../engine.ts';
import { invalidToken, permissionDenied } from '../../errors.ts';
import { booleanField, durationField, integerField, listField, mapField, textField } from '../../fields.ts';
import { duration, flag, integer, list, object, required, text } from '../../help/field.ts';
import { systemTtl, type TokenEntry, type Tokens } from '../../model/tokens.ts';

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
  const ifInNamespace = (token: TokenEntry | undefined) =>
    token?.namespace?.startsWith(namespace) || namespace === '' ? token : undefined;
  const byToken: FindToken = ({ data }) => {
    const text = textField(data, 'token') ?? '';
    return { token: ifInNamespace(tokens.find(text)), text };
  };
  const byAccessor: FindToken = ({ data }) => ({
    token: ifInNamespace(tokens.byAccessor(textField(data, 'accessor') ?? '')),
    text: '',
  });
  const lookup =
    (find: FindToken): CoreHandler =>
    (request) => {
      const { token, text } = find(request);
      if (!token) throw new SecretsError(403, 'bad token');
      return { data: showToken(token, text, tokens.now()) };
    };
  const renew =
    (find: FindToken): CoreHandler =>
    async (request) => {
      const { token, text } = find(request);
      if (!token) throw new SecretsError(403, 'bad token');
      if (!token.renewable) throw new SecretsError(400, 'lease is not renewable');
      const renewed = await tokens.renew(token, durationField(request.data, 'increment') ?? 0);
      return { auth: authResponse(renewed, text, tokens.now()) };
    };
  const revoke =
    (find: FindToken): CoreHandler =>
    async (request) => {
      const { token } = find(request);
      if (!token) throw new SecretsError(400, 'token not found');
      await tokens.revoke(token);
      return undefined;
    };

  const paths = new Paths()
    .on(
      'create',
      'Create a token.',
      { update: (request) => createToken(tokens, namespace, request, false) },
      createFields,
    )
    .on(
      'create-orphan',
      'Create an orphan token, which is not revoked with its parent.',
      { update: (request) => createToken(tokens, namespace, request, true) },
      createFields,
    )
    .on('lookup-self', "Show the caller's token.", {
      read: lookup(requireCaller),
      update: lookup(requireCaller),
    })
    .on('lookup', 'Show a token.', { update: lookup(byToken) }, tokenField)
    .on('lookup-accessor', 'Show the token of an accessor.', { update: lookup(byAccessor) }, accessorField)
    .on('renew-self', "Renew the caller's token.", { update: renew(requireCaller) }, incrementField)
    .on('renew', 'Renew a token.', { update: renew(byToken) }, { ...tokenField, ...incrementField })
    .on('revoke-self', "Revoke the caller's token and its child tokens.", { update: revoke(requireCaller) })
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
type FindToken = (request: CoreRequest) => { readonly token: TokenEntry | undefined; readonly text: string };

function requireCaller(request: CoreRequest): Caller {
  if (!request.caller) throw invalidToken();
  return request.caller;
}

async function createToken(tokens: Tokens, namespace: string, request: CoreRequest, orphanPath: boolean) {
  const { token: parent, acl } = requireCaller(request);
  const { data } = request;
  const root = parent.policies.includes('root');
  const sudo = acl.capabilities(orphanPath ? 'auth/token/create-orphan' : 'auth/token/create').has('sudo');
  const orphan = orphanPath || (booleanField(data, 'no_parent') ?? false);
  const id = textField(data, 'id');
  if (orphan && !sudo) throw permissionDenied();
  if (id !== undefined && !sudo)
    throw new SecretsError(400, 'root or sudo privileges required to specify token id');
  if (id !== undefined && (id.length < 8 || !/^[\x21-\x7e]+$/.test(id))) {
    throw new SecretsError(400, 'token id must be at least 8 printable characters');
  }
  if (id !== undefined && tokens.find(id))
    throw new SecretsError(400, 'cannot create a token with a duplicate ID');

  const isOtherNamespace = (parent.namespace ?? '') !== namespace;
  const policies = policiesOf(request, isOtherNamespace ? { ...parent, policies: [] } : parent, sudo);
  if (policies.includes('root') && namespace !== '') {
    throw new SecretsError(400, 'root tokens may only be created in the root namespace');
  }
  if (policies.includes('root') && !root) {
    throw new SecretsError(400, 'root tokens may not be created without parent token being root');
  }
  const uses = integerField(data, 'num_uses') ?? 0;
  if (uses < 0) throw new SecretsError(400, 'number of uses cannot be negative');
  const requested = durationField(data, 'ttl') ?? durationField(data, 'lease') ?? 0;
  const maxTtl = durationField(data, 'explicit_max_ttl') ?? 0;
  const limit = Math.min(maxTtl || systemTtl, systemTtl);
  const isUnlimited = policies.includes('root') && requested === 0 && maxTtl === 0;
  const ttl = isUnlimited ? 0 : Math.min(requested || systemTtl, limit);
  const token = id ?? tokens.newToken();
  const entry = await tokens.create(token, {
    policies,
    path: `auth/token/${orphanPath ? 'create-orphan' : 'create'}`,
    displayName: formatDisplayName(textField(data, 'display_name')),
    meta: mapField(data, 'meta') ?? null,
    uses,
    parent: orphan ? null : parent.digest,
    ttl,
    maxTtl,
    renewable: ttl > 0 && (booleanField(data, 'renewable') ?? true),
    ...(namespace !== '' && { namespace }),
    ...(parent.entityId !== undefined && !orphan && !isOtherNamespace && { entityId: parent.entityId }),
  });
  const [from, to] = [formatDuration(requested), formatDuration(limit)];
  return {
    auth: authResponse(entry, token, tokens.now()),
    ...(requested > limit && {
      warnings: [
        `TTL of "${from}" exceeded the effective max_ttl of "${to}"; TTL value is capped accordingly`,
      ],
    }),
  };
}

/** The policies of a new token: the requested ones or the parent's, and `default`. */
function policiesOf({ data }: CoreRequest, parent: TokenEntry, sudo: boolean): string[] {
  const requested = listField(data, 'policies')?.map((name) => name.toLowerCase()) ?? [];
  if (!sudo && requested.some((name) => name !== 'default' && !parent.policies.includes(name))) {
    throw new SecretsError(400, 'child policies must be subset of parent');
  }
  const names = new Set(requested.length > 0 ? requested : parent.policies);
  if (booleanField(data, 'no_default_policy')) names.delete('default');
  else if (!names.has('root')) names.add('default');
  return [...names].sort();
}

/**
 * `token`, or `token-` and the name with all characters except letters, digits and hyphens replaced by
 * hyphens.
 */
function formatDisplayName(name: string | undefined): string {
  const sanitized = (name ?? '').replace(/[^a-zA-Z0-9-]/g, '-').replace(/-+$/, '');
  return sanitized === '' ? 'token' : `token-${sanitized}`;
}

function remainingSeconds(entry: TokenEntry, now: number): number {
  return entry.expires === null ? 0 : Math.max(0, entry.expires - now);
}

/**
 * The `auth` field of a response.
 * @param identityPolicies policies added by the token's entity
 */
export function authResponse(
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
    lease_duration: remainingSeconds(entry, now),
    renewable: entry.renewable,
    entity_id: entry.entityId ?? '',
    token_type: 'service',
    orphan: entry.parent === null,
    mfa_requirement: null,
    num_uses: entry.uses,
  };
}

/** A token as returned by lookups; the token itself only to a caller that sent it. */
function showToken(entry: TokenEntry, text: string, now: number): Readonly<Record<string, Json>> {
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
    ttl: remainingSeconds(entry, now),
    explicit_max_ttl: entry.maxTtl,
    entity_id: entry.entityId ?? '',
    type: 'service',
    renewable: entry.renewable,
  };
}
