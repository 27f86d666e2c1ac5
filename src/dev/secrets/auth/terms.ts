import type { Json } from '../../../wire/json.ts';
import type { TokenTerms } from '../backend.ts';
import { Refusal } from '../engine.ts';
import { booleanField, durationField, integerField, listField } from '../fields.ts';
import { duration, flag, integer, list } from '../help/field.ts';

type Data = Readonly<Record<string, Json>>;

/** The token settings common to all auth methods. */
export const termFields = {
  token_policies: list('Policies of the tokens.'),
  token_ttl: duration('Time to live of the tokens.'),
  token_max_ttl: duration('Maximum lifetime of the tokens, including renewals.'),
  token_num_uses: integer('Number of uses of a token; 0: unlimited.'),
  token_no_default_policy: flag('Omit the policy `default`.'),
};

const none: TokenTerms = { policies: [], noDefaultPolicy: false, ttl: 0, maxTtl: 0, uses: 0 };

/** Restrictions that are not enforced; accepting them would be misleading. */
const unsupported = ['token_bound_cidrs', 'bound_cidrs', 'secret_id_bound_cidrs', 'token_period'];

/**
 * Reads token settings; omitted ones are unchanged.
 * @throws Refusal 400
 */
export function readTerms(data: Data, before: TokenTerms = none): TokenTerms {
  for (const name of unsupported) {
    const value = data[name];
    const empty = value === undefined || value === null || value === '' || value === 0;
    if (!empty && !(Array.isArray(value) && value.length === 0))
      throw new Refusal(400, `${name} is not supported`);
  }
  const terms: TokenTerms = {
    policies: listField(data, 'token_policies') ?? listField(data, 'policies') ?? before.policies,
    noDefaultPolicy: booleanField(data, 'token_no_default_policy') ?? before.noDefaultPolicy,
    ttl: durationField(data, 'token_ttl') ?? before.ttl,
    maxTtl: durationField(data, 'token_max_ttl') ?? before.maxTtl,
    uses: integerField(data, 'token_num_uses') ?? before.uses,
  };
  if (terms.uses < 0) throw new Refusal(400, "'token_num_uses' cannot be negative");
  if (terms.maxTtl > 0 && terms.ttl > terms.maxTtl) {
    throw new Refusal(400, "'token_ttl' cannot be greater than 'token_max_ttl'");
  }
  return terms;
}

export function showTerms(terms: TokenTerms): Readonly<Record<string, Json>> {
  return {
    token_policies: [...terms.policies],
    token_ttl: terms.ttl,
    token_max_ttl: terms.maxTtl,
    token_num_uses: terms.uses,
    token_no_default_policy: terms.noDefaultPolicy,
    token_bound_cidrs: [],
    token_period: 0,
    token_type: 'default',
  };
}
