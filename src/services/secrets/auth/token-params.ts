import type { JsonObject } from '../../core/http/fields.ts';
import type { TokenParams } from '../engine.ts';
import { badRequest } from '../errors.ts';
import { booleanField, durationField, integerField, listField, textField } from '../fields.ts';
import { duration, flag, integer, list, text } from '../help/field.ts';
import { readBoundCidrs } from '../model/bound-cidrs.ts';

/** The token settings common to all auth methods. */
export const tokenParamFields = {
  token_policies: list('Policies of the tokens.'),
  token_ttl: duration('Time to live of the tokens.'),
  token_max_ttl: duration('Maximum lifetime of the tokens, including renewals.'),
  token_explicit_max_ttl: duration('Maximum lifetime of the tokens, also of periodic ones.'),
  token_period: duration('Lifetime that each renewal of a token sets; 0: not periodic.'),
  token_num_uses: integer('Number of uses of a token; 0: unlimited.'),
  token_no_default_policy: flag('Omit the policy `default`.'),
  token_type: text('`default` (that of the mount), `service` or `batch`.'),
  token_bound_cidrs: list('Addresses and CIDR blocks that may log in and use the tokens.'),
  token_strictly_bind_ip: flag('Whether only the address of the login may use a token.'),
};

const defaultTokenParams: TokenParams = { policies: [], noDefaultPolicy: false, ttl: 0, maxTtl: 0, uses: 0 };

/** Settings that some methods also accept without the prefix `token_`. */
export type ShortName = 'policies' | 'ttl' | 'max_ttl' | 'period' | 'num_uses' | 'bound_cidrs';

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
  const olderNames = new Set(current.olderNames);
  /** The value of `token_NAME`, or of NAME if the method has that name too. */
  const read = <Value>(field: (from: JsonObject, name: string) => Value | undefined, name: ShortName) => {
    const value = field(data, `token_${name}`);
    const older = shortNames.includes(name) ? field(data, name) : undefined;
    if (older !== undefined) olderNames.add(name);
    else if (value !== undefined) olderNames.delete(name);
    return value ?? older;
  };
  const params: TokenParams = {
    policies: read(listField, 'policies') ?? current.policies,
    noDefaultPolicy: booleanField(data, 'token_no_default_policy') ?? current.noDefaultPolicy,
    ttl: read(durationField, 'ttl') ?? current.ttl,
    maxTtl: read(durationField, 'max_ttl') ?? current.maxTtl,
    uses: read(integerField, 'num_uses') ?? current.uses,
    period: read(durationField, 'period') ?? current.period ?? 0,
    explicitMaxTtl: durationField(data, 'token_explicit_max_ttl') ?? current.explicitMaxTtl ?? 0,
  };
  const type = readTokenType(data, current.type);
  if (type === 'batch') checkBatchParams(params);
  const boundCidrs = read(readBoundCidrs, 'bound_cidrs') ?? current.boundCidrs;
  const strictlyBindIp = booleanField(data, 'token_strictly_bind_ip') ?? current.strictlyBindIp;
  if (params.uses < 0) throw badRequest("'token_num_uses' cannot be negative");
  if (params.maxTtl > 0 && params.ttl > params.maxTtl) {
    throw badRequest("'token_ttl' cannot be greater than 'token_max_ttl'");
  }
  return {
    ...params,
    ...(type && { type }),
    ...(boundCidrs && { boundCidrs }),
    ...(strictlyBindIp && { strictlyBindIp }),
    ...(olderNames.size > 0 && { olderNames: [...olderNames] }),
  };
}

/** Undefined: the default of the mount. @throws SecretsError 400 */
function readTokenType(data: JsonObject, current: TokenParams['type']): TokenParams['type'] {
  const type = textField(data, 'token_type');
  if (type === undefined) return current;
  if (type === '' || type === 'default') return undefined;
  if (type === 'service' || type === 'batch') return type;
  throw badRequest(`invalid 'token_type' value "${type}"`);
}

/** @throws SecretsError 400: batch tokens cannot have a setting */
function checkBatchParams({ period = 0, uses }: TokenParams): void {
  const invalid = (kind: string) =>
    badRequest(`'token_type' cannot be 'batch' or 'default_batch' when set to generate ${kind}`);
  if (period > 0) throw invalid('periodic tokens');
  if (uses !== 0) throw invalid('tokens with limited use count');
}
