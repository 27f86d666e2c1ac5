import { HttpRefusal, type HttpRequest } from '../../http/service.ts';
import {
  anonymous,
  anonymousSecret,
  type Grants,
  globalManagement,
  type Policy,
  policyOf,
  roleOf,
  type Token,
  tokenBySecret,
} from '../state/acl.ts';
import type { State } from '../state/state.ts';
import { type Access, type Authority, Ruled, unrestricted } from './authority.ts';
import { isExpired } from './expiry.ts';
import { rulesOfIdentities } from './identities.ts';
import { translateRules } from './legacy/translate.ts';
import { parseRules, type Rule } from './rules.ts';

/** What a token may do, and what that was made from: rows, which are others once they have changed. */
interface Known {
  readonly from: readonly unknown[];
  readonly authority: Authority;
}

/**
 * Access by tokens: by the policies and identities that they name, and those of their roles. The specification has no default policy; an embedded registry
 * begins open, so that it is of use at once: until the ACL system is bootstrapped, callers may do whatever no
 * policy denies, except look at tokens and policies; from then on nothing that no policy allows. A token that is
 * not known is refused in either case.
 */
export class TokenAccess implements Access {
  readonly #state: State;
  readonly #datacenter: string;
  readonly #parsed = new WeakMap<Policy | Token, readonly Rule[]>();
  readonly #authorities = new WeakMap<Token, Known>();

  constructor(state: State, datacenter: string) {
    this.#state = state;
    this.#datacenter = datacenter;
  }

  get defaultPolicy(): 'allow' | 'deny' {
    return this.#state.view.get('bootstrap', 'done') ? 'deny' : 'allow';
  }

  /** The token of a request; the anonymous one if it has none. @throws HttpRefusal 403 */
  tokenOf(request: HttpRequest): Token {
    return this.#known(secretOf(request));
  }

  expired(token: Token): boolean {
    return isExpired(token, this.#state.now);
  }

  authorityOf(request: HttpRequest): Authority {
    return this.#authority(this.tokenOf(request));
  }

  /** What the token with a secret may do. @throws HttpRefusal 403: there is none */
  authorityOfSecret(secret: string): Authority {
    return this.#authority(this.#known(secret));
  }

  #known(secret: string): Token {
    const token = tokenBySecret(this.#state.view, secret);
    if (!token || this.expired(token)) throw new HttpRefusal(403, 'ACL not found');
    return token;
  }

  #authority(token: Token): Authority {
    const { view } = this.#state;
    const { Roles = [] } = token;
    const grants = [token, ...Roles.flatMap((id) => roleOf(view, id) ?? [])];
    const ids = [...new Set(grants.flatMap(({ Policies }) => Policies))];
    if (ids.includes(globalManagement.ID)) return unrestricted;
    const policies = ids.flatMap((id) => policyOf(view, id) ?? []);
    const from = [this.defaultPolicy, ...grants, ...policies];
    const known = this.#authorities.get(token);
    if (known?.from.length === from.length && known.from.every((each, at) => each === from[at]))
      return known.authority;
    const authority = this.#ruled(token, grants, policies);
    this.#authorities.set(token, { from, authority });
    return authority;
  }

  #ruled(token: Token, grants: readonly Grants[], policies: readonly Policy[]): Authority {
    const rules = [
      ...policies.flatMap((policy) => this.#rules(policy)),
      ...grants.flatMap((each) => rulesOfIdentities(each, this.#datacenter)),
      ...this.#legacyRules(token),
    ];
    const accessor = token.AccessorID === anonymous ? undefined : token.AccessorID;
    return new Ruled(rules, this.defaultPolicy, accessor);
  }

  #legacyRules(token: Token): readonly Rule[] {
    if (!token.Rules) return [];
    const rules = this.#parsed.get(token) ?? parseRules(translateRules(token.Rules));
    this.#parsed.set(token, rules);
    return rules;
  }

  #rules(policy: Policy): readonly Rule[] {
    const rules = this.#parsed.get(policy) ?? parseRules(policy.Rules);
    this.#parsed.set(policy, rules);
    return rules;
  }
}

/**
 * From the query, the service's own header, or as a bearer token, in this order
 * (docs/protocol/registry.md#requests-and-responses); that of the anonymous token if it has none.
 */
function secretOf(request: HttpRequest): string {
  const bearer = /^bearer\s(.*)/i.exec(request.headers.authorization ?? '')?.[1];
  return request.query.get('token') || request.prefixed('token') || bearer?.trim() || anonymousSecret;
}
