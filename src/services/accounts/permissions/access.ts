import { getOrCreate } from '../../../wire/maps.ts';
import type { Storage } from '../../core/store/storage.ts';
import { children, descendants, type Role, rolesOfPrincipal, thisScope } from '../model/roles.ts';
import { globalScope, scopes } from '../model/scopes.ts';
import { decide, isPermitted, type Target } from './acl.ts';
import { type Grant, parseGrant, templateOf } from './grants.ts';
import { anonymousUser, defaultFields, type OutputFields } from './output-fields.ts';
import type { ResourceType } from './types.ts';

/** The principal that every user with a valid token has, as in the product. */
const authenticatedUser = 'u_auth';

/** Who sends a request. */
export interface Caller {
  /** The user of the token; `u_anon`: no token, an invalid one, or one whose account has no user. */
  readonly user: string;
  readonly account?: string;
}

export const anonymous: Caller = { user: anonymousUser };

export const isAnonymous = ({ user }: Caller): boolean => user === anonymousUser;

/** A resource, or a collection of resources, in a scope. */
export interface ScopedTarget extends Target {
  readonly type: ResourceType;
  readonly scope: string;
}

/** What a request wants to do. */
export interface RequestedAccess extends ScopedTarget {
  readonly action: string;
  /** Whether grants of all scopes count: of the other requests, only grants of the scope of the request. */
  readonly isRecursive?: boolean;
}

interface TypeGrants {
  readonly grants: readonly Grant[];
  readonly ids: ReadonlySet<string>;
}

/**
 * What a caller may do by the grants of its roles, and which fields it sees, in one request. Roles of `u_anon` are
 * everybody's, and of `u_auth` every authenticated user's (docs/protocol/accounts.md#permissions).
 */
export class Access {
  readonly storage: Storage;
  readonly caller: Caller;
  readonly requested: RequestedAccess;
  /** By scope. */
  readonly #grants = new Map<string, readonly Grant[]>();
  /** By scope and type. */
  readonly #grantsByType = new Map<string, TypeGrants>();
  readonly #roles = new Map<string, readonly Role[]>();
  /** Of targets that no grant names. */
  readonly #permitted = new Map<string, readonly string[]>();
  readonly #fields = new Map<string, OutputFields>();

  constructor(storage: Storage, caller: Caller, requested: RequestedAccess) {
    this.storage = storage;
    this.caller = caller;
    this.requested = requested;
  }

  /** Whether the action of the request is permitted. */
  get isAuthorized(): boolean {
    return this.permits(this.requested, this.requested.action);
  }

  /** Whether an action on a target is permitted. */
  permits(target: ScopedTarget, action: string): boolean {
    const { grants } = this.#grantsFor(target);
    return isPermitted(grants, target, action, { isAnonymous: isAnonymous(this.caller) });
  }

  /** Those of some actions that are permitted on a target. */
  permitted(target: ScopedTarget, actions: readonly string[]): readonly string[] {
    return this.#onceForAll(target, `permitted ${actions.join()}`, this.#permitted, () =>
      actions.filter((action) => this.permits(target, action)),
    );
  }

  /** The fields of a target that a response may have; of another request than a list, the fields of the request. */
  fieldsOf(target: ScopedTarget): OutputFields {
    const { action } = this.requested;
    const of = action === 'list' ? target : this.requested;
    return this.#onceForAll(of, 'fields', this.#fields, () => {
      const { grants } = this.#grantsFor(of);
      const { fields } = decide(grants, of, action, { isAnonymous: isAnonymous(this.caller) });
      return fields ?? defaultFields(this.caller.user);
    });
  }

  /** Decides once for all targets of a list that no grant names by their IDs. */
  #onceForAll<Result>(
    target: ScopedTarget,
    what: string,
    known: Map<string, Result>,
    result: () => Result,
  ): Result {
    const { type, scope, pin = '', id } = target;
    if (id === undefined || this.#grantsFor(target).ids.has(id)) return result();
    return getOrCreate(known, `${type}/${scope}/${pin}/${what}`, result);
  }

  /** The grants in a scope that can concern a type, and their IDs. */
  #grantsFor({ scope, type }: ScopedTarget): TypeGrants {
    return getOrCreate(this.#grantsByType, `${scope}/${type}`, () => {
      const grants = this.#grantsAt(scope).filter(
        (grant) => grant.type === undefined || ['*', type].includes(grant.type),
      );
      return { grants, ids: new Set(grants.flatMap(({ id = '', ids }) => [id, ...ids])) };
    });
  }

  #grantsAt(scope: string): readonly Grant[] {
    return getOrCreate(this.#grants, scope, () =>
      this.#rolesAt(scope).flatMap((role) => grantsOf(role, this.caller)),
    );
  }

  /** The roles of the caller that apply in a scope. They are in this scope or in one above it. */
  #rolesAt(scope: string): Role[] {
    const { scope: requestScope, isRecursive = false } = this.requested;
    // As in the product, a request finds roles by its own scope; below it, only grants of all descendants remain.
    const isElsewhere = !isRecursive && scope !== requestScope;
    if (isElsewhere && requestScope === globalScope) return [];
    const above = scopesAbove(this.storage, scope);
    const [parent] = above;
    const applies = ({ scope: own, grantScopes }: Role): boolean => {
      if (scope !== globalScope && grantScopes.includes(descendants)) return true;
      if (isElsewhere) return false;
      if (own === scope && grantScopes.includes(thisScope)) return true;
      return grantScopes.includes(scope) || (own === parent && grantScopes.includes(children));
    };
    return [scope, ...above].flatMap((each) => this.#rolesIn(each)).filter(applies);
  }

  /** The roles of the caller that are in a scope. */
  #rolesIn(scope: string): readonly Role[] {
    return getOrCreate(this.#roles, scope, () => {
      const { user } = this.caller;
      const principals = isAnonymous(this.caller) ? [user] : [anonymousUser, authenticatedUser, user];
      const found = principals.flatMap((each) => rolesOfPrincipal(this.storage, each, scope));
      return [...new Map(found.map((role) => [role.id, role])).values()];
    });
  }
}

/** The scopes that contain a scope, the nearest first. */
function scopesAbove(storage: Storage, scope: string): string[] {
  const parent = scopes.get(storage, scope)?.parent ?? '';
  return parent === '' ? [] : [parent, ...scopesAbove(storage, parent)];
}

/** The grants of stored roles: a row is immutable. */
const parsed = new WeakMap<Role, readonly Grant[]>();

function grantsOf(role: Role, caller: Caller): readonly Grant[] {
  const grants = getOrCreate(parsed, role, () => role.grants.map(({ canonical }) => parseGrant(canonical)));
  return grants.map((grant) => withIds(grant, caller));
}

/** A grant with the IDs of the caller instead of templates, as far as it has them. */
function withIds(grant: Grant, caller: Caller): Grant {
  if (!grant.ids.some((id) => id.startsWith('{{'))) return grant;
  return { ...grant, ids: grant.ids.map((id) => idOf(id, caller)) };
}

function idOf(id: string, caller: Caller): string {
  const template = templateOf(id);
  return (template && caller[template]) ?? id;
}
