import { type Access, accessLevels, type Resource, type Rule } from './policy-rules.ts';

/** Access that can be asked for; `write-prefix` is needed to delete all keys with a prefix. */
export type Requested = Exclude<Access, 'deny'> | 'write-prefix';

/** A rule, and what it comes from, as a text: "policy deploy". */
export interface SourcedRule extends Rule {
  readonly from: string;
}

/** Merged rules about the same thing. */
export interface MergedRule extends Rule {
  readonly from: readonly string[];
}

/** Resources that have the access to the operator resource if no rule names them. */
const operatorResources: readonly Resource[] = ['mesh', 'peering'];

/**
 * Merges rules as Consul does: of several about the same name or prefix, a denial decides, else the one that allows
 * most. Sorted by resource and name.
 */
export function mergeRules(rules: readonly SourcedRule[]): readonly MergedRule[] {
  const merged = new Map<string, MergedRule>();
  for (const { from, ...rule } of rules) {
    const key = keyOf(rule);
    const existing = merged.get(key);
    if (!existing || takesPrecedence(rule.access, existing.access))
      merged.set(key, { ...rule, from: [from] });
    else if (rule.access === existing.access && !existing.from.includes(from))
      merged.set(key, { ...existing, from: [...existing.from, from] });
  }
  return [...merged.values()].toSorted(byResourceAndName);
}

const keyOf = ({ resource, isPrefix, name }: Rule): string => `${resource} ${isPrefix} ${name}`;

const takesPrecedence = (one: Access, other: Access): boolean =>
  other !== 'deny' && (one === 'deny' || accessLevels.indexOf(one) > accessLevels.indexOf(other));

function byResourceAndName(one: Rule, other: Rule): number {
  const [a, b] = [one, other].map(
    ({ resource, name, isPrefix }) => `${resource}\u0000${name}\u0000${!isPrefix}`,
  );
  return (a ?? '') < (b ?? '') ? -1 : 1;
}

/** Whether access is allowed, and the rule that decides; undefined: the default policy does. */
export interface Decision {
  readonly isAllowed: boolean;
  readonly rule?: MergedRule | undefined;
}

/**
 * Decides as Consul does: the rule with the exact name, else the one with the longest prefix of it, else the default
 * policy, which never permits to read or write access control itself.
 */
export function decide(
  rules: readonly MergedRule[],
  {
    resource,
    name,
    access,
  }: { readonly resource: Resource; readonly name: string; readonly access: Requested },
  defaultPolicy: 'allow' | 'deny',
): Decision {
  if (access === 'write-prefix') return decidePrefix(rules, name, defaultPolicy);
  const about = rules.filter((rule) => rule.resource === resource);
  const rule = about.find((each) => !each.isPrefix && each.name === name) ?? longestPrefix(about, name);
  if (rule) return { isAllowed: includes(rule.access, access), rule };
  if (operatorResources.includes(resource))
    return decide(rules, { resource: 'operator', name: '', access }, defaultPolicy);
  return { isAllowed: defaultPolicy === 'allow' && resource !== 'acl' };
}

/** Every key below the prefix must be writable. */
function decidePrefix(
  rules: readonly MergedRule[],
  prefix: string,
  defaultPolicy: 'allow' | 'deny',
): Decision {
  const keys = rules.filter(({ resource }) => resource === 'key');
  const base = longestPrefix(keys, prefix);
  if (base && base.access !== 'write') return { isAllowed: false, rule: base };
  const below = keys.find(({ name, access }) => name.startsWith(prefix) && access !== 'write');
  if (below) return { isAllowed: false, rule: below };
  return base ? { isAllowed: true, rule: base } : { isAllowed: defaultPolicy === 'allow' };
}

const longestPrefix = (rules: readonly MergedRule[], name: string): MergedRule | undefined =>
  rules
    .filter((rule) => rule.isPrefix && name.startsWith(rule.name))
    .toSorted((one, other) => other.name.length - one.name.length)[0];

const includes = (granted: Access, access: Access): boolean =>
  accessLevels.indexOf(granted) >= accessLevels.indexOf(access);
