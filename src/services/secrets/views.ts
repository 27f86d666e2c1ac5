import type { Json, JsonObject } from '../../wire/json.ts';
import type { TokenParams } from './engine.ts';
import type { AppRole } from './model/app-roles.ts';
import type { Alias, EntityRecord } from './model/identity.ts';
import type { Mount } from './model/mounts.ts';
import type { SecretId } from './model/secret-ids.ts';
import type { TokenEntry } from './model/token-entries.ts';
import type { TokenRole } from './model/token-roles.ts';

/** The records of the service as in responses; views of engine records are next to the records. */

export const timeText = (seconds: number): string => new Date(seconds * 1000).toISOString();

function remainingSeconds(entry: TokenEntry, now: number): number {
  return entry.expires === null ? 0 : Math.max(0, entry.expires - now);
}

/** The `auth` field of a response. @param identityPolicies policies added by the token's entity */
export function authResponse(
  entry: TokenEntry,
  token: string,
  now: number,
  identityPolicies: readonly string[] = [],
): JsonObject {
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
    token_type: entry.type ?? 'service',
    orphan: entry.parent === null,
    mfa_requirement: null,
    num_uses: entry.uses,
  };
}

/** A token as returned by lookups; the token itself only to a caller that sent it. */
export function showToken(entry: TokenEntry, text: string, now: number): JsonObject {
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
    expire_time: entry.expires === null ? null : timeText(entry.expires),
    issue_time: timeText(entry.created),
    ...(entry.renewed !== null && {
      last_renewal: timeText(entry.renewed),
      last_renewal_time: entry.renewed,
    }),
    ttl: remainingSeconds(entry, now),
    explicit_max_ttl: entry.maxTtl,
    ...(entry.period !== undefined && { period: entry.period }),
    ...(entry.role !== undefined && { role: entry.role }),
    ...(entry.namespace && { namespace_path: entry.namespace }),
    ...(entry.boundCidrs && { bound_cidrs: [...entry.boundCidrs] }),
    entity_id: entry.entityId ?? '',
    type: entry.type ?? 'service',
    renewable: entry.renewable,
  };
}

/** The version of what is built in. */
export const pluginVersion = (version: string): string => `v${version}+builtin.lanyard`;

/** @param mountOf the mount with an accessor; undefined: unmounted since */
export function showEntity(entity: EntityRecord, mountOf: MountOf): JsonObject {
  return {
    id: entity.id,
    name: entity.name,
    metadata: { ...entity.metadata },
    policies: [...entity.policies],
    disabled: entity.disabled,
    aliases: entity.aliases.map((alias) => showAlias(entity, alias, mountOf)),
    creation_time: entity.created,
    last_update_time: entity.updated,
    direct_group_ids: [],
    group_ids: [],
    inherited_group_ids: [],
    merged_entity_ids: null,
  };
}

type MountOf = (accessor: string) => Mount | undefined;

export function showAlias(entity: EntityRecord, alias: Alias, mountOf: MountOf): JsonObject {
  const mount = mountOf(alias.mountAccessor);
  return {
    id: alias.id,
    canonical_id: entity.id,
    mount_accessor: alias.mountAccessor,
    mount_path: mount?.path ?? '',
    mount_type: mount?.entry.type ?? '',
    name: alias.name,
    metadata: { ...alias.metadata },
    custom_metadata: { ...alias.customMetadata },
    creation_time: alias.created,
    last_update_time: alias.updated,
    local: false,
  };
}

export function showTokenParams(params: TokenParams): JsonObject {
  const shown = showTokenSettings(params);
  const older = (params.olderNames ?? []).map((name) => [name, shown[`token_${name}`] ?? null] as const);
  return { ...Object.fromEntries(older.filter(([, value]) => isSet(value))), ...shown };
}

/** Whether a setting has another value than its default. */
const isSet = (value: Json): boolean => (Array.isArray(value) ? value.length > 0 : Boolean(value));

function showTokenSettings(params: TokenParams): JsonObject {
  return {
    token_policies: [...params.policies],
    token_ttl: params.ttl,
    token_max_ttl: params.maxTtl,
    token_num_uses: params.uses,
    token_no_default_policy: params.noDefaultPolicy,
    token_bound_cidrs: [...(params.boundCidrs ?? [])],
    token_explicit_max_ttl: params.explicitMaxTtl ?? 0,
    token_period: params.period ?? 0,
    token_strictly_bind_ip: params.strictlyBindIp ?? false,
    token_type: params.type ?? 'default',
  };
}

export function showTokenRole(name: string, role: TokenRole): JsonObject {
  const older = (setting: string) => role.olderNames.includes(setting);
  const cidrs = [...role.boundCidrs];
  return {
    name,
    orphan: role.orphan,
    renewable: role.renewable,
    path_suffix: role.pathSuffix,
    allowed_policies: [...role.allowedPolicies],
    disallowed_policies: [...role.disallowedPolicies],
    allowed_policies_glob: [...role.allowedPoliciesGlob],
    disallowed_policies_glob: [...role.disallowedPoliciesGlob],
    allowed_entity_aliases: null,
    token_no_default_policy: role.noDefaultPolicy,
    token_type: role.type,
    period: older('period') ? role.period : 0,
    token_period: role.period,
    explicit_max_ttl: older('explicit_max_ttl') ? role.explicitMaxTtl : 0,
    token_explicit_max_ttl: role.explicitMaxTtl,
    ...(cidrs.length > 0 && { token_bound_cidrs: cidrs }),
    ...(cidrs.length > 0 && older('bound_cidrs') && { bound_cidrs: cidrs }),
    ...(role.uses > 0 && { token_num_uses: role.uses }),
  };
}

export function showAppRole(role: AppRole): JsonObject {
  return {
    bind_secret_id: role.bindSecretId,
    secret_id_num_uses: role.secretIdUses,
    secret_id_ttl: role.secretIdTtl,
    secret_id_bound_cidrs: role.secretIdBoundCidrs ? [...role.secretIdBoundCidrs] : null,
    local_secret_ids: false,
    ...showTokenParams(role.terms),
  };
}

export function showSecretId(entry: SecretId): JsonObject {
  return {
    secret_id_accessor: entry.accessor,
    secret_id_num_uses: entry.uses,
    secret_id_ttl: entry.ttl,
    creation_time: timeText(entry.created),
    expiration_time: entry.expires === null ? '0001-01-01T00:00:00Z' : timeText(entry.expires),
    last_updated_time: timeText(entry.created),
    cidr_list: [...(entry.cidrs ?? [])],
    token_bound_cidrs: [...(entry.tokenBoundCidrs ?? [])],
    metadata: { ...entry.metadata },
  };
}
