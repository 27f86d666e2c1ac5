import type { JsonObject } from '../../../core/http/fields.ts';
import { sanitizePolicies } from '../../auth/new-token-policies.ts';
import { badRequest, orNotFound, unsupportedPath } from '../../errors.ts';
import { booleanField, durationField, integerField, listField, textField } from '../../fields.ts';
import { duration, flag, integer, list, text } from '../../help/field.ts';
import { readBoundCidrs } from '../../model/bound-cidrs.ts';
import { roleTokenTypes, type TokenRole } from '../../model/token-roles.ts';
import { systemTtl } from '../../model/ttl.ts';
import type { Resource } from '../../resource.ts';
import { showTokenRole } from '../../views.ts';
import type { TokenContext } from './create-token.ts';

/** `auth/token/roles` (docs/protocol/secrets.md#token-roles). */

const fields = {
  allowed_policies: list('Policies that tokens may have (default: those of the parent token).'),
  disallowed_policies: list('Policies that tokens cannot have.'),
  allowed_policies_glob: list('Policies that tokens may have; `*` matches any characters.'),
  disallowed_policies_glob: list('Policies that tokens cannot have; `*` matches any characters.'),
  orphan: flag('Create orphan tokens.'),
  renewable: flag('Whether tokens can be renewed (default true).'),
  path_suffix: text('Appended to the path of the tokens.'),
  token_type: text('`service`, `batch`, `default-service` (default) or `default-batch`.'),
  token_period: duration('Lifetime that each renewal of a token sets; 0: not periodic.'),
  period: duration('The older name of `token_period`.'),
  token_explicit_max_ttl: duration('Maximum lifetime of the tokens, including renewals.'),
  explicit_max_ttl: duration('The older name of `token_explicit_max_ttl`.'),
  token_num_uses: integer('Maximum number of uses of a token; 0: unlimited.'),
  token_no_default_policy: flag('Omit the policy `default`.'),
  token_bound_cidrs: list('Addresses and CIDR blocks that may use the tokens.'),
  bound_cidrs: list('The older name of `token_bound_cidrs`.'),
};

/** Settings of auth methods that products accept without an effect on token roles. */
const ineffective = ['token_policies', 'token_ttl', 'token_max_ttl', 'token_strictly_bind_ip'];

const defaultRole: TokenRole = {
  orphan: false,
  renewable: true,
  pathSuffix: '',
  allowedPolicies: [],
  disallowedPolicies: [],
  allowedPoliciesGlob: [],
  disallowedPoliciesGlob: [],
  noDefaultPolicy: false,
  type: 'default-service',
  period: 0,
  explicitMaxTtl: 0,
  uses: 0,
  boundCidrs: [],
  olderNames: [],
};

export const roles: Resource<TokenContext> = {
  summary: 'List the token roles.',
  list: ({ roles: tokenRoles }) => ({ data: { keys: tokenRoles.names() } }),
};

export const role: Resource<TokenContext> = {
  summary: 'Show, write or delete a token role.',
  fields,
  read: ({ roles: tokenRoles }, _request, name) => ({
    data: showTokenRole(name, orNotFound(tokenRoles.get(checkName(name)))),
  }),
  async write({ roles: tokenRoles }, { data }, name) {
    const warnings: string[] = [];
    await tokenRoles.put(name, readRole(data, tokenRoles.get(checkName(name)) ?? defaultRole, warnings));
    // Only a response can have the warning about settings without an effect.
    const isIneffective = ineffective.some((field) => data[field]);
    return warnings.length > 0 || isIneffective ? { warnings } : undefined;
  },
  delete: ({ roles: tokenRoles }, _request, name) => tokenRoles.delete(checkName(name)),
};

/** Returns a valid name. @throws SecretsError 404 */
export function checkName(name: string): string {
  if (!/^\w(?:[\w.-]*\w)?$/.test(name)) throw unsupportedPath();
  return name;
}

/** Reads a role; omitted settings are unchanged. @throws SecretsError 400 */
function readRole(data: JsonObject, current: TokenRole, warnings: string[]): TokenRole {
  if (listField(data, 'allowed_entity_aliases')?.length) {
    throw badRequest('allowed_entity_aliases is not supported');
  }
  const olderNames = new Set(current.olderNames);
  /** The value of `token_NAME`, or else of NAME, which is the older one. */
  const read = <Value>(field: (from: JsonObject, name: string) => Value | undefined, name: string) => {
    const value = field(data, `token_${name}`);
    const older = field(data, name);
    if (value !== undefined) olderNames.delete(name);
    else if (older !== undefined) olderNames.add(name);
    if (value !== undefined && older !== undefined) {
      warnings.push(
        `Both 'token_${name}' and deprecated '${name}' value supplied, ignoring the deprecated value`,
      );
    }
    return value ?? older;
  };
  const role: TokenRole = {
    orphan: booleanField(data, 'orphan') ?? current.orphan,
    renewable: booleanField(data, 'renewable') ?? current.renewable,
    pathSuffix: readPathSuffix(data) ?? current.pathSuffix,
    allowedPolicies: policiesField(data, 'allowed_policies') ?? current.allowedPolicies,
    disallowedPolicies: policiesField(data, 'disallowed_policies') ?? current.disallowedPolicies,
    allowedPoliciesGlob: policiesField(data, 'allowed_policies_glob') ?? current.allowedPoliciesGlob,
    disallowedPoliciesGlob: policiesField(data, 'disallowed_policies_glob') ?? current.disallowedPoliciesGlob,
    noDefaultPolicy: booleanField(data, 'token_no_default_policy') ?? current.noDefaultPolicy,
    type: readType(data) ?? current.type,
    period: read(durationField, 'period') ?? current.period,
    explicitMaxTtl: read(durationField, 'explicit_max_ttl') ?? current.explicitMaxTtl,
    uses: integerField(data, 'token_num_uses') ?? current.uses,
    boundCidrs: read(readBoundCidrs, 'bound_cidrs') ?? current.boundCidrs,
    olderNames: [...olderNames],
  };
  if (role.uses < 0) throw badRequest("'token_num_uses' cannot be negative");
  if (role.type === 'batch') checkBatchRole(role);
  if (role.explicitMaxTtl > systemTtl) {
    warnings.push(
      `Given explicit max TTL of ${role.explicitMaxTtl} is greater than system/mount allowed value of ${systemTtl} seconds; tokens get at most the latter`,
    );
  }
  return role;
}

const policiesField = (data: JsonObject, name: string): string[] | undefined => {
  const names = listField(data, name);
  return names && sanitizePolicies(names);
};

function readPathSuffix(data: JsonObject): string | undefined {
  const suffix = textField(data, 'path_suffix');
  if (suffix === undefined || suffix === '') return suffix;
  if (suffix.includes('..')) {
    throw badRequest('error registering path suffix: path cannot contain parent references');
  }
  if (!/^\w[\w.-]+\w$/.test(suffix)) {
    throw badRequest('given role path suffix contains invalid characters; must match \\w[\\w-.]+\\w');
  }
  return suffix;
}

function readType(data: JsonObject): TokenRole['type'] | undefined {
  if (data.token_type === undefined) return undefined;
  if (data.token_type === null) throw badRequest("Invalid 'token_type' value: null");
  const text = textField(data, 'token_type');
  const type = roleTokenTypes.find((each) => each === text);
  if (type === undefined) throw badRequest(`invalid 'token_type' value "${text ?? ''}"`);
  return type;
}

/** @throws SecretsError 400: batch tokens cannot have a setting */
function checkBatchRole({ orphan, period, renewable, explicitMaxTtl }: TokenRole): void {
  const invalid = (kind: string) =>
    badRequest(`'token_type' cannot be 'batch' when role is set to generate ${kind}`);
  if (!orphan) throw invalid('non-orphan tokens');
  if (period > 0) throw invalid('periodic tokens');
  if (renewable) throw invalid('renewable tokens');
  if (explicitMaxTtl > 0) throw invalid('tokens with an explicit max TTL');
}
