import { HttpError, type HttpRequest } from '../core/http/http-service.ts';
import { appliesIn, identityRules } from './acl/identities.ts';
import { translateRules } from './acl/legacy/translate.ts';
import { type Permissions, RulePermissions, unrestricted } from './acl/permissions.ts';
import { parseRules, type Rule } from './acl/rules.ts';
import { isExpired } from './acl/token-expiry.ts';
import {
  anonymous,
  anonymousSecret,
  bootstraps,
  type Grants,
  globalManagement,
  type Policy,
  policies,
  roles,
  type Token,
  tokenBySecret,
} from './model/acl.ts';
import type { State } from './model/tables.ts';

/** The permissions of a token, and the rows that they were computed from: changed rows are other objects. */
interface CachedPermissions {
  readonly sources: readonly unknown[];
  readonly permissions: Permissions;
}

/** Precedes the error for an unknown token until ACLs are bootstrapped. */
const mustBootstrap =
  'ACL system must be bootstrapped before making any requests that require authorization: ';

/**
 * Authorization by tokens: by their policies, identities and roles. The specification has no default policy. Until
 * ACLs are bootstrapped, the default is to permit everything except reading tokens and policies; afterwards the
 * default is to deny. An unknown token is rejected in either case.
 */
export class TokenAuthorizer {
  readonly #state: State;
  readonly #datacenter: string;
  readonly #parsed = new WeakMap<Policy | Token, readonly Rule[]>();
  readonly #cache = new WeakMap<Token, CachedPermissions>();

  constructor(state: State, datacenter: string) {
    this.#state = state;
    this.#datacenter = datacenter;
  }

  get defaultPolicy(): 'allow' | 'deny' {
    return bootstraps.get(this.#state.view, 'done') ? 'deny' : 'allow';
  }

  /** The token of a request, or the anonymous one. @throws HttpError 403 */
  tokenOf(request: HttpRequest): Token {
    return this.#requireToken(secretOf(request));
  }

  /** The token of a request, or the anonymous one; undefined: unknown. */
  findToken(request: HttpRequest): Token | undefined {
    return this.#findToken(secretOf(request));
  }

  isExpired(token: Token): boolean {
    return isExpired(token, this.#state.now);
  }

  permissionsOf(request: HttpRequest): Permissions {
    return this.#permissions(this.tokenOf(request));
  }

  /** The permissions of a request without a token. */
  get anonymousPermissions(): Permissions {
    return this.permissionsOfSecret(anonymousSecret);
  }

  /** The permissions of a token. @throws HttpError 403: unknown */
  permissionsOfSecret(secret: string): Permissions {
    return this.#permissions(this.#requireToken(secret));
  }

  #requireToken(secret: string): Token {
    const token = this.#findToken(secret);
    if (token) return token;
    throw new HttpError(403, `${this.defaultPolicy === 'allow' ? mustBootstrap : ''}ACL not found`);
  }

  #findToken(secret: string): Token | undefined {
    const token = tokenBySecret(this.#state.view, secret);
    return token && !this.isExpired(token) ? token : undefined;
  }

  #permissions(token: Token): Permissions {
    const { view } = this.#state;
    const { Roles = [] } = token;
    const grants = [token, ...Roles.flatMap((id) => roles.get(view, id) ?? [])];
    const ids = [...new Set(grants.flatMap(({ Policies }) => Policies))];
    // Its rules allow everything; rules of other policies may deny something.
    if (ids.length === 1 && ids[0] === globalManagement.ID) return unrestricted;
    const tokenPolicies = ids.flatMap((id) => policies.get(view, id) ?? []);
    const sources = [this.defaultPolicy, ...grants, ...tokenPolicies];
    const cached = this.#cache.get(token);
    if (cached?.sources.length === sources.length && cached.sources.every((each, at) => each === sources[at]))
      return cached.permissions;
    const permissions = this.#compile(token, grants, tokenPolicies);
    this.#cache.set(token, { sources, permissions });
    return permissions;
  }

  #compile(token: Token, grants: readonly Grants[], tokenPolicies: readonly Policy[]): Permissions {
    const rules = [
      ...tokenPolicies
        .filter((policy) => appliesIn(policy, this.#datacenter))
        .flatMap((policy) => this.#rules(policy, parseRules)),
      ...grants.flatMap((each) => identityRules(each, this.#datacenter)),
      ...this.#rules(token, (legacy) => parseRules(translateRules(legacy))),
    ];
    const accessor = token.AccessorID === anonymous ? undefined : token.AccessorID;
    return new RulePermissions(rules, this.defaultPolicy, accessor);
  }

  #rules(row: Policy | Token, parse: (text: string) => Rule[]): readonly Rule[] {
    const rules = this.#parsed.get(row) ?? parse(row.Rules ?? '');
    this.#parsed.set(row, rules);
    return rules;
  }
}

/**
 * The token of the query, the service's own header, or a bearer token, in this order
 * (docs/protocol/registry.md#requests-and-responses), or the anonymous one.
 */
function secretOf(request: HttpRequest): string {
  const bearer = /^bearer\s(.*)/i.exec(request.headers.authorization ?? '')?.[1];
  return request.query.get('token') || request.serviceHeader('token') || bearer?.trim() || anonymousSecret;
}
