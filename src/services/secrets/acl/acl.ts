import type { JsonObject } from '../../../wire/json.ts';
import { allowsData, mergeParameters, type ParameterLimits, pageWithin } from './parameters.ts';
import { type Capability, capabilities, type Rule } from './rule.ts';

const allCapabilities: ReadonlySet<Capability> = new Set(capabilities.filter((each) => each !== 'deny'));

/** The combined grants of all rules with the same pattern. */
interface Grant extends ParameterLimits {
  readonly pattern: string;
  readonly capabilities: ReadonlySet<Capability>;
  /** Limits of the lifetime of wrapped responses, in seconds; with one of them, responses must be wrapped. */
  readonly minWrappingTtl: number | undefined;
  readonly maxWrappingTtl: number | undefined;
  /** Whether the pattern has no wildcard. */
  readonly exact: boolean;
  /** Precedence of the pattern: compared element by element, the greater one is more specific. */
  readonly weights: readonly number[];
}

/** Patterns as a tree of segments, so that those matching a path are found without testing the others. */
interface PatternNode {
  readonly literal: Map<string, PatternNode>;
  /** `+`, one segment that is not empty. */
  plus?: PatternNode;
  end?: Grant;
  /** Patterns that end in `*` in the next segment, by the text before it; and the lengths of these texts. */
  readonly prefixGrants: Map<string, Grant>;
  readonly prefixLengths: Set<number>;
}

const emptyNode = (): PatternNode => ({
  literal: new Map(),
  prefixGrants: new Map(),
  prefixLengths: new Set(),
});

/** The permissions of a token: the combined rules of its policies. */
export class Acl {
  readonly #root: boolean;
  readonly #grants: readonly Grant[];
  readonly #tree: PatternNode;
  readonly #prefix: string;

  private constructor(root: boolean, grants: readonly Grant[], tree: PatternNode, prefix: string) {
    this.#root = root;
    this.#grants = grants;
    this.#tree = tree;
    this.#prefix = prefix;
  }

  /** @param root whether the policies include `root`, which permits everything */
  static of(root: boolean, rules: readonly Rule[]): Acl {
    const groups = Map.groupBy(rules, ({ path }) => path);
    const grants = [...groups].map(([pattern, grouped]) => combineRules(pattern, grouped));
    const tree = emptyNode();
    for (const grant of grants) addGrant(tree, grant);
    return new Acl(root, grants, tree, '');
  }

  /** The same, for paths relative to a namespace (its path ends in a slash, or is empty). */
  inNamespace(namespace: string): Acl {
    return new Acl(this.#root, this.#grants, this.#tree, this.#prefix + namespace);
  }

  /** The capabilities on a path: the most specific pattern decides; its rules are combined; `deny` removes all. */
  capabilities(path: string): ReadonlySet<Capability> {
    if (this.#root) return allCapabilities;
    return this.#grant(path)?.capabilities ?? new Set();
  }

  /** Whether the capability is granted on a path; a request may be denied for its data. */
  allows(path: string, capability: Capability): boolean {
    if (this.#root) return allCapabilities.has(capability);
    return this.#deciding(path)?.capabilities.has(capability) === true;
  }

  /**
   * The data with which a request is permitted: a list gets the largest page that the policies permit.
   * @param wrapTtl the requested lifetime of the wrapped response in seconds, 0 without wrapping
   * @returns undefined: the request is not permitted
   */
  admit(path: string, capability: Capability, wrapTtl: number, data: JsonObject): JsonObject | undefined {
    if (this.#root) return allCapabilities.has(capability) ? data : undefined;
    const deciding = this.#deciding(path);
    if (deciding?.capabilities.has(capability) !== true || !allowsWrapping(deciding, wrapTtl))
      return undefined;
    if (capability === 'list' || capability === 'scan') return pageWithin(deciding, data);
    return capability === 'delete' || allowsData(deciding, data) ? data : undefined;
  }

  /** A rule for a list path without its slash applies too: exact rules for either precede patterns for either. */
  #deciding(path: string): Grant | undefined {
    const own = this.#grant(path);
    const other = path.endsWith('/') ? this.#grant(path.slice(0, -1)) : undefined;
    return own === undefined || (!own.exact && other?.exact) ? other : own;
  }

  /** Whether anything is permitted at the path (which ends in a slash) or below. */
  canSeePrefix(path: string): boolean {
    const segments = (this.#prefix + path).split('/').slice(0, -1);
    return (
      this.#root ||
      this.#grants.some(({ pattern, capabilities }) => capabilities.size > 0 && overlaps(pattern, segments))
    );
  }

  /** The most specific match. No pattern is compiled to a regular expression, so none is slow. */
  #grant(path: string): Grant | undefined {
    let best: Grant | undefined;
    for (const grant of matchingGrants(this.#tree, this.#prefix + path))
      if (!best || isMoreSpecific(grant, best)) best = grant;
    return best;
  }
}

/** Whether a response may be sent with this lifetime (0: without wrapping). */
function allowsWrapping({ minWrappingTtl, maxWrappingTtl }: Grant, wrapTtl: number): boolean {
  if (minWrappingTtl === undefined && maxWrappingTtl === undefined) return true;
  const max = maxWrappingTtl ?? Number.POSITIVE_INFINITY;
  return wrapTtl > 0 && wrapTtl >= (minWrappingTtl ?? 0) && wrapTtl <= max;
}

function combineRules(pattern: string, rules: readonly Rule[]): Grant {
  const granted = new Set(rules.flatMap(({ capabilities }) => capabilities));
  const denied = granted.has('deny');
  // Only `+` as an entire segment and `*` as the last character are wildcards.
  const isPrefix = pattern.endsWith('*');
  const hasWildcards = pattern === '+' || pattern.startsWith('+/') || pattern.includes('/+');
  const first = hasWildcards ? pattern.indexOf('+') : isPrefix ? pattern.length - 1 : -1;
  const pages = rules.flatMap(({ paginationLimit }) => paginationLimit ?? []);
  const minima = rules.flatMap(({ minWrappingTtl }) => minWrappingTtl ?? []);
  const maxima = rules.flatMap(({ maxWrappingTtl }) => maxWrappingTtl ?? []);
  return {
    pattern,
    capabilities: denied ? new Set() : granted,
    minWrappingTtl: minima.length > 0 ? Math.min(...minima) : undefined,
    maxWrappingTtl: maxima.length > 0 ? Math.min(...maxima) : undefined,
    allowed: rules.map(({ allowedParameters }) => allowedParameters).reduce(mergeParameters, undefined),
    denied: rules.map(({ deniedParameters }) => deniedParameters).reduce(mergeParameters, undefined),
    required: [...new Set(rules.flatMap(({ requiredParameters }) => requiredParameters ?? []))],
    paginationLimit: pages.length > 0 ? Math.min(...pages) : undefined,
    exact: first < 0,
    weights: [
      first < 0 ? Number.POSITIVE_INFINITY : first,
      isPrefix ? 0 : 1,
      -pattern.split('/').filter((segment) => segment === '+').length,
      pattern.length,
    ],
  };
}

function addGrant(tree: PatternNode, grant: Grant): void {
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
  at.prefixGrants.set(last, grant);
  at.prefixLengths.add(last.length);
}

/** The grants whose patterns match a path, reading it no further than patterns reach. */
function* matchingGrants(tree: PatternNode, path: string): Generator<Grant> {
  let nodes: readonly PatternNode[] = [tree];
  for (let from = 0; nodes.length > 0 && from <= path.length; ) {
    const slash = path.indexOf('/', from);
    const end = slash < 0 ? path.length : slash;
    const segment = path.slice(from, end);
    const next: PatternNode[] = [];
    for (const { prefixGrants: stack, prefixLengths: lengths, literal, plus } of nodes) {
      for (const length of lengths) {
        const grant = stack.get(segment.slice(0, length));
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

/** Exact first, then by a later first wildcard, no final `*`, fewer `+`, greater length, text order. */
function isMoreSpecific(a: Grant, b: Grant): boolean {
  const at = a.weights.findIndex((weight, index) => weight !== b.weights[index]);
  return at < 0 ? a.pattern > b.pattern : (a.weights[at] ?? 0) > (b.weights[at] ?? 0);
}

/** Whether the pattern could match something below the path. */
function overlaps(pattern: string, path: readonly string[]): boolean {
  const patternSegments = pattern.split('/');
  return path.every((segment, index) => {
    const patternSegment = patternSegments[index];
    if (patternSegment === undefined) return pattern.endsWith('*');
    if (patternSegment === '+' || patternSegment === segment) return true;
    return patternSegment.endsWith('*') && segment.startsWith(patternSegment.slice(0, -1));
  });
}
