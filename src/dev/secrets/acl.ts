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
  /** Has the pattern no wildcard? */
  readonly exact: boolean;
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
  readonly #grants: readonly Grant[];
  readonly #tree: Node;
  readonly #prefix: string;

  private constructor(root: boolean, grants: readonly Grant[], tree: Node, prefix: string) {
    this.#root = root;
    this.#grants = grants;
    this.#tree = tree;
    this.#prefix = prefix;
  }

  /** @param root the policy that may do everything is among them */
  static of(root: boolean, rules: readonly Rule[]): Acl {
    const groups = Map.groupBy(rules, ({ path }) => path);
    const grants = [...groups].map(([pattern, same]) => together(pattern, same));
    const tree = emptyNode();
    for (const grant of grants) add(tree, grant);
    return new Acl(root, grants, tree, '');
  }

  /** The same, asked with paths of a namespace below (its path ends in a slash, or is empty). */
  within(namespace: string): Acl {
    return new Acl(this.#root, this.#grants, this.#tree, this.#prefix + namespace);
  }

  /**
   * The capabilities on a path (without leading slash). The most specific pattern that matches decides;
   * the rules that have that same pattern count together; `deny` among them leaves nothing.
   */
  capabilities(path: string): ReadonlySet<Capability> {
    if (this.#root) return wholly;
    return this.#grant(path)?.capabilities ?? new Set();
  }

  /**
   * A list path ends in a slash; a rule for the path without it counts too: an exact one for either path before a
   * pattern for either.
   */
  allows(path: string, capability: Capability): boolean {
    if (this.#root) return wholly.has(capability);
    const own = this.#grant(path);
    const other = path.endsWith('/') ? this.#grant(path.slice(0, -1)) : undefined;
    const deciding = own === undefined || (!own.exact && other?.exact) ? other : own;
    return deciding?.capabilities.has(capability) === true;
  }

  /** May it do anything at all at the path (which ends in a slash) or below? */
  seesBelow(path: string): boolean {
    const segments = (this.#prefix + path).split('/').slice(0, -1);
    return (
      this.#root ||
      this.#grants.some(({ pattern, capabilities }) => capabilities.size > 0 && overlaps(pattern, segments))
    );
  }

  /** The grant of the most specific pattern that matches. No pattern is compiled to an expression, so none is slow. */
  #grant(path: string): Grant | undefined {
    let best: Grant | undefined;
    for (const grant of matching(this.#tree, this.#prefix + path))
      if (!best || isMoreSpecific(grant, best)) best = grant;
    return best;
  }
}

function together(pattern: string, rules: readonly Rule[]): Grant {
  const granted = new Set(rules.flatMap(({ capabilities }) => capabilities));
  const denied = granted.has('deny');
  // A plus is a segment of its own, and a star is the last character (policy-text.ts).
  const first = pattern.search(/[+*]/);
  return {
    pattern,
    capabilities: denied ? new Set() : granted,
    exact: first < 0,
    weights: [
      first < 0 ? Number.POSITIVE_INFINITY : first,
      pattern.endsWith('*') ? 0 : 1,
      -pattern.split('+').length,
      pattern.length,
    ],
  };
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
  let nodes: readonly Node[] = [tree];
  for (let from = 0; nodes.length > 0 && from <= path.length; ) {
    const slash = path.indexOf('/', from);
    const end = slash < 0 ? path.length : slash;
    const segment = path.slice(from, end);
    const next: Node[] = [];
    for (const { open, lengths, literal, plus } of nodes) {
      for (const length of lengths) {
        const grant = open.get(segment.slice(0, length));
        if (grant) yield grant;
      }
      const named = literal.get(segment);
      if (named) next.push(named);
      if (plus && segment !== '') next.push(plus);
    }
    nodes = next;
    from = end + 1;
  }
  for (const { end } of nodes) if (end) yield end;
}

/**
 * Of two patterns that match the same path: an exact one first, then the one whose first wildcard comes
 * later, then the one that does not end in `*`, then fewer `+`, then the longer, then the greater as text.
 */
function isMoreSpecific(a: Grant, b: Grant): boolean {
  const at = a.weights.findIndex((weight, index) => weight !== b.weights[index]);
  return at < 0 ? a.pattern > b.pattern : (a.weights[at] ?? 0) > (b.weights[at] ?? 0);
}

/** Could the pattern match something below the path that these segments make? */
function overlaps(pattern: string, path: readonly string[]): boolean {
  const wanted = pattern.split('/');
  return path.every((segment, index) => {
    const own = wanted[index];
    if (own === undefined) return pattern.endsWith('*');
    if (own === '+' || own === segment) return true;
    return own.endsWith('*') && segment.startsWith(own.slice(0, -1));
  });
}
