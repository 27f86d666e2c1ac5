import type { Place } from '../state/variables.ts';
import type { Capability, Rules } from './rules.ts';

/** What a caller may do. */
export interface Authority {
  /** Everything? */
  readonly manages: boolean;
  may(capability: Exclude<Capability, 'deny'>, place: Place): boolean;
  /** May it do anything at all in the namespace? */
  reaches(namespace: string): boolean;
  readonly readsAgent: boolean;
}

export const unrestricted: Authority = {
  manages: true,
  may: () => true,
  reaches: () => true,
  readsAgent: true,
};

/**
 * What policies allow: who decides is the rule that names the namespace and the path themselves, else the one whose
 * pattern leaves the fewest characters to its `*`. What several policies say of the same counts together, a denial
 * before all; where no rule speaks, nothing is allowed.
 */
export function ruledBy(policies: readonly Rules[]): Authority {
  const rules = policies.flatMap(({ namespaces }) => namespaces);
  const variables = new Closest<Capability>();
  const namespaces = new Closest<'some' | 'deny'>();
  for (const { namespace, reach, paths } of rules) {
    if (reach !== 'none') namespaces.add(namespace, [reach]);
    for (const { path, capabilities } of paths) variables.add(`${namespace} ${path}`, capabilities);
  }
  const agents = policies.map(({ agent }) => agent);
  return {
    manages: false,
    may(capability, { Namespace, Path }) {
      const allowed = variables.of(`${Namespace} ${Path}`);
      if (!allowed || allowed.has('deny')) return false;
      // Who may read a variable may know that it is there.
      return allowed.has(capability) || (capability === 'list' && allowed.has('read'));
    },
    reaches: (namespace) => namespaces.of(namespace)?.has('deny') === false,
    readsAgent: agents.includes('read') && !agents.includes('deny'),
  };
}

/** The parts of a pattern: what is before the first `*`, between one and the next, and after the last. */
interface Pattern {
  readonly first: string;
  readonly middle: readonly string[];
  readonly last: string;
}

/** A set for all names that match a pattern. */
interface Patterned<Member> {
  readonly pattern: Pattern;
  /** How many characters the pattern has besides its `*`. */
  readonly characters: number;
  readonly set: Set<Member>;
}

/** Sets by name or by pattern; the one of the closest pattern is found. */
class Closest<Member> {
  readonly #exact = new Map<string, Set<Member>>();
  readonly #patterns = new Map<string, Patterned<Member>>();
  /** The closest first. */
  #sorted: readonly Patterned<Member>[] | undefined;

  add(name: string, members: readonly Member[]): void {
    const set = this.#setOf(name);
    for (const member of members) set.add(member);
  }

  of(name: string): ReadonlySet<Member> | undefined {
    const exact = this.#exact.get(name);
    if (exact) return exact;
    this.#sorted ??= [...this.#patterns.values()].sort((a, b) => b.characters - a.characters);
    return this.#sorted.find(({ pattern }) => matches(pattern, name))?.set;
  }

  #setOf(name: string): Set<Member> {
    const known = this.#exact.get(name) ?? this.#patterns.get(name)?.set;
    if (known) return known;
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
function matches({ first, middle, last }: Pattern, text: string): boolean {
  if (!text.startsWith(first) || !text.endsWith(last)) return false;
  let at = first.length;
  for (const piece of middle) {
    const found = text.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return at <= text.length - last.length;
}
