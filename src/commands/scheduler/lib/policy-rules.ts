import type { Problem } from '../../../command/policy-text.ts';
import { parseRuleTree, type RuleNode } from '../../../command/rule-tree.ts';
import { memberOf } from '../../../wire/objects.ts';
import { suggest } from '../../../wire/suggest.ts';
import { pathCapabilities, type Resource, resources } from './policy-language.ts';

/**
 * Checks the rules of a policy in HCL or JSON. Nomad itself ignores unknown fields in a block, so that a misspelled
 * "deny" permits what it should deny; here they are problems.
 *
 * @returns how many blocks there are, and what is wrong, each with its position (JSON has none).
 */
export function checkRules(text: string): { readonly rules: number; readonly problems: readonly Problem[] } {
  const { nodes, problems } = parseRuleTree(text);
  const blocks = nodes.flatMap(namedBlocks);
  const found = [
    ...problems,
    ...repeatedBlocks(nodes),
    ...blocks.flatMap(blockProblems),
    ...(blocks.length === 0 && problems.length === 0 ? [{ what: 'no rules' }] : []),
  ];
  return { rules: blocks.length, problems: found };
}

const problem = ({ line, column }: RuleNode, what: string): readonly Problem[] => [{ what, line, column }];

const nameOf = (node: RuleNode): string => node.name.toLowerCase();
const resourceOf = (node: RuleNode): Resource | undefined => memberOf(resources, nameOf(node));

/** A block in HCL has a position. */
const isHcl = ({ line }: RuleNode): boolean => line !== undefined;

/** The blocks of a kind that have names: in JSON `"namespace": { "a": { ... } }`. */
const namedBlocks = (node: RuleNode): readonly RuleNode[] =>
  resourceOf(node)?.names ? labelled(node) : [node];

const labelled = (node: RuleNode): readonly RuleNode[] =>
  isHcl(node) || node.children === undefined
    ? [node]
    : node.children.map((child) => ({ ...child, name: node.name, label: child.name }));

/** Nomad accepts one block of each resource without a name. */
function repeatedBlocks(nodes: readonly RuleNode[]): readonly Problem[] {
  const single = nodes.filter((node) => resourceOf(node) && !resourceOf(node)?.names);
  return single.flatMap((node, index) =>
    single.slice(0, index).some((earlier) => nameOf(earlier) === nameOf(node))
      ? problem(node, `duplicate block "${node.name}"`)
      : [],
  );
}

/** What is wrong with a block at the top. */
function blockProblems(node: RuleNode): readonly Problem[] {
  const resource = resourceOf(node);
  if (!resource)
    return problem(node, `unknown resource "${node.name}"${meant(node.name, Object.keys(resources))}`);
  const { names } = resource;
  const { label, children } = node;
  const name = nameOf(node);
  const form = names ? `${name} "NAME" { ... }` : `${name} { ... }`;
  if (children === undefined || (names === undefined) !== (label === undefined))
    return problem(node, `expected ${form}`);
  if (names && !names.test(label ?? '')) return problem(node, `invalid name "${label}" of ${name}`);
  const title = label === undefined ? name : `${name} "${label}"`;
  return fieldProblems({ ...node, children }, title, resource);
}

type Block = RuleNode & { readonly children: readonly RuleNode[] };

function fieldProblems(node: Block, title: string, resource: Resource): readonly Problem[] {
  const fields = ['policy', ...(resource.capabilities ? ['capabilities'] : [])];
  const known = [...fields, ...(resource.hasVariables ? ['variables'] : [])];
  const found = unknownOrRepeated(node, title, known, fields);
  const policy = node.children.find((child) => nameOf(child) === 'policy');
  // A misspelled name is one problem, not two.
  if (!policy && resource.needsPolicy && found.length === 0)
    return problem(node, `missing field "policy" in ${title}`);
  return [...found, ...node.children.flatMap((child) => fieldProblem(child, title, resource))];
}

function fieldProblem(child: RuleNode, title: string, resource: Resource): readonly Problem[] {
  switch (nameOf(child)) {
    case 'policy':
      // An empty text is as none, where it is optional.
      if (child.value === '' && !resource.needsPolicy) return [];
      return resource.levels.includes(child.value ?? '')
        ? []
        : problem(
            child,
            `invalid policy${quoted(child.value)} of ${title}: expected ${oneOf(resource.levels)}`,
          );
    case 'capabilities':
      return capabilityProblems(child, title, resource.capabilities ?? []);
    case 'variables':
      return resource.hasVariables ? variablesProblems(child, title) : [];
    default:
      return [];
  }
}

/** What is wrong with `variables { path "app/*" { capabilities = ["read"] } }`. */
function variablesProblems(node: RuleNode, title: string): readonly Problem[] {
  const { children } = node;
  if (children === undefined || node.label !== undefined)
    return problem(node, 'expected variables { path "PATH" { capabilities = ["read"] } }');
  const found = unknownOrRepeated({ ...node, children }, `variables of ${title}`, ['path'], []);
  if (found.length > 0) return found;
  const paths = children.flatMap(labelled);
  return paths.length === 0
    ? problem(node, `no path in variables of ${title}`)
    : paths.flatMap((path) => pathProblems(path, title));
}

function pathProblems(node: RuleNode, title: string): readonly Problem[] {
  const { label, children } = node;
  if (label === undefined || label === '' || children === undefined)
    return problem(node, `expected path "PATH" { capabilities = ["read"] } in variables of ${title}`);
  if (label.startsWith('/')) return problem(node, `invalid path "${label}": it cannot begin with a slash`);
  const path = `path "${label}"`;
  const found = unknownOrRepeated({ ...node, children }, path, ['capabilities'], ['capabilities']);
  const list = children.find((child) => nameOf(child) === 'capabilities');
  if (!list) return found.length > 0 ? found : problem(node, `missing field "capabilities" in ${path}`);
  return [...found, ...capabilityProblems(list, path, pathCapabilities)];
}

function capabilityProblems(node: RuleNode, title: string, known: readonly string[]): readonly Problem[] {
  // In JSON, an empty list looks like an empty block.
  const list = node.list ?? (!isHcl(node) && node.children?.length === 0 ? [] : undefined);
  if (!list) return problem(node, `invalid capabilities of ${title}: expected a list such as ["read"]`);
  return list
    .filter((capability) => !known.includes(capability))
    .flatMap((capability) => {
      const meaning = meant(capability, known);
      const hint = meaning === '' && known.length < 8 ? `: expected ${oneOf(known)}` : meaning;
      return problem(node, `invalid capability "${capability}" of ${title}${hint}`);
    });
}

/** Fields that a block does not have, and fields that it has twice. @param single the ones that may be there once */
function unknownOrRepeated(
  { children }: Block,
  title: string,
  known: readonly string[],
  single: readonly string[],
): readonly Problem[] {
  return children.flatMap((child, index) => {
    const name = nameOf(child);
    if (!known.includes(name))
      return problem(child, `unknown field "${child.name}" in ${title}${meant(name, known)}`);
    const isRepeated = children.slice(0, index).some((earlier) => nameOf(earlier) === name);
    return isRepeated && single.includes(name) ? problem(child, `duplicate field "${name}" in ${title}`) : [];
  });
}

const quoted = (text: string | undefined): string => (text === undefined ? '' : ` "${text}"`);

/** `read, write or deny` */
const oneOf = (names: readonly string[]): string => `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;

function meant(name: string, names: readonly string[]): string {
  const found = suggest(name, names);
  return found === undefined || found === name ? '' : `; did you mean "${found}"?`;
}
