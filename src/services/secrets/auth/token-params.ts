import type { JsonObject } from '../../core/http/fields.ts';
import type { TokenParams } from '../engine.ts';
import { badRequest } from '../errors.ts';
import { booleanField, durationField, integerField, listField } from '../fields.ts';
import { duration, flag, integer, list } from '../help/field.ts';

/** The token settings common to all auth methods. */
export const tokenParamFields = {
  token_policies: list('Policies of the tokens.'),
  token_ttl: duration('Time to live of the tokens.'),
  token_max_ttl: duration('Maximum lifetime of the tokens, including renewals.'),
  token_num_uses: integer('Number of uses of a token; 0: unlimited.'),
  token_no_default_policy: flag('Omit the policy `default`.'),
};

const defaultTokenParams: TokenParams = { policies: [], noDefaultPolicy: false, ttl: 0, maxTtl: 0, uses: 0 };

/** Restrictions that are not enforced; accepting them would be misleading. */
const unsupported = ['token_bound_cidrs', 'bound_cidrs', 'secret_id_bound_cidrs', 'token_period'];

/**
 * Reads token settings; omitted ones are unchanged.
 * @throws SecretsError 400
 */
export function readTokenParams(data: JsonObject, current: TokenParams = defaultTokenParams): TokenParams {
  for (const name of unsupported) {
    const value = data[name];
    const isEmpty = value === undefined || value === null || value === '' || value === 0;
    if (!isEmpty && !(Array.isArray(value) && value.length === 0))
      throw badRequest(`${name} is not supported`);
  }
  const params: TokenParams = {
    policies: listField(data, 'token_policies') ?? listField(data, 'policies') ?? current.policies,
    noDefaultPolicy: booleanField(data, 'token_no_default_policy') ?? current.noDefaultPolicy,
    ttl: durationField(data, 'token_ttl') ?? current.ttl,
    maxTtl: durationField(data, 'token_max_ttl') ?? current.maxTtl,
    uses: integerField(data, 'token_num_uses') ?? current.uses,
  };
  if (params.uses < 0) throw badRequest("'token_num_uses' cannot be negative");
  if (params.maxTtl > 0 && params.ttl > params.maxTtl) {
    throw badRequest("'token_ttl' cannot be greater than 'token_max_ttl'");
  }
  return params;
}
