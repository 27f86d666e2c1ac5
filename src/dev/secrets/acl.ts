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

/** What all rules with the same pattern grant together. */
interface Grant {
  readonly pattern: string;
  readonly capabilities: ReadonlySet<Capability>;
  /** The more specific of two patterns has the greater of the first weights in which they differ. */
  readonly weights: readonly number[];
}

/** Patterns by their segments: what matches a path is found without a look at the others. */
interface Node {
  readonly literal: Map<string, Node>;
  /** `+`, one segment that is not empty. */
  plus?: Node;
  /** The pattern that ends here. */
  end?: Grant;
  /** Patterns that end in `*` in the next segment, by what is before it; and the lengths of that. */
  readonly open: Map<string, Grant>;
  readonly lengths: Set<number>;
}

const emptyNode = (): Node => ({ literal: new Map(), open: new Map(), lengths: new Set() });

/** What a token may do: the rules of its policies, seen together. */
export class Acl {
  readonly #root: boolean;
  readonly #grants: ReadonlyMap<string, Grant>;
  readonly #tree: Node;
  readonly #prefix: string;

  private constructor(root: boolean, grants: ReadonlyMap<string, Grant>, tree: Node, prefix: string) {
    this.#root = root;
    this.#grants = grants;
    this.#tree = tree;
    this.#prefix = prefix;
  }

  /** @param root the policy that may do everything is among them */
  static of(root: boolean, rules: readonly Rule[]): Acl {
    const grants = new Map<string, Grant>();
    const tree = emptyNode();
    for (const [pattern, same] of Map.groupBy(rules, ({ path }) => path)) {
      const grant = together(pattern, same);
      grants.set(pattern, grant);
      add(tree, grant);
    }
    return new Acl(root, grants, tree, '');
  }

  /** The same, asked with paths of a namespace below (its path ends in a slash). */
  within(namespace: string): Acl {
    return namespace === '' ? this : new Acl(this.#root, this.#grants, this.#tree, this.#prefix + namespace);
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
        ({ pattern, capabilities }) =>
          capabilities.size > 0 && overlaps(pattern.split('/'), this.#prefix + path),
      )
    );
  }

  /** The grant of the most specific pattern that matches. No pattern is compiled to an expression, so none is slow. */
  #grant(path: string): Grant | undefined {
    let best: Grant | undefined;
    for (const grant of matching(this.#tree, path)) if (!best || isMoreSpecific(grant, best)) best = grant;
    return best;
  }
}

function together(pattern: string, rules: readonly Rule[]): Grant {
  const granted = new Set(rules.flatMap(({ capabilities }) => capabilities));
  const denied = granted.has('deny');
  return { pattern, capabilities: denied ? new Set() : granted, weights: weigh(pattern) };
}

function add(tree: Node, grant: Grant): void {
  const segments = grant.pattern.split('/');
  const last = grant.pattern.endsWith('*') ? segments.pop()?.slice(0, -1) : undefined;
  let at = tree;
  for (const segment of segments) {
    const next = (segment === '+' ? at.plus : at.literal.get(segment)) ?? emptyNode();
    if (segment === '+') at.plus = next;
    else at.literal.set(segment, next);
    at = next;
  }
  if (last === undefined) {
    at.end = grant;
    return;
  }
  at.open.set(last, grant);
  at.lengths.add(last.length);
}

/** The grants whose patterns match a path. It is read no further than patterns reach. */
function* matching(tree: Node, path: string): Generator<Grant> {
  // Nodes, and where the segments that they are about begin; behind the last one, after the end.
  const open: [Node, number][] = [[tree, 0]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [node, from] = next;
    if (from > path.length) {
      if (node.end) yield node.end;
      continue;
    }
    const slash = path.indexOf('/', from);
    const end = slash < 0 ? path.length : slash;
    for (const length of node.lengths) {
      const grant = length <= end - from ? node.open.get(path.slice(from, from + length)) : undefined;
      if (grant) yield grant;
    }
    const literal = node.literal.size > 0 ? node.literal.get(path.slice(from, end)) : undefined;
    if (literal) open.push([literal, end + 1]);
    if (node.plus && end > from) open.push([node.plus, end + 1]);
  }
}

/**
 * Of two patterns that match the same path: an exact one first, then the one whose first wildcard comes
 * later, then the one that does not end in `*`, then fewer `+`, then the longer, then the greater as text.
 */
function isMoreSpecific(a: Grant, b: Grant): boolean {
  const at = a.weights.findIndex((weight, index) => weight !== b.weights[index]);
  return at < 0 ? a.pattern > b.pattern : (a.weights[at] ?? 0) > (b.weights[at] ?? 0);
}

function weigh(pattern: string): number[] {
  const segments = pattern.split('/');
  const pluses = segments.filter((segment) => segment === '+').length;
  const star = pattern.endsWith('*');
  const first = pattern.search(/(?<=^|\/)\+(?=\/|$)|\*$/);
  return [pluses > 0 || star ? 0 : 1, first, star ? 0 : 1, -pluses, pattern.length];
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
