import * as s from '../../core/schema/types.ts';
import type { TokenParams } from '../engine.ts';
import { badRequest } from '../errors.ts';
import { boundCidrsOf } from '../model/bound-cidrs.ts';
import type { InputOf } from '../resource.ts';

/** The token settings common to all auth methods, in the order of responses. */
const tokenParams = {
  token_policies: s.list(s.string(), 'Policies of the tokens.'),
  token_ttl: s.duration('Time to live of the tokens.'),
  token_max_ttl: s.duration('Maximum lifetime of the tokens, including renewals.'),
  token_num_uses: s.integer('Number of uses of a token; 0: unlimited.'),
  token_no_default_policy: s.boolean('Omit the policy `default`.'),
  token_bound_cidrs: s.list(s.string(), 'Addresses and CIDR blocks that may log in and use the tokens.'),
  token_explicit_max_ttl: s.duration('Maximum lifetime of the tokens, also of periodic ones.'),
  token_period: s.duration('Lifetime that each renewal of a token sets; 0: not periodic.'),
  token_strictly_bind_ip: s.boolean('Whether only the address of the login may use a token.'),
  token_type: s.string('`default` (as the mount), `service` or `batch`.'),
};
export const tokenParamFields = s.partial(tokenParams);

/** Older names of settings, which some methods also accept. */
export const olderTokenFields = s.partial({
  policies: s.list(s.string(), 'The older name of `token_policies`.'),
  ttl: s.duration('The older name of `token_ttl`.'),
  max_ttl: s.duration('The older name of `token_max_ttl`.'),
  num_uses: s.integer('The older name of `token_num_uses`.'),
  period: s.duration('The older name of `token_period`.'),
  bound_cidrs: s.list(s.string(), 'The older name of `token_bound_cidrs`.'),
});

export const shownTokenParams = { ...tokenParams, ...olderTokenFields };

type TokenInput = InputOf<typeof tokenParamFields> & InputOf<typeof olderTokenFields>;
type OlderName = keyof typeof olderTokenFields;

const defaultTokenParams: TokenParams = { policies: [], noDefaultPolicy: false, ttl: 0, maxTtl: 0, uses: 0 };

/** The token settings that a write describes; omitted ones are unchanged. @throws SecretsError 400 */
export function newTokenParams(input: TokenInput, current: TokenParams = defaultTokenParams): TokenParams {
  const olderNames = new Set(current.olderNames);
  /** The value of `token_NAME`, or of NAME if the method has that name too. */
  const either = <Name extends OlderName>(name: Name): TokenInput[Name] => {
    const value = input[`token_${name}`] as TokenInput[Name];
    const older = input[name];
    if (older !== undefined) olderNames.add(name);
    else if (value !== undefined) olderNames.delete(name);
    return value ?? older;
  };
  const params: TokenParams = {
    policies: either('policies') ?? current.policies,
    noDefaultPolicy: input.token_no_default_policy ?? current.noDefaultPolicy,
    ttl: either('ttl') ?? current.ttl,
    maxTtl: either('max_ttl') ?? current.maxTtl,
    uses: either('num_uses') ?? current.uses,
    period: either('period') ?? current.period ?? 0,
    explicitMaxTtl: input.token_explicit_max_ttl ?? current.explicitMaxTtl ?? 0,
  };
  const type = tokenType(input.token_type, current.type);
  if (type === 'batch') checkBatchParams(params);
  const boundCidrs = boundCidrsOf(either('bound_cidrs')) ?? current.boundCidrs;
  const strictlyBindIp = input.token_strictly_bind_ip ?? current.strictlyBindIp;
  if (params.uses < 0) throw badRequest("'token_num_uses' cannot be negative");
  if (params.maxTtl > 0 && params.ttl > params.maxTtl)
    throw badRequest("'token_ttl' cannot be greater than 'token_max_ttl'");
  if (strictlyBindIp && (boundCidrs?.length ?? 0) > 0)
    throw badRequest("'token_strictly_bind_ip' conflicts with 'token_bound_cidrs'; set only one");
  return {
    ...params,
    ...(type && { type }),
    ...(boundCidrs && { boundCidrs }),
    ...(strictlyBindIp && { strictlyBindIp }),
    ...(olderNames.size > 0 && { olderNames: [...olderNames] }),
  };
}

/** Undefined: the default of the mount. @throws SecretsError 400 */
function tokenType(type: string | undefined, current: TokenParams['type']): TokenParams['type'] {
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
