import type { VariablePath } from '../model/variables.ts';
import type { Access, Capability, Rules } from './rules.ts';

export interface Permissions {
  readonly isManagement: boolean;
  allows(capability: Exclude<Capability, 'deny'>, variablePath: VariablePath): boolean;
  /** Whether at least one rule permits something in the namespace. */
  canAccessNamespace(namespace: string): boolean;
  readonly canReadAgent: boolean;
  readonly canReadNode: boolean;
}

export const unrestricted: Permissions = {
  isManagement: true,
  allows: () => true,
  canAccessNamespace: () => true,
  canReadAgent: true,
  canReadNode: true,
};

/**
 * What policies allow: who decides is the rule that names the namespace and the path themselves, else the one whose
 * pattern leaves the fewest characters to its `*`. What several policies say of the same counts together, a denial
 * before all; where no rule speaks, nothing is allowed.
 */
export function permissionsFromRules(policies: readonly Rules[]): Permissions {
  const rules = policies.flatMap(({ namespaces }) => namespaces);
  const variables = new ClosestMatchMap<Capability>();
  const namespaces = new ClosestMatchMap<'some' | 'deny'>();
  for (const { namespace, access, paths } of rules) {
    if (access !== 'none') namespaces.add(namespace, [access]);
    for (const { path, capabilities } of paths) variables.add(`${namespace} ${path}`, capabilities);
  }
  return {
    isManagement: false,
    allows(capability, { Namespace, Path }) {
      const allowed = variables.find(`${Namespace} ${Path}`);
      if (!allowed || allowed.has('deny')) return false;
      // Permission to read a variable includes permission to list it.
      return allowed.has(capability) || (capability === 'list' && allowed.has('read'));
    },
    canAccessNamespace: (namespace) => namespaces.find(namespace)?.has('deny') === false,
    canReadAgent: canRead(policies.map(({ agent }) => agent)),
    canReadNode: canRead(policies.map(({ node }) => node)),
  };
}

const canRead = (access: readonly Access[]): boolean => access.includes('read') && !access.includes('deny');

/** The parts of a pattern: what is before the first `*`, between one and the next, and after the last. */
interface Pattern {
  readonly first: string;
  readonly middle: readonly string[];
  readonly last: string;
}

/** A set for all names that match a pattern. */
interface PatternEntry<Member> {
  readonly pattern: Pattern;
  /** How many characters the pattern has besides its `*`. */
  readonly characters: number;
  readonly set: Set<Member>;
}

/** Sets by name or by pattern; the closest pattern decides. */
class ClosestMatchMap<Member> {
  readonly #exact = new Map<string, Set<Member>>();
  readonly #patterns = new Map<string, PatternEntry<Member>>();
  /** The closest first. */
  #sorted: readonly PatternEntry<Member>[] | undefined;

  add(name: string, members: readonly Member[]): void {
    const set = this.#setOf(name);
    for (const member of members) set.add(member);
  }

  find(name: string): ReadonlySet<Member> | undefined {
    const exact = this.#exact.get(name);
    if (exact) return exact;
    this.#sorted ??= [...this.#patterns.values()].sort((a, b) => b.characters - a.characters);
    return this.#sorted.find(({ pattern }) => matchesPattern(pattern, name))?.set;
  }

  #setOf(name: string): Set<Member> {
    const existing = this.#exact.get(name) ?? this.#patterns.get(name)?.set;
    if (existing) return existing;
    const set = new Set<Member>();
    const pattern = patternOf(name);
    if (pattern) this.#patterns.set(name, { pattern, characters: name.replaceAll('*', '').length, set });
    else this.#exact.set(name, set);
    this.#sorted = undefined;
    return set;
  }
}

/** undefined: the name has no `*`. */
function patternOf(name: string): Pattern | undefined {
  const [first = '', ...middle] = name.split('*');
  const last = middle.pop();
  return last === undefined ? undefined : { first, middle, last };
}

/** `*` matches any text, slashes too. One pass: the time grows with the text and the pattern only. */
function matchesPattern({ first, middle, last }: Pattern, text: string): boolean {
  if (!text.startsWith(first) || !text.endsWith(last)) return false;
  let position = first.length;
  for (const piece of middle) {
    const index = text.indexOf(piece, position);
    if (index < 0) return false;
    position = index + piece.length;
  }
  return position <= text.length - last.length;
}
