import { HttpError, type HttpRequest } from '../core/http/http-service.ts';
import { type Permissions, permissionsFromRules, unrestricted } from './acl/permissions.ts';
import { parseRules, type Rules } from './acl/rules.ts';
import {
  anonymousPolicy,
  bootstraps,
  type Policy,
  policyNamesOf,
  policies as policyTable,
  type Token,
  tokenBySecret,
} from './model/acl.ts';
import type { State } from './model/tables.ts';

/** The permissions of a token, and the rows that they were computed from: changed rows are other objects. */
interface CachedPermissions {
  readonly policies: readonly Policy[];
  readonly permissions: Permissions;
}

/** Authorization: until ACLs are bootstrapped every request is permitted, then the policies of the token decide. */
export class TokenAuthorizer {
  readonly #state: State;
  readonly #parsed = new WeakMap<Policy, Rules>();
  readonly #cache = new WeakMap<object, CachedPermissions>();

  constructor(state: State) {
    this.#state = state;
  }

  /** Whether ACLs are enabled. */
  get isEnabled(): boolean {
    return bootstraps.get(this.#state.view, 'done') !== undefined;
  }

  /** The token of a request; undefined: none. @throws HttpError 403: unknown or expired */
  tokenOf(request: HttpRequest): Token | undefined {
    const secret = secretOf(request);
    if (secret === '') return undefined;
    const token = tokenBySecret(this.#state.view, secret);
    if (!token) throw new HttpError(403, 'Permission denied');
    if (isExpired(token, this.#state.now)) throw new HttpError(403, 'ACL token expired');
    return token;
  }

  /** @throws HttpError 403 */
  permissionsOf(request: HttpRequest): Permissions {
    if (!this.isEnabled) return unrestricted;
    const token = this.tokenOf(request);
    if (token?.Type === 'management') return unrestricted;
    const names = token ? policyNamesOf(this.#state.view, token) : [anonymousPolicy];
    const policies = names.flatMap((name) => policyTable.get(this.#state.view, name) ?? []);
    const cached = this.#cache.get(token ?? this);
    if (
      cached?.policies.length === policies.length &&
      cached.policies.every((each, at) => each === policies[at])
    )
      return cached.permissions;
    const permissions = permissionsFromRules(policies.map((policy) => this.#rules(policy)));
    this.#cache.set(token ?? this, { policies: policies, permissions });
    return permissions;
  }

  #rules(policy: Policy): Rules {
    const rules = this.#parsed.get(policy) ?? parseRules(policy.Rules);
    this.#parsed.set(policy, rules);
    return rules;
  }
}

/** @param now milliseconds since 1970. */
export function isExpired({ ExpirationTime }: Token, now: number): boolean {
  return ExpirationTime !== undefined && Date.parse(ExpirationTime) <= now;
}

/** From the service's own header, or a bearer token (docs/protocol/scheduler.md#access-control). */
function secretOf(request: HttpRequest): string {
  const bearer = /^bearer\s(.*)/i.exec(request.headers.authorization ?? '')?.[1];
  return request.serviceHeader('token') || bearer?.trim() || '';
}
