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

/** A set for all names that a pattern is of. */
interface Patterned<Member> {
  /** What is before, between and after its `*`. */
  readonly pieces: readonly string[];
  /** Characters that it names. */
  readonly said: number;
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
    this.#sorted ??= [...this.#patterns.values()].sort((a, b) => b.said - a.said);
    return this.#sorted.find(({ pieces }) => matches(pieces, name))?.set;
  }

  #setOf(name: string): Set<Member> {
    const known = this.#exact.get(name) ?? this.#patterns.get(name)?.set;
    if (known) return known;
    const set = new Set<Member>();
    const pieces = name.split('*');
    if (pieces.length === 1) this.#exact.set(name, set);
    else this.#patterns.set(name, { pieces, said: name.length - (pieces.length - 1), set });
    this.#sorted = undefined;
    return set;
  }
}

/** `*` stands for any text, slashes too. One pass: the time grows with the text and the pattern only. */
function matches(pieces: readonly string[], text: string): boolean {
  const first = pieces[0] ?? '';
  const last = pieces.at(-1) ?? '';
  if (!text.startsWith(first) || !text.endsWith(last)) return false;
  let at = first.length;
  for (const piece of pieces.slice(1, -1)) {
    const found = text.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return at <= text.length - last.length;
}
