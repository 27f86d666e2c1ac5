import type { Capability, Rule } from './policy-text.ts';

const wholly: ReadonlySet<Capability> = new Set([
  'create',
  'read',
  'update',
  'patch',
  'delete',
  'list',
  'recover',
  'sudo',
]);

/** A pattern, taken apart, and what all rules that have it grant together. */
interface Grant {
  readonly segments: readonly string[];
  readonly capabilities: ReadonlySet<Capability>;
}

/** What a token may do: the rules of its policies, seen together. */
export class Acl {
  readonly #root: boolean;
  /** The most specific first. */
  readonly #grants: ReadonlyMap<string, Grant>;
  readonly #prefix: string;

  private constructor(root: boolean, grants: ReadonlyMap<string, Grant>, prefix: string) {
    this.#root = root;
    this.#grants = grants;
    this.#prefix = prefix;
  }

  /** @param root the policy that may do everything is among them */
  static of(root: boolean, rules: readonly Rule[]): Acl {
    const grants = [...Map.groupBy(rules, ({ path }) => path)]
      .sort(([a], [b]) => (moreSpecific(a, b) ? -1 : 1))
      .map(([pattern, same]) => [pattern, together(pattern, same)] as const);
    return new Acl(root, new Map(grants), '');
  }

  /** The same, asked with paths of a namespace below (its path ends in a slash). */
  within(namespace: string): Acl {
    return namespace === '' ? this : new Acl(this.#root, this.#grants, this.#prefix + namespace);
  }

  /**
   * The capabilities on a path (without leading slash). The most specific pattern that matches decides;
   * the rules that have that same pattern count together; `deny` among them leaves nothing.
   */
  capabilities(path: string): ReadonlySet<Capability> {
    if (this.#root) return wholly;
    return this.#grant(this.#prefix + path)?.capabilities ?? new Set();
  }

  /** A list path ends in a slash; a rule for the path without it counts too. */
  allows(path: string, capability: Capability): boolean {
    const without = path.replace(/\/$/, '');
    const ruled =
      capability !== 'list' ||
      this.#grants.has(this.#prefix + path) ||
      (!this.#grants.has(this.#prefix + without) && this.#grant(this.#prefix + path) !== undefined);
    return this.capabilities(ruled ? path : without).has(capability);
  }

  /** May it do anything at all at the path or below? */
  seesBelow(path: string): boolean {
    return (
      this.#root ||
      this.capabilities(path).size > 0 ||
      [...this.#grants.values()].some(
        ({ segments, capabilities }) => capabilities.size > 0 && overlaps(segments, this.#prefix + path),
      )
    );
  }

  #grant(path: string): Grant | undefined {
    const given = path.split('/');
    for (const grant of this.#grants.values()) if (matches(grant.segments, given)) return grant;
    return undefined;
  }
}

function together(pattern: string, rules: readonly Rule[]): Grant {
  const granted = new Set(rules.flatMap(({ capabilities }) => capabilities));
  return { segments: pattern.split('/'), capabilities: granted.has('deny') ? new Set() : granted };
}

/** Segment by segment: no pattern is compiled to a regular expression, so none can be slow. */
function matches(wanted: readonly string[], given: readonly string[]): boolean {
  const last = wanted.length - 1;
  const open = wanted[last]?.endsWith('*') === true;
  if (open ? given.length < wanted.length : given.length !== wanted.length) return false;
  return wanted.every((segment, index) => {
    const other = given[index] ?? '';
    if (open && index === last) return other.startsWith(segment.slice(0, -1));
    return segment === '+' ? other !== '' : segment === other;
  });
}

/**
 * Of two patterns that match the same path: an exact one first, then the one whose first wildcard comes
 * later, then the one that does not end in `*`, then fewer `+`, then the longer, then the greater as text.
 */
function moreSpecific(pattern: string, other: string): boolean {
  const [a, b] = [weigh(pattern), weigh(other)];
  const at = a.findIndex((weight, index) => weight !== b[index]);
  return at < 0 ? pattern > other : (a[at] ?? 0) > (b[at] ?? 0);
}

function weigh(pattern: string): number[] {
  const wildcard = pattern.split('/').includes('+') || pattern.endsWith('*');
  const first = pattern.search(/(?<=^|\/)\+(?=\/|$)|\*$/);
  const pluses = pattern.split('/').filter((segment) => segment === '+').length;
  return [wildcard ? 0 : 1, first, pattern.endsWith('*') ? 0 : 1, -pluses, pattern.length];
}

/** Could the pattern match something below the path (which ends in a slash)? */
function overlaps(wanted: readonly string[], path: string): boolean {
  return path
    .split('/')
    .slice(0, -1)
    .every((segment, index) => {
      const own = wanted[index];
      if (own === undefined) return wanted.at(-1)?.endsWith('*') === true;
      if (own === '+' || own === segment) return true;
      return index === wanted.length - 1 && own.endsWith('*') && segment.startsWith(own.slice(0, -1));
    });
}
