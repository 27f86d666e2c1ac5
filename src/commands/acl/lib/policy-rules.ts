import type { Problem } from '../../../command/policy-text.ts';
import { parseRuleTree, type RuleNode } from '../../../command/rule-tree.ts';
import { suggest } from '../../../wire/suggest.ts';

/** Access levels; each after `deny` includes the ones before it. */
export const accessLevels = ['deny', 'read', 'list', 'write'] as const;
export type Access = (typeof accessLevels)[number];

/** Resources whose rules apply to a name or a prefix (`key "a"`, `key_prefix "a/"`). */
export const namedResources = ['agent', 'event', 'key', 'node', 'query', 'service', 'session'] as const;

/** Resources without a name (`acl = "read"`). */
export const singleResources = ['acl', 'keyring', 'mesh', 'operator', 'peering'] as const;

/** `intention`: intentions of a service, by the field `intentions` of its rule. */
export type Resource = (typeof namedResources)[number] | (typeof singleResources)[number] | 'intention';

/** A rule of a policy. */
export interface Rule {
  readonly resource: Resource;
  readonly isPrefix: boolean;
  /** Empty for a resource without a name. */
  readonly name: string;
  readonly access: Access;
}

/** `identity`: accepted and ignored by Consul. The scopes are of Consul Enterprise, and have rules of their own. */
const ignoredResources = ['identity', 'identity_prefix'];
const scopes = ['namespace', 'namespace_prefix', 'partition', 'partition_prefix'];

/** Fields of a rule; `sentinel` is of Consul Enterprise. */
const ruleFields = ['policy', 'intentions', 'sentinel'];

const knownNames = [
  ...singleResources,
  ...namedResources.flatMap((name) => [name, `${name}_prefix`]),
  ...scopes,
  ...ignoredResources,
];

/**
 * Reads the rules of a policy. What is wrong is a problem; the other rules are returned. Consul itself ignores
 * resources and fields that it does not know, so that a misspelled "deny" permits what it should deny.
 *
 * @param isComplete false: rules in namespaces and partitions were left out.
 */
export function parseRules(text: string): {
  readonly rules: readonly Rule[];
  readonly problems: readonly Problem[];
  readonly isComplete: boolean;
} {
  const { nodes, problems } = parseRuleTree(text);
  const { rules, problems: found } = rulesIn(nodes, true);
  return {
    rules,
    problems: [...problems, ...found],
    isComplete: !nodes.some(({ name }) => scopes.includes(name.toLowerCase())),
  };
}

/** The rules of a text or of a scope; a resource without a name has one rule in it. */
function rulesIn(nodes: readonly RuleNode[], isTop: boolean): Found {
  const isSingle = ({ name }: RuleNode): boolean =>
    singleResources.some((single) => single === name.toLowerCase());
  return join(
    nodes.map((node, index) => {
      const isRepeated = nodes
        .slice(0, index)
        .some(({ name }) => name.toLowerCase() === node.name.toLowerCase());
      return isSingle(node) && isRepeated
        ? problem(node, `duplicate rule "${node.name}"`)
        : rulesOf(node, isTop);
    }),
  );
}

interface Found {
  readonly rules: readonly Rule[];
  readonly problems: readonly Problem[];
}

const nothing: Found = { rules: [], problems: [] };
const problem = ({ line, column }: RuleNode, what: string): Found => ({
  rules: [],
  problems: [{ what, line, column }],
});
const join = (found: readonly Found[]): Found => ({
  rules: found.flatMap(({ rules }) => rules),
  problems: found.flatMap(({ problems }) => problems),
});

/** Names of resources and fields may be in upper case. */
function rulesOf(node: RuleNode, isTop: boolean): Found {
  const name = node.name.toLowerCase();
  const single = singleResources.find((each) => each === name);
  if (single) {
    if (node.value === undefined || node.label !== undefined)
      return problem(node, `expected ${name} = "read", "write" or "deny"`);
    if (node.value === '') return nothing;
    return readAccess(node, node.value, name, (access) => [
      { resource: single, isPrefix: false, name: '', access },
    ]);
  }
  if (isTop && scopes.includes(name)) return { ...join(labelled(node).map(scoped)), rules: [] };
  const isPrefix = name.endsWith('_prefix');
  const resource = namedResources.find((each) => each === (isPrefix ? name.slice(0, -7) : name));
  if (resource) return join(labelled(node).map((rule) => namedRule(rule, resource, isPrefix)));
  if (ignoredResources.includes(name)) return nothing;
  const meant = suggest(name, knownNames);
  return problem(
    node,
    `unknown resource "${name}"${meant === undefined ? '' : `; did you mean "${meant}"?`}`,
  );
}

/** The blocks of a kind: `key "a" { ... }`, or `key = { "a" = { ... } }` as in JSON. */
const labelled = (node: RuleNode): readonly RuleNode[] =>
  node.label !== undefined || node.children === undefined
    ? [node]
    : node.children.map((child) => ({ ...child, name: node.name, label: child.name }));

const scoped = (node: RuleNode): Found =>
  rulesIn(
    // The policy is the access to the namespace or partition itself.
    (node.children ?? []).filter(({ name }) => name !== 'policy'),
    node.name.startsWith('partition'),
  );

function namedRule(node: RuleNode, resource: (typeof namedResources)[number], isPrefix: boolean): Found {
  const { label, children } = node;
  const name = node.name.toLowerCase();
  if (label === undefined || children === undefined)
    return problem(node, `expected ${name} "NAME" { policy = "read" }`);
  const subject = `${name} "${label}"`;
  const fieldsNamed = (field: string) => children.filter((child) => child.name.toLowerCase() === field);
  const unknown = children.filter((child) => !ruleFields.includes(child.name.toLowerCase()));
  const [policy, ...others] = fieldsNamed('policy');
  const [intentions] = fieldsNamed('intentions').filter(({ value }) => value !== '');
  const found: Found[] = unknown.map((child) => unknownField(child, subject));
  if (others[0]) found.push(problem(others[0], `duplicate field "policy" in ${subject}`));
  // A misspelled name is one problem, not two.
  if (!policy) return found.length > 0 ? join(found) : problem(node, `missing field "policy" in ${subject}`);
  found.push(
    readAccess(policy, policy.value, subject, (access) => [
      { resource, isPrefix, name: label, access },
      ...(resource === 'service' && intentions === undefined
        ? [{ resource: 'intention' as const, isPrefix, name: label, access: impliedIntentions(access) }]
        : []),
    ]),
  );
  if (intentions && resource !== 'service') found.push(unknownField(intentions, subject));
  else if (intentions)
    found.push(
      readAccess(intentions, intentions.value, `intentions of ${subject}`, (access) => [
        { resource: 'intention', isPrefix, name: label, access },
      ]),
    );
  return join(found);
}

/** Access to a service permits to read its intentions; only the field `intentions` permits to write them. */
const impliedIntentions = (access: Access): Access => (access === 'deny' ? 'deny' : 'read');

function unknownField(node: RuleNode, subject: string): Found {
  const meant = suggest(node.name, ruleFields);
  const suggestion = meant === undefined || meant === node.name ? '' : `; did you mean "${meant}"?`;
  return problem(node, `unknown field "${node.name}" in ${subject}${suggestion}`);
}

/** The rules with the access that a text names; only keys can be listed. */
function readAccess(
  node: RuleNode,
  text: string | undefined,
  subject: string,
  rules: (access: Access) => readonly Rule[],
): Found {
  const access = accessLevels.find((level) => level === text?.toLowerCase());
  const canList = /^key(_prefix)? /.test(subject);
  if (access !== undefined && (access !== 'list' || canList)) return { rules: rules(access), problems: [] };
  const expected = canList ? 'read, list, write or deny' : 'read, write or deny';
  const given = text === undefined ? '' : ` "${text}"`;
  return problem(node, `invalid access${given} for ${subject}: expected ${expected}`);
}
