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
  /** By resource: the lengths of the prefixes that there are rules for, the longest first. */
  readonly #prefixLengths: ReadonlyMap<Resource, readonly number[]>;
  /** What there are rules for at all: lists ask of ten thousand names. */
  readonly #ruled: ReadonlySet<Resource>;
  readonly #otherwise: Level;
  readonly #accessor: string | undefined;

  /** @param accessor of the token; undefined: the caller has none */
  constructor(rules: readonly Rule[], defaultPolicy: Access['defaultPolicy'], accessor?: string) {
    const merged = new Map<string, Level>();
    const lengths = new Map<Resource, Set<number>>();
    for (const rule of rules) {
      const id = idOf(rule);
      merged.set(id, stronger(merged.get(id), rule.level));
      if (rule.prefix)
        lengths.set(rule.resource, (lengths.get(rule.resource) ?? new Set()).add(rule.name.length));
    }
    this.#rules = merged;
    this.#ruled = new Set(rules.map(({ resource }) => resource));
    this.#prefixLengths = new Map(
      [...lengths].map(([resource, each]) => [resource, [...each].sort((a, b) => b - a)]),
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
    const level = this.#byPrefix('key', prefix) ?? this.#otherwise;
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
    return this.#byPrefix(resource, name) ?? otherwise;
  }

  /** What the rule says that is for the longest prefix of a name. */
  #byPrefix(resource: Resource, name: string): Level | undefined {
    for (const length of this.#prefixLengths.get(resource) ?? []) {
      const level = this.#rules.get(`${resource}^${name.slice(0, length)}`);
      if (level) return level;
    }
    return undefined;
  }
}

function idOf({ resource, prefix, name }: Rule): string {
  return `${resource}${prefix ? '^' : '='}${name}`;
}

function stronger(a: Level | undefined, b: Level): Level {
  if (a === undefined || a === 'deny') return a ?? b;
  return b === 'deny' || levels.indexOf(b) > levels.indexOf(a) ? b : a;
}
