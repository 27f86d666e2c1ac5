import type { JsonObject } from '../../core/http/fields.ts';
import type { TokenParams } from '../engine.ts';
import { badRequest } from '../errors.ts';
import { booleanField, durationField, integerField, listField, textField } from '../fields.ts';
import { duration, flag, integer, list, text } from '../help/field.ts';
import { checkTokenType } from '../model/mount-config.ts';

/** The token settings common to all auth methods. */
export const tokenParamFields = {
  token_policies: list('Policies of the tokens.'),
  token_ttl: duration('Time to live of the tokens.'),
  token_max_ttl: duration('Maximum lifetime of the tokens, including renewals.'),
  token_explicit_max_ttl: duration('Maximum lifetime of the tokens, also of periodic ones.'),
  token_period: duration('Lifetime that each renewal of a token sets; 0: not periodic.'),
  token_num_uses: integer('Number of uses of a token; 0: unlimited.'),
  token_no_default_policy: flag('Omit the policy `default`.'),
  token_type: text('`default`, `default-service` or `service`.'),
};

const defaultTokenParams: TokenParams = { policies: [], noDefaultPolicy: false, ttl: 0, maxTtl: 0, uses: 0 };

/** Restrictions that are not enforced; accepting them would be misleading. */
const unsupported = [
  'token_bound_cidrs',
  'bound_cidrs',
  'bound_cidr_list',
  'secret_id_bound_cidrs',
  'token_strictly_bind_ip',
];

/** Settings that some methods also accept without the prefix `token_`. */
export type ShortName = 'policies' | 'ttl' | 'max_ttl' | 'period' | 'num_uses';

/** @throws SecretsError 400: one of the fields has a value */
export function rejectUnsupported(data: JsonObject, names: readonly string[]): void {
  for (const name of names) {
    const value = data[name];
    const isEmpty = value === undefined || value === null || !value;
    if (!isEmpty && !(Array.isArray(value) && value.length === 0))
      throw badRequest(`${name} is not supported`);
  }
}

/**
 * Reads token settings; omitted ones are unchanged.
 * @param shortNames the older names of the method's settings
 * @throws SecretsError 400
 */
export function readTokenParams(
  data: JsonObject,
  current: TokenParams = defaultTokenParams,
  shortNames: readonly ShortName[] = ['policies'],
): TokenParams {
  rejectUnsupported(data, unsupported);
  const tokenType = textField(data, 'token_type');
  if (tokenType) checkTokenType(tokenType);
  /** The value of `token_NAME`, or of NAME if the method has that name too. */
  const read = <Value>(field: (from: JsonObject, name: string) => Value | undefined, name: ShortName) =>
    field(data, `token_${name}`) ?? (shortNames.includes(name) ? field(data, name) : undefined);
  const params: TokenParams = {
    policies: read(listField, 'policies') ?? current.policies,
    noDefaultPolicy: booleanField(data, 'token_no_default_policy') ?? current.noDefaultPolicy,
    ttl: read(durationField, 'ttl') ?? current.ttl,
    maxTtl: read(durationField, 'max_ttl') ?? current.maxTtl,
    uses: read(integerField, 'num_uses') ?? current.uses,
    period: read(durationField, 'period') ?? current.period ?? 0,
    explicitMaxTtl: durationField(data, 'token_explicit_max_ttl') ?? current.explicitMaxTtl ?? 0,
  };
  if (params.uses < 0) throw badRequest("'token_num_uses' cannot be negative");
  if (params.maxTtl > 0 && params.ttl > params.maxTtl) {
    throw badRequest("'token_ttl' cannot be greater than 'token_max_ttl'");
  }
  return params;
}
