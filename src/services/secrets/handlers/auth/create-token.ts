import type { Caller, EngineRequest, EngineResponse } from '../../engine.ts';
import { badRequest, permissionDenied } from '../../errors.ts';
import { booleanField, ignoredWarnings, integerField, listField, mapField, textField } from '../../fields.ts';
import { duration, flag, integer, list, object, text } from '../../help/field.ts';
import type { Policies } from '../../model/policies.ts';
import type { TokenEntry, Tokens } from '../../model/tokens.ts';
import { effectiveTtl, parseLifetime, type TtlLimits } from '../../model/ttl.ts';
import { wrappingPolicy } from '../../model/wrapped-responses.ts';
import { authResponse } from '../../views.ts';

/** Creating tokens with a token (docs/protocol/secrets.md#tokens). */

/** What `auth/token/` of a namespace works with. */
export interface TokenContext {
  readonly tokens: Tokens;
  /** The policies of the namespace. */
  readonly policies: Policies;
  /** The path of the namespace. */
  readonly namespace: string;
  /** The lifetimes of the mount that created a token. */
  readonly limitsOf: (token: TokenEntry) => TtlLimits;
}

export const createFields = {
  id: text('A custom token; requires `sudo`.'),
  policies: list('Policies (default: those of the parent token).'),
  ttl: duration('Time to live of the token.'),
  lease: duration('The older name of `ttl`.'),
  explicit_max_ttl: duration('Maximum lifetime of the token, including renewals.'),
  period: duration('Lifetime that each renewal sets, without a maximum; requires `sudo`.'),
  display_name: text('Display name, prefixed with `token-`.'),
  meta: object('Custom metadata.'),
  num_uses: integer('Number of uses; 0: unlimited.'),
  renewable: flag('Whether the token can be renewed.'),
  no_parent: flag('Create an orphan token, which is not revoked with its parent.'),
  no_default_policy: flag('Omit the policy `default`.'),
  type: text('Must be `service`.'),
  entity_alias: text('Only with token roles, which are not supported.'),
};

/**
 * Creates a token as a child of the caller's, or as an orphan.
 * @param orphanPath whether the path is `create-orphan`
 * @throws SecretsError 400, 403
 */
export async function createToken(
  { tokens, policies: existingPolicies, namespace }: TokenContext,
  request: EngineRequest,
  { token: parent, acl }: Caller,
  orphanPath: boolean,
): Promise<EngineResponse> {
  const { data } = request;
  const root = parent.policies.includes('root');
  const sudo = acl.capabilities(orphanPath ? 'auth/token/create-orphan' : 'auth/token/create').has('sudo');
  const orphan = orphanPath || (booleanField(data, 'no_parent') ?? false);
  checkType(data);
  const id = textField(data, 'id');
  if (orphan && !sudo) throw permissionDenied();
  if (id !== undefined && !sudo) throw badRequest('root or sudo privileges required to specify token id');
  if (id !== undefined && (id.length < 8 || !/^[\x21-\x7e]+$/.test(id))) {
    throw badRequest('token id must be at least 8 printable characters');
  }
  if (id !== undefined && tokens.find(id)) throw badRequest('cannot create a token with a duplicate ID');

  const isOtherNamespace = (parent.namespace ?? '') !== namespace;
  const policies = policiesOf(request, isOtherNamespace ? { ...parent, policies: [] } : parent, sudo);
  if (policies.includes('root') && namespace !== '') {
    throw badRequest('root tokens may only be created in the root namespace');
  }
  if (policies.includes('root') && !root) {
    throw badRequest('root tokens may not be created without parent token being root');
  }
  const uses = integerField(data, 'num_uses') ?? 0;
  if (uses < 0) throw badRequest('number of uses cannot be negative');
  const lifetime = readLifetime(data, sudo);
  const path = `auth/token/${orphanPath ? 'create-orphan' : 'create'}`;
  const isUnlimited = policies.includes('root') && lifetime.ttl === 0 && lifetime.period === 0;
  const { ttl, warnings } = isUnlimited
    ? { ttl: lifetime.explicitMax, warnings: [] }
    : effectiveTtl(request.ttlLimits, lifetime);
  if (ttl === 0 && parent.ttl !== 0) {
    throw badRequest('expiring root tokens cannot create non-expiring root tokens');
  }
  const token = id ?? tokens.newToken();
  const entry = await tokens.create(token, {
    policies,
    path,
    displayName: formatDisplayName(textField(data, 'display_name')),
    meta: mapField(data, 'meta') ?? null,
    uses,
    parent: orphan ? null : parent.digest,
    ttl,
    maxTtl: lifetime.explicitMax,
    ...(lifetime.period > 0 && { period: lifetime.period }),
    renewable: ttl > 0 && (booleanField(data, 'renewable') ?? true),
    ...(namespace !== '' && { namespace }),
    ...(parent.entityId !== undefined && !orphan && !isOtherNamespace && { entityId: parent.entityId }),
  });
  const missing = policies.filter((name) => existingPolicies.text(name) === undefined);
  return {
    auth: authResponse(entry, token, tokens.now()),
    warnings: [
      ...ignoredWarnings(createFields, [], data),
      ...warnings,
      ...missing.map((name) => `Policy ${JSON.stringify(name)} does not exist`),
    ],
  };
}

/** @throws SecretsError 400: not a service token, or an entity alias */
function checkType(data: EngineRequest['data']): void {
  const type = textField(data, 'type') || 'service';
  if (type === 'batch') throw badRequest('batch tokens are not supported: type must be "service"');
  if (type !== 'service') throw badRequest("invalid 'token_type' value");
  if (textField(data, 'entity_alias')) {
    throw badRequest("'entity_alias' is only allowed in combination with token role");
  }
}

/** The requested lifetimes in seconds; 0: none. @throws SecretsError 400 */
function readLifetime(data: EngineRequest['data'], sudo: boolean) {
  const read = (name: string): number => {
    const seconds = parseLifetime(textField(data, name) ?? '');
    if (seconds < 0) throw badRequest(`${name} must be positive`);
    return seconds;
  };
  const explicitMax = read('explicit_max_ttl');
  const period = read('period');
  if (period > 0 && !sudo) {
    throw badRequest('root or sudo privileges required to create periodic token');
  }
  return { ttl: read(textField(data, 'ttl') ? 'ttl' : 'lease'), explicitMax, period };
}

/** The policies of a new token: the requested ones or the parent's, and `default`. */
function policiesOf({ data }: EngineRequest, parent: TokenEntry, sudo: boolean): string[] {
  const requested = listField(data, 'policies')?.map((name) => name.toLowerCase()) ?? [];
  if (!sudo && requested.some((name) => name !== 'default' && !parent.policies.includes(name))) {
    throw badRequest('child policies must be subset of parent');
  }
  const names = new Set(requested.length > 0 ? requested : parent.policies);
  if (booleanField(data, 'no_default_policy')) names.delete('default');
  else if (!names.has('root')) names.add('default');
  if (names.has(wrappingPolicy.name)) throw badRequest(`cannot assign policy "${wrappingPolicy.name}"`);
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
