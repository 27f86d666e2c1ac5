import type { HttpRequest } from '../../http/service.ts';
import { type Level, levels, type Named, type Rule, type Single } from './rules.ts';

/** What there are permissions for, by name. */
export type Resource = Named | Single;

/** What a permission lets do. */
export type Right = 'read' | 'write';

/** What a caller may do. */
export interface Authority {
  may(permission: `${Resource}:${Right}`, name: string): boolean;
  /** May it write every key that begins with the prefix? */
  mayWriteBelow(prefix: string): boolean;
  /** Why not, in the words of the service. */
  denial(permission: `${Resource}:${Right}`, name: string): string;
}

/** Who may do what. */
export interface Access {
  /** What a caller may do that no rule speaks of. */
  readonly defaultPolicy: 'allow' | 'deny';
  /** @throws HttpRefusal 403: the token is not known */
  authorityOf(request: HttpRequest): Authority;
}

/** Everything. */
export const unrestricted: Authority = {
  may: () => true,
  mayWriteBelow: () => true,
  denial: () => 'Permission denied',
};

/**
 * What rules allow: an exact one decides before prefixes do, of those the longest; of several about the same
 * thing a denial decides, then the one that allows most. Where none speaks, the default policy does; it never
 * gives access to tokens and policies.
 */
export class Ruled implements Authority {
  readonly #rules: ReadonlyMap<string, Level>;
  readonly #prefixes: ReadonlyMap<Resource, readonly string[]>;
  /** What there are rules for at all: lists ask of ten thousand names. */
  readonly #ruled: ReadonlySet<Resource>;
  readonly #otherwise: Level;
  readonly #accessor: string | undefined;

  /** @param accessor of the token; undefined: the caller has none */
  constructor(rules: readonly Rule[], defaultPolicy: Access['defaultPolicy'], accessor?: string) {
    const merged = new Map<string, Level>();
    const prefixes = new Map<Resource, Set<string>>();
    for (const rule of rules) {
      const id = idOf(rule);
      merged.set(id, stronger(merged.get(id), rule.level));
      if (rule.prefix) prefixes.set(rule.resource, (prefixes.get(rule.resource) ?? new Set()).add(rule.name));
    }
    this.#rules = merged;
    this.#ruled = new Set(rules.map(({ resource }) => resource));
    // The longest first.
    this.#prefixes = new Map(
      [...prefixes].map(([resource, names]) => [resource, [...names].sort((a, b) => b.length - a.length)]),
    );
    this.#otherwise = defaultPolicy === 'allow' ? 'write' : 'deny';
    this.#accessor = accessor;
  }

  may(permission: `${Resource}:${Right}`, name: string): boolean {
    const at = permission.indexOf(':');
    const resource = permission.slice(0, at) as Resource;
    const right = permission.slice(at + 1) as Right;
    return levels.indexOf(this.#level(resource, name)) >= levels.indexOf(right);
  }

  mayWriteBelow(prefix: string): boolean {
    const below = [...this.#rules].filter(([id]) =>
      ['key=', 'key^'].some((start) => id.startsWith(start + prefix)),
    );
    const governing = (this.#prefixes.get('key') ?? []).find((each) => prefix.startsWith(each));
    const level = governing === undefined ? this.#otherwise : this.#rules.get(`key^${governing}`);
    return level === 'write' && below.every(([, each]) => each === 'write');
  }

  denial(permission: `${Resource}:${Right}`, name: string): string {
    const lacks = `lacks permission '${permission}'${name === '' ? '' : ` on "${name}"`}`;
    return this.#accessor === undefined
      ? `Permission denied: anonymous token ${lacks}. The anonymous token is used implicitly when a request does not specify a token.`
      : `Permission denied: token with AccessorID '${this.#accessor}' ${lacks}`;
  }

  #level(resource: Resource, name: string): Level {
    const otherwise = resource === 'acl' ? 'deny' : this.#otherwise;
    if (!this.#ruled.has(resource)) return otherwise;
    const exact = this.#rules.get(`${resource}=${name}`);
    if (exact) return exact;
    const prefix = this.#prefixes.get(resource)?.find((each) => name.startsWith(each));
    const found = prefix === undefined ? undefined : this.#rules.get(`${resource}^${prefix}`);
    return found ?? otherwise;
  }
}

function idOf({ resource, prefix, name }: Rule): string {
  return `${resource}${prefix ? '^' : '='}${name}`;
}

function stronger(a: Level | undefined, b: Level): Level {
  if (a === undefined || a === 'deny') return a ?? b;
  return b === 'deny' || levels.indexOf(b) > levels.indexOf(a) ? b : a;
}
