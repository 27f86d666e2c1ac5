import { type Level, levels, type NamedResource, type Rule, type SingleResource } from './rules.ts';

export type Resource = NamedResource | SingleResource | 'intention';

export type Right = 'read' | 'list' | 'write';

export interface Permissions {
  allows(permission: `${Resource}:${Right}`, name: string): boolean;
  canWritePrefix(prefix: string): boolean;
  denialMessage(permission: `${Resource}:${Right}`, name: string): string;
}

export const unrestricted: Permissions = {
  allows: () => true,
  canWritePrefix: () => true,
  denialMessage: () => 'Permission denied',
};

/**
 * What rules allow: an exact one decides before prefixes do, of those the longest; of several about the same
 * thing a denial decides, then the one that allows most. Where none speaks, the default policy does; it never
 * gives access to tokens and policies.
 */
export class RulePermissions implements Permissions {
  readonly #rules: ReadonlyMap<string, Level>;
  /** By resource: the lengths of the prefixes that there are rules for, the longest first. */
  readonly #prefixLengths: ReadonlyMap<Resource, readonly number[]>;
  /** What there are rules for at all: lists ask of ten thousand names. */
  readonly #resources: ReadonlySet<Resource>;
  readonly #defaultLevel: Level;
  readonly #accessor: string | undefined;

  /** @param accessor of the token; undefined: the caller has none */
  constructor(stated: readonly Rule[], defaultPolicy: 'allow' | 'deny', accessor?: string) {
    const rules: readonly AnyRule[] = [...stated, ...stated.flatMap(intentionRule)];
    const merged = new Map<string, Level>();
    const lengths = new Map<Resource, Set<number>>();
    for (const rule of rules) {
      const id = ruleKey(rule);
      merged.set(id, mergeLevels(merged.get(id), rule.level));
      if (rule.isPrefix)
        lengths.set(rule.resource, (lengths.get(rule.resource) ?? new Set()).add(rule.name.length));
    }
    this.#rules = merged;
    this.#resources = new Set(rules.map(({ resource }) => resource));
    this.#prefixLengths = new Map(
      [...lengths].map(([resource, each]) => [resource, [...each].sort((a, b) => b - a)]),
    );
    this.#defaultLevel = defaultPolicy === 'allow' ? 'write' : 'deny';
    this.#accessor = accessor;
  }

  allows(permission: `${Resource}:${Right}`, name: string): boolean {
    const { resource, required } = partsOf(permission);
    if (permission === 'intention:read' && name === '*' && this.#resources.has('intention'))
      return [...this.#rules].some(([id, level]) => id.startsWith('intention') && level !== 'deny');
    return levels.indexOf(this.#level(resource, name)) >= required;
  }

  canWritePrefix(prefix: string): boolean {
    const matchingRules = [...this.#rules].filter(([id]) =>
      ['key=', 'key^'].some((start) => id.startsWith(start + prefix)),
    );
    const level = this.#prefixLevel('key', prefix) ?? this.#defaultLevel;
    return level === 'write' && matchingRules.every(([, each]) => each === 'write');
  }

  denialMessage(permission: `${Resource}:${Right}`, name: string): string {
    const reason = `lacks permission '${permission}'${name === '' ? '' : ` on "${name}"`}`;
    return this.#accessor === undefined
      ? `Permission denied: anonymous token ${reason}. The anonymous token is used implicitly when a request does not specify a token.`
      : `Permission denied: token with AccessorID '${this.#accessor}' ${reason}`;
  }

  #level(resource: Resource, name: string): Level {
    const defaultLevel = resource === 'acl' ? 'deny' : this.#defaultLevel;
    if (!this.#resources.has(resource)) return defaultLevel;
    const exact = this.#rules.get(`${resource}=${name}`);
    if (exact) return exact;
    return this.#prefixLevel(resource, name) ?? defaultLevel;
  }

  #prefixLevel(resource: Resource, name: string): Level | undefined {
    for (const length of this.#prefixLengths.get(resource) ?? []) {
      const level = this.#rules.get(`${resource}^${name.slice(0, length)}`);
      if (level) return level;
    }
    return undefined;
  }
}

interface PermissionParts {
  readonly resource: Resource;
  /** The index of the lowest level that gives the right. */
  readonly required: number;
}

/** The parts of permissions, of which there are few: lists ask for one of them for each of ten thousand names. */
const knownParts = new Map<string, PermissionParts>();

function partsOf(permission: `${Resource}:${Right}`): PermissionParts {
  const known = knownParts.get(permission);
  if (known) return known;
  const separatorIndex = permission.indexOf(':');
  const parts = {
    resource: permission.slice(0, separatorIndex) as Resource,
    required: levels.indexOf(permission.slice(separatorIndex + 1) as Right),
  };
  knownParts.set(permission, parts);
  return parts;
}

interface AnyRule extends Omit<Rule, 'resource'> {
  readonly resource: Resource;
}

/** The rule for intentions of a service: without one of its own, who may see the service may read them. */
function intentionRule({ resource, level, intentions, ...rest }: Rule): AnyRule[] {
  if (resource !== 'service') return [];
  return [{ ...rest, resource: 'intention', level: intentions ?? (level === 'deny' ? 'deny' : 'read') }];
}

function ruleKey({ resource, isPrefix: prefix, name }: AnyRule): string {
  return `${resource}${prefix ? '^' : '='}${name}`;
}

function mergeLevels(a: Level | undefined, b: Level): Level {
  if (a === undefined || a === 'deny') return a ?? b;
  return b === 'deny' || levels.indexOf(b) > levels.indexOf(a) ? b : a;
}
