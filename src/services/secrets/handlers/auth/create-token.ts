import * as s from '../../../core/schema/types.ts';
import type { Storage } from '../../../core/store/storage.ts';
import { newTokenPolicies } from '../../auth/new-token-policies.ts';
import type { Caller, EngineRequest, EngineResponse } from '../../engine.ts';
import { badRequest } from '../../errors.ts';
import { batchTokenPrefix } from '../../model/batch-tokens.ts';
import type { Policies } from '../../model/policies.ts';
import type { TokenEntry } from '../../model/token-entries.ts';
import type { TokenRole } from '../../model/token-roles.ts';
import type { Tokens } from '../../model/tokens.ts';
import { effectiveTtl, parseLifetime, type TtlLimits } from '../../model/ttl.ts';
import { type InputOf, resourcesOf } from '../../resource.ts';
import { authResponse } from '../../views.ts';

/** What `auth/token/` of a namespace works with. */
export interface TokenContext {
  readonly tokens: Tokens;
  readonly roles: Storage;
  readonly policies: Policies;
  readonly namespace: string;
  /** The lifetimes of the mount that created a token. */
  readonly limitsOf: (token: TokenEntry) => TtlLimits;
}

export const tokenResource = resourcesOf<TokenContext>();

export const createFields = s.partial({
  id: s.string('A custom token; requires `sudo`.'),
  policies: s.list(s.string(), 'Policies (default: policies of the parent token).'),
  ttl: s.string('Time to live of the token. Seconds, or a duration such as `1h30m`.'),
  lease: s.string('The older name of `ttl`. Seconds, or a duration such as `1h30m`.'),
  explicit_max_ttl: s.string(
    'Maximum lifetime of the token, including renewals. Seconds, or a duration such as `1h30m`.',
  ),
  period: s.string(
    'Lifetime that each renewal sets, without a maximum; requires `sudo`. Seconds, or a duration such as `1h30m`.',
  ),
  display_name: s.string('Display name, prefixed with `token-`.'),
  meta: s.map(s.string(), 'Custom metadata.'),
  num_uses: s.integer('Number of uses; 0: unlimited.'),
  renewable: s.boolean('Whether the token can be renewed.'),
  no_parent: s.boolean('Create an orphan token, which is not revoked with its parent.'),
  no_default_policy: s.boolean('Omit the policy `default`.'),
  type: s.string('`service` or `batch`.'),
  entity_alias: s.string('Not supported.'),
});
type CreateInput = InputOf<typeof createFields>;

export interface CreationPath {
  /** Whether the path is `create-orphan`. */
  readonly isOrphanPath?: boolean;
  readonly role?: { readonly name: string; readonly settings: TokenRole } | undefined;
}

/** Creates a token as a child of the caller's, or as an orphan. @throws SecretsError 400 */
export async function createToken(
  { tokens, policies: existingPolicies, namespace }: TokenContext,
  request: EngineRequest & { readonly input: CreateInput },
  { token: parent, acl }: Caller,
  { isOrphanPath = false, role }: CreationPath,
): Promise<EngineResponse> {
  const { input } = request;
  const settings = role?.settings;
  if (parent.type === 'batch') throw badRequest('batch tokens cannot create more tokens');
  if (parent.uses !== 0) throw badRequest('restricted use token cannot generate child tokens');
  const path = `auth/token/${request.path}`;
  const sudo = acl.capabilities(path).has('sudo');
  const isOtherNamespace = (parent.namespace ?? '') !== namespace;
  if (isOtherNamespace && !sudo)
    throw badRequest('root or sudo privileges required to directly generate a token in a child namespace');
  const isBatch = readType(input, settings) === 'batch';
  if (isBatch) checkBatchFields(input);
  const uses = input.num_uses ?? 0;
  if (uses < 0) throw badRequest('number of uses cannot be negative');
  checkEntityAlias(input, role);
  const id = readId(input, sudo, tokens);
  const policies = newTokenPolicies(input, {
    parentPolicies: parent.policies,
    sudo,
    isOtherNamespace,
    role: settings,
  });
  if (policies.includes('root')) checkRoot(parent, namespace, isBatch);
  const noParent = input.no_parent ?? false;
  if (!settings && noParent && !sudo)
    throw badRequest('root or sudo privileges required to create orphan token');
  const orphan = settings ? settings.orphan : noParent || isOrphanPath;
  const lifetime = readLifetime(input, sudo, isBatch ? undefined : settings);
  const isUnlimited = policies.includes('root') && lifetime.ttl === 0 && lifetime.period === 0;
  const { ttl, warnings } = isUnlimited
    ? { ttl: lifetime.explicitMax, warnings: [] }
    : effectiveTtl(request.ttlLimits, lifetime);
  if (ttl === 0 && parent.ttl !== 0)
    throw badRequest('expiring root tokens cannot create non-expiring root tokens');
  const isInherited = !settings && !orphan;
  const boundCidrs = settings ? settings.boundCidrs : isInherited ? (parent.boundCidrs ?? []) : [];
  const isRenewable = (input.renewable ?? true) && settings?.renewable !== false;
  const { entry, text: token } = await tokens.issue(
    {
      policies,
      path: settings?.pathSuffix ? `${path}/${settings.pathSuffix}` : path,
      displayName: formatDisplayName(input.display_name),
      meta: input.meta ?? null,
      uses: isBatch ? 0 : lowerLimit(uses, settings?.uses ?? 0),
      parent: orphan ? null : parent.digest,
      ttl,
      maxTtl: lifetime.explicitMax,
      ...(lifetime.period > 0 && { period: lifetime.period }),
      renewable: ttl > 0 && !isBatch && isRenewable,
      ...(namespace !== '' && { namespace }),
      ...(parent.entityId !== undefined && !orphan && !isOtherNamespace && { entityId: parent.entityId }),
      ...(role && { role: role.name }),
      ...(ttl > 0 && boundCidrs.length > 0 && { boundCidrs }),
      ...(isBatch && { type: 'batch' as const }),
    },
    id,
  );
  const missing = policies.filter((name) => existingPolicies.text(name) === undefined);
  return {
    auth: authResponse(entry, token, tokens.now()),
    warnings: [
      ...lifetime.warnings,
      ...warnings,
      ...missing.map((name) => `Policy ${JSON.stringify(name)} does not exist`),
    ],
  };
}

/** The lower of two numbers of which 0 means unlimited. */
const lowerLimit = (one: number, other: number): number =>
  one === 0 || other === 0 ? one + other : Math.min(one, other);

/** The type of the token: the role's, the requested type, or the role's default. @throws SecretsError 400 */
function readType(input: CreateInput, role: TokenRole | undefined): string {
  const requested = input.type ?? '';
  const type =
    role?.type === 'service' || role?.type === 'batch'
      ? role.type
      : requested || (role?.type === 'default-batch' ? 'batch' : 'service');
  if (type !== 'batch' && type !== 'service') throw badRequest("invalid 'token_type' value");
  return type;
}

/** @throws SecretsError 400: a setting that batch tokens cannot have */
function checkBatchFields(input: CreateInput): void {
  const hasLifetime = (name: 'explicit_max_ttl' | 'period') => {
    try {
      return parseLifetime(input[name] ?? '') !== 0;
    } catch {
      throw badRequest(`'${name}' value could not be parsed`);
    }
  };
  const names = {
    explicit_max_ttl: hasLifetime('explicit_max_ttl'),
    num_uses: (input.num_uses ?? 0) !== 0,
    period: hasLifetime('period'),
    id: Boolean(input.id),
  };
  for (const [name, isSet] of Object.entries(names))
    if (isSet) throw badRequest(`batch tokens cannot have "${name}" set`);
}

/** @throws SecretsError 400 */
function checkEntityAlias(input: CreateInput, role: CreationPath['role']): void {
  if (!input.entity_alias) return;
  // No role allows one.
  if (role) throw badRequest("invalid 'entity_alias' value");
  throw badRequest("'entity_alias' is only allowed in combination with token role");
}

/** A custom token. @throws SecretsError 400 */
function readId(input: CreateInput, sudo: boolean, tokens: Tokens): string | undefined {
  const id = input.id || undefined;
  if (id === undefined) return undefined;
  if (!sudo) throw badRequest('root or sudo privileges required to specify token id');
  if (id.length < 8 || !/^[\x21-\x7e]+$/.test(id))
    throw badRequest('token id must be at least 8 printable characters');
  if (id.startsWith(batchTokenPrefix))
    throw badRequest(`custom token ID cannot have the '${batchTokenPrefix}' prefix`);
  if (tokens.find(id)) throw badRequest('cannot create a token with a duplicate ID');
  return id;
}

/** @throws SecretsError 400: the parent cannot create a root token */
function checkRoot(parent: TokenEntry, namespace: string, isBatch: boolean): void {
  if (namespace !== '') throw badRequest('root tokens may only be created in the root namespace');
  if (!parent.policies.includes('root'))
    throw badRequest('root tokens may not be created without parent token being root');
  if (isBatch) throw badRequest('batch tokens cannot be root tokens');
}

/** The lifetimes in seconds, also limited by the role; 0: none. @throws SecretsError 400 */
function readLifetime(input: CreateInput, sudo: boolean, role: TokenRole | undefined) {
  const warnings: string[] = [];
  const read = (name: 'explicit_max_ttl' | 'period' | 'ttl' | 'lease'): number => {
    const seconds = parseLifetime(input[name] ?? '');
    if (seconds < 0) throw badRequest(`${name} must be positive`);
    return seconds;
  };
  const limited = (noun: string, requested: number, ofRole: number): number => {
    const limit = lowerLimit(requested, ofRole);
    if (requested > 0 && ofRole > 0) {
      warnings.push(
        `${noun} specified both during creation call and in role; using the lesser value of ${limit} seconds`,
      );
    }
    return limit;
  };
  const explicitMax = read('explicit_max_ttl');
  const period = read('period');
  if (period > 0 && !sudo) throw badRequest('root or sudo privileges required to create periodic token');
  return {
    ttl: read(input.ttl ? 'ttl' : 'lease'),
    explicitMax: limited('Explicit max TTL', explicitMax, role?.explicitMaxTtl ?? 0),
    period: limited('Period', period, role?.period ?? 0),
    warnings,
  };
}

/** `token`, or `token-` and the name, in which other characters than letters and digits are hyphens. */
function formatDisplayName(name: string | undefined): string {
  const sanitized = (name ?? '').replace(/[^a-zA-Z0-9-]/g, '-').replace(/-+$/, '');
  return sanitized === '' ? 'token' : `token-${sanitized}`;
}
