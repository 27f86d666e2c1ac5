import type { JsonObject } from '../../../../wire/json.ts';
import * as s from '../../../core/schema/types.ts';
import { sanitizePolicies } from '../../auth/new-token-policies.ts';
import { badRequest, orBadRequest, orNotFound, unsupportedPath } from '../../errors.ts';
import { boundCidrsOf } from '../../model/bound-cidrs.ts';
import { roleTokenTypes, type TokenRole, tokenRoles } from '../../model/token-roles.ts';
import { systemTtl } from '../../model/ttl.ts';
import type { InputOf } from '../../resource.ts';
import { nothing } from '../../returns.ts';
import { showTokenRole } from '../../views.ts';
import { tokenResource } from './create-token.ts';

const texts = (description: string) => s.list(s.string(), description);

/** In the order of responses, which always have them. */
const settings = {
  orphan: s.boolean('Create orphan tokens.'),
  renewable: s.boolean('Whether tokens can be renewed (default true).'),
  path_suffix: s.string('Appended to the path of the tokens.'),
  allowed_policies: texts('Policies that tokens may have (default: policies of the parent token).'),
  disallowed_policies: texts('Policies that tokens cannot have.'),
  allowed_policies_glob: texts('Policies that tokens may have; `*` matches any characters.'),
  disallowed_policies_glob: texts('Policies that tokens cannot have; `*` matches any characters.'),
  allowed_entity_aliases: texts('Must be empty: entity aliases are not supported.'),
  token_no_default_policy: s.boolean('Omit the policy `default`.'),
  token_type: s.string('`service`, `batch`, `default-service` (default) or `default-batch`.'),
  period: s.duration('The older name of `token_period`.'),
  token_period: s.duration('Lifetime that each renewal of a token sets; 0: not periodic.'),
  explicit_max_ttl: s.duration('The older name of `token_explicit_max_ttl`.'),
  token_explicit_max_ttl: s.duration('Maximum lifetime of the tokens, including renewals.'),
};
const limits = s.partial({
  token_bound_cidrs: texts('Addresses and CIDR blocks that may use the tokens.'),
  bound_cidrs: texts('The older name of `token_bound_cidrs`.'),
  token_num_uses: s.integer('Maximum number of uses of a token; 0: unlimited.'),
});
const fields = { ...s.partial(settings), ...limits };
type RoleInput = InputOf<typeof fields>;

const shownTokenRole = s.named(
  'TokenRole',
  s.object({ name: s.string(), ...settings, allowed_entity_aliases: nothing, ...limits }),
);

/** Settings of auth methods that products accept without an effect on token roles. */
const ineffective = ['token_policies', 'token_ttl', 'token_max_ttl', 'token_strictly_bind_ip'];

export const roles = tokenResource({
  summary: 'List the token roles.',
  list: (context) => ({ data: { keys: tokenRoles.keys(context.roles) } }),
});

export const role = tokenResource({
  summary: 'Show, write or delete a token role.',
  fields,
  returns: { read: shownTokenRole },
  read: (context, _request, name) => ({
    data: showTokenRole(name, orNotFound(tokenRoles.get(context.roles, checkName(name)))),
  }),
  async write(context, { input, data }, name) {
    const warnings: string[] = [];
    const current = tokenRoles.get(context.roles, checkName(name));
    await context.roles.write([tokenRoles.put(name, newRole(input, data, current, warnings))]);
    // Only a response can have the warning about settings without an effect.
    const isIneffective = ineffective.some((field) => data[field]);
    return warnings.length > 0 || isIneffective ? { warnings } : undefined;
  },
  delete: (context, _request, name) => context.roles.write([tokenRoles.remove(checkName(name))]),
});

/** Returns a valid name. @throws SecretsError 404 */
export function checkName(name: string): string {
  if (!/^\w(?:[\w.-]*\w)?$/.test(name)) throw unsupportedPath();
  return name;
}

/** The role that a write describes; omitted settings are unchanged. @throws SecretsError 400 */
function newRole(
  input: RoleInput,
  data: JsonObject,
  current: TokenRole | undefined,
  warnings: string[],
): TokenRole {
  if (input.allowed_entity_aliases?.length) throw badRequest('allowed_entity_aliases is not supported');
  const olderNames = new Set(current?.olderNames);
  /** The value of `token_NAME`, or else of NAME, which is the older one. */
  const either = <Name extends 'period' | 'explicit_max_ttl' | 'bound_cidrs'>(
    name: Name,
  ): RoleInput[Name] => {
    const value = input[`token_${name}`] as RoleInput[Name];
    const older = input[name];
    if (value !== undefined) olderNames.delete(name);
    else if (older !== undefined) olderNames.add(name);
    if (value !== undefined && older !== undefined) {
      warnings.push(
        `Both 'token_${name}' and deprecated '${name}' value supplied, ignoring the deprecated value`,
      );
    }
    return value ?? older;
  };
  const policies = (names: readonly string[] | undefined) => names && sanitizePolicies(names);
  const role: TokenRole = {
    orphan: input.orphan ?? current?.orphan ?? false,
    renewable: input.renewable ?? current?.renewable ?? true,
    pathSuffix: checkPathSuffix(input.path_suffix) ?? current?.pathSuffix ?? '',
    allowedPolicies: policies(input.allowed_policies) ?? current?.allowedPolicies ?? [],
    disallowedPolicies: policies(input.disallowed_policies) ?? current?.disallowedPolicies ?? [],
    allowedPoliciesGlob: policies(input.allowed_policies_glob) ?? current?.allowedPoliciesGlob ?? [],
    disallowedPoliciesGlob: policies(input.disallowed_policies_glob) ?? current?.disallowedPoliciesGlob ?? [],
    noDefaultPolicy: input.token_no_default_policy ?? current?.noDefaultPolicy ?? false,
    type: tokenType(input.token_type, data) ?? current?.type ?? 'default-service',
    period: either('period') ?? current?.period ?? 0,
    explicitMaxTtl: either('explicit_max_ttl') ?? current?.explicitMaxTtl ?? 0,
    uses: input.token_num_uses ?? current?.uses ?? 0,
    boundCidrs: boundCidrsOf(either('bound_cidrs')) ?? current?.boundCidrs ?? [],
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

function checkPathSuffix(suffix: string | undefined): string | undefined {
  if (suffix === undefined || suffix === '') return suffix;
  if (suffix.includes('..'))
    throw badRequest('error registering path suffix: path cannot contain parent references');
  if (!/^\w[\w.-]+\w$/.test(suffix))
    throw badRequest('given role path suffix contains invalid characters; must match \\w[\\w-.]+\\w');
  return suffix;
}

function tokenType(text: string | undefined, data: JsonObject): TokenRole['type'] | undefined {
  if (data.token_type === null) throw badRequest("Invalid 'token_type' value: null");
  if (text === undefined) return undefined;
  return orBadRequest(
    roleTokenTypes.find((each) => each === text),
    `invalid 'token_type' value "${text}"`,
  );
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
