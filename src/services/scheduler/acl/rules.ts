import {
  blockItems,
  type HclItem,
  type HclSyntax,
  type HclToken,
  parseHcl,
  unexpectedToken,
  unquote,
} from '../../../wire/hcl.ts';

export const capabilities = ['list', 'read', 'write', 'destroy', 'deny'] as const;
export type Capability = (typeof capabilities)[number];

/** Capabilities on the variables of a path, which may contain `*`. */
export interface PathRule {
  readonly path: string;
  readonly capabilities: readonly Capability[];
}

/** Rules for the namespaces of a name, which may contain `*`. */
export interface NamespaceRule {
  readonly namespace: string;
  /** Access to the namespace itself; `deny` denies everything in it. */
  readonly access: 'some' | 'none' | 'deny';
  readonly paths: readonly PathRule[];
}

export interface Rules {
  readonly namespaces: readonly NamespaceRule[];
  readonly agent: Access;
  readonly node: Access;
}

/** Access to agents or nodes; undefined: no rule. */
export type Access = 'read' | 'deny' | undefined;

interface Block {
  readonly kind: string;
  readonly label: string | undefined;
  readonly values: ReadonlyMap<string, string | readonly string[]>;
  readonly blocks: readonly Block[];
}

const namespacePattern = /^[a-zA-Z0-9*-]{1,128}$/;
const levels = ['deny', 'read', 'list', 'write', 'scale'];

/** Resources that this scheduler does not have; their rules have no effect. */
const ignoredResources = new Set(['node_pool', 'operator', 'quota', 'host_volume', 'plugin', 'sentinel']);

/**
 * Parses a policy. An empty text has no rules, white space alone is rejected, as in Nomad. Unknown rules are rejected:
 * ignoring them would permit what was denied.
 *
 * @throws Error
 */
export function parseRules(text: string): Rules {
  const blocks = parseHcl(text, syntax).items.map(toBlock);
  if (blocks.length === 0 && text !== '') throw new Error('no rules');
  const unknown = blocks.find(
    ({ kind }) => !['namespace', 'agent', 'node'].includes(kind) && !ignoredResources.has(kind),
  );
  if (unknown) throw new Error(`unknown resource "${unknown.kind}"`);
  return {
    namespaces: blocks.filter(({ kind }) => kind === 'namespace').map(namespaceRule),
    agent: accessOf(blocks, 'agent'),
    node: accessOf(blocks, 'node'),
  };
}

function accessOf(blocks: readonly Block[], resource: 'agent' | 'node'): Access {
  const levels = blocks.filter(({ kind }) => kind === resource).map(policyLevel);
  if (levels.length === 0) return undefined;
  return levels.includes('deny') ? 'deny' : 'read';
}

const syntax: HclSyntax = { maxDepth: 8, maxLabels: 1, expected: { separator: '","' } };

function toBlock(item: HclItem): Block {
  const [kind, label] = item.keys;
  const items = blockItems(item);
  return {
    kind: wordOf(kind),
    label: label && unquote(label),
    values: new Map(
      items
        .filter(({ isAssignment }) => isAssignment)
        .map(({ keys: [name], first, list }) => [wordOf(name), list?.map(unquote) ?? unquote(first)]),
    ),
    blocks: items.filter(({ isAssignment }) => !isAssignment).map(toBlock),
  };
}

function wordOf(key: HclToken): string {
  if (key.text.startsWith('"')) throw unexpectedToken('a name', key);
  return key.text;
}

function namespaceRule(block: Block): NamespaceRule {
  const namespace = block.label ?? '';
  if (!namespacePattern.test(namespace)) throw new Error(`invalid namespace name "${namespace}"`);
  rejectUnknownFields(block, ['policy', 'capabilities'], ['variables']);
  const level = block.values.has('policy') ? policyLevel(block) : undefined;
  const allowed = capabilityList(block);
  const denies = level === 'deny' || allowed.includes('deny');
  return {
    namespace,
    access: denies ? 'deny' : level !== undefined || allowed.length > 0 ? 'some' : 'none',
    paths: block.blocks.flatMap(variableRules),
  };
}

function variableRules(block: Block): PathRule[] {
  rejectUnknownFields(block, [], ['path']);
  return block.blocks.map((each) => {
    rejectUnknownFields(each, ['capabilities'], []);
    const path = each.label ?? '';
    if (path === '') throw new Error('a path of variables has no name');
    if (path.startsWith('/'))
      throw new Error(`invalid variables path "${path}": it cannot begin with a slash`);
    return { path, capabilities: capabilityList(each).map((name) => parseCapability(name, path)) };
  });
}

function parseCapability(name: string, path: string): Capability {
  const capability = capabilities.find((each) => each === name);
  if (!capability) throw new Error(`invalid capability "${name}" of the variables path "${path}"`);
  return capability;
}

function policyLevel({ kind, label, values }: Block): string {
  const level = levels.find((each) => each === values.get('policy'));
  if (level !== undefined) return level;
  throw new Error(`invalid policy of ${kind}${label === undefined ? '' : ` "${label}"`}`);
}

function capabilityList({ kind, values }: Block): readonly string[] {
  const list = values.get('capabilities') ?? [];
  if (typeof list === 'string') throw new Error(`the capabilities of ${kind} must be a list`);
  return list;
}

function rejectUnknownFields(
  { kind, values, blocks }: Block,
  names: readonly string[],
  kinds: readonly string[],
): void {
  const unknown =
    [...values.keys()].find((name) => !names.includes(name)) ??
    blocks.map((block) => block.kind).find((name) => !kinds.includes(name));
  if (unknown !== undefined) throw new Error(`"${unknown}" is not known in ${kind}`);
}
