import { HttpRefusal, type HttpRequest } from '../../http/service.ts';
import { anonymousPolicy, type Policy, policyOf, type Token, tokenBySecret } from '../state/acl.ts';
import type { State } from '../state/tables.ts';
import { type Authority, ruledBy, unrestricted } from './authority.ts';
import { parseRules, type Rules } from './rules.ts';

/** What a token may do, and the policies that say so: rows, which are others once they have changed. */
interface Known {
  readonly from: readonly Policy[];
  readonly authority: Authority;
}

/**
 * Access by tokens. The scheduler begins open, so that it is of use at once; from the moment on that its access
 * control is bootstrapped, callers may do what the policies of their token allow, and nothing else.
 */
export class Access {
  readonly #state: State;
  readonly #parsed = new WeakMap<Policy, Rules>();
  readonly #authorities = new WeakMap<object, Known>();

  constructor(state: State) {
    this.#state = state;
  }

  /** Is access controlled at all? */
  get on(): boolean {
    return this.#state.view.get('bootstrap', 'done') !== undefined;
  }

  /** The token of a request; undefined: it has none. @throws HttpRefusal 403: it is not known, or its time is over */
  tokenOf(request: HttpRequest): Token | undefined {
    const secret = secretIn(request);
    if (secret === '') return undefined;
    const token = tokenBySecret(this.#state.view, secret);
    if (!token) throw new HttpRefusal(403, 'ACL token not found');
    if (isExpired(token, this.#state.now)) throw new HttpRefusal(403, 'ACL token expired');
    return token;
  }

  /** @throws HttpRefusal 403 */
  authorityOf(request: HttpRequest): Authority {
    if (!this.on) return unrestricted;
    const token = this.tokenOf(request);
    if (token?.Type === 'management') return unrestricted;
    const names = token ? token.Policies : [anonymousPolicy];
    const policies = names.flatMap((name) => policyOf(this.#state.view, name) ?? []);
    const known = this.#authorities.get(token ?? this);
    if (known?.from.length === policies.length && known.from.every((each, at) => each === policies[at]))
      return known.authority;
    const authority = ruledBy(policies.map((policy) => this.#rules(policy)));
    this.#authorities.set(token ?? this, { from: policies, authority });
    return authority;
  }

  #rules(policy: Policy): Rules {
    const rules = this.#parsed.get(policy) ?? parseRules(policy.Rules);
    this.#parsed.set(policy, rules);
    return rules;
  }
}

function isExpired({ ExpirationTime }: Token, now: number): boolean {
  return ExpirationTime !== undefined && Date.parse(ExpirationTime) <= now;
}

/** From the service's own header, or as a bearer token (docs/protocol/scheduler.md#access-control). */
function secretIn(request: HttpRequest): string {
  const bearer = /^bearer\s(.*)/i.exec(request.headers.authorization ?? '')?.[1];
  return request.prefixed('token') || bearer?.trim() || '';
}
