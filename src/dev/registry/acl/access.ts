import { HttpRefusal, type HttpRequest } from '../../http/service.ts';
import {
  anonymous,
  type Grants,
  globalManagement,
  type Policy,
  policyOf,
  roleOf,
  type Token,
  tokenBySecret,
  tokenOf,
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

  /** The token of a request; the anonymous one where there is none. @throws HttpRefusal 403 */
  tokenOf(request: HttpRequest): Token | undefined {
    const secret = secretOf(request);
    return secret === '' ? tokenOf(this.#state.view, anonymous) : this.#known(secret);
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

  #authority(token: Token | undefined): Authority {
    const { view } = this.#state;
    const grants = token ? [token, ...(token.Roles ?? []).flatMap((id) => roleOf(view, id) ?? [])] : [];
    const ids = [...new Set(grants.flatMap(({ Policies }) => Policies))];
    if (ids.includes(globalManagement.ID)) return unrestricted;
    const policies = ids.map((id) => policyOf(view, id));
    const from = [this.defaultPolicy, ...grants, ...policies];
    const known = token && this.#authorities.get(token);
    if (known?.from.length === from.length && known.from.every((each, at) => each === from[at]))
      return known.authority;
    const authority = this.#ruled(token, grants, policies);
    if (token) this.#authorities.set(token, { from, authority });
    return authority;
  }

  #ruled(
    token: Token | undefined,
    grants: readonly Grants[],
    policies: readonly (Policy | undefined)[],
  ): Authority {
    const rules = [
      ...policies.flatMap((policy) => this.#rules(policy)),
      ...grants.flatMap((each) => rulesOfIdentities(each, this.#datacenter)),
      ...this.#legacyRules(token),
    ];
    const accessor = token?.AccessorID === anonymous ? undefined : token?.AccessorID;
    return new Ruled(rules, this.defaultPolicy, accessor);
  }

  #legacyRules(token: Token | undefined): readonly Rule[] {
    if (!token?.Rules) return [];
    const rules = this.#parsed.get(token) ?? parseRules(translateRules(token.Rules));
    this.#parsed.set(token, rules);
    return rules;
  }

  #rules(policy: Policy | undefined): readonly Rule[] {
    if (!policy) return [];
    const rules = this.#parsed.get(policy) ?? parseRules(policy.Rules);
    this.#parsed.set(policy, rules);
    return rules;
  }
}

/**
 * From the query, the service's own header, or as a bearer token, in this order
 * (docs/protocol/registry.md#requests-and-responses).
 */
function secretOf(request: HttpRequest): string {
  const bearer = /^bearer\s+(.*)$/i.exec(request.headers.authorization ?? '')?.[1];
  return request.query.get('token') || request.prefixed('token') || bearer?.trim() || '';
}
