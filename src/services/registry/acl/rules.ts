import {
  blockItems,
  type HclItem,
  type HclToken,
  parseHcl,
  unexpectedToken,
  unquote,
} from '../../../wire/hcl.ts';
import { type Json, parseJson } from '../../../wire/json.ts';
import { isObject } from '../../../wire/objects.ts';

/** Level of a rule; each of `read`, `list` and `write` includes the ones before it. */
export const levels = ['deny', 'read', 'list', 'write'] as const;
export type Level = (typeof levels)[number];

/** Resources whose rules apply to a name (`key "a"`) or a prefix (`key_prefix "a/"`). */
const namedResources = ['key', 'node', 'service', 'session', 'agent', 'query', 'event', 'identity'] as const;
export type NamedResource = (typeof namedResources)[number];

/** Resources without a name (`acl = "read"`). */
const singleResources = ['acl', 'operator', 'keyring', 'mesh', 'peering'] as const;
export type SingleResource = (typeof singleResources)[number];

export interface Rule {
  readonly resource: NamedResource | SingleResource;
  readonly isPrefix: boolean;
  readonly name: string;
  readonly level: Level;
  /** Of a rule of a service: the level for its intentions, if it is stated. */
  readonly intentions?: Level;
}

/**
 * Parses the rules of a policy, in HCL (`key_prefix "a/" { policy = "read" }`, `acl = "write"`) or JSON
 * (`{"key_prefix": {"a/": {"policy": "read"}}}`). Unknown rules are rejected: ignoring them would permit what the
 * author denied.
 *
 * @throws Error with the cause; for invalid HCL, with the line
 */
export function parseRules(text: string): Rule[] {
  const json = text.trimStart().startsWith('{') ? parseJson(text) : hclToJson(text);
  return Object.entries(requireObject(json, 'the rules')).flatMap(([kind, value]) => parseRule(kind, value));
}

/** The equivalent JSON: the blocks of a kind become a list, the assignments a field. */
function hclToJson(text: string): Json {
  const { items } = parseHcl(text, { isFlat: true, maxLabels: 1 });
  const blocks = Map.groupBy(
    items.filter(({ isAssignment }) => !isAssignment),
    ({ keys: [kind] }) => nameOf(kind),
  );
  return Object.fromEntries([
    ...items.filter(({ isAssignment }) => isAssignment).map(field),
    ...[...blocks].map(([kind, all]): [string, Json] => [kind, all.map(blockToJson)]),
  ]);
}

function blockToJson(block: HclItem): Json {
  const [, label] = block.keys;
  if (!label) throw unexpectedToken('a quoted string', block.first);
  return Object.fromEntries([[unquote(label), Object.fromEntries(blockItems(block).map(field))]]);
}

const field = ({ keys: [name], first }: HclItem): [string, Json] => [nameOf(name), unquote(first)];

const nameOf = ({ text }: HclToken): string => (text.startsWith('"') ? text.slice(1, -1) : text);

function parseRule(kind: string, value: Json): Rule[] {
  const singleResource = singleResources.find((each) => each === kind);
  if (singleResource)
    return [{ resource: singleResource, isPrefix: false, name: '', level: parseLevel(value, kind) }];
  const isPrefix = kind.endsWith('_prefix');
  const resource = namedResources.find(
    (each) => each === (isPrefix ? kind.slice(0, -'_prefix'.length) : kind),
  );
  if (!resource) throw new Error(`unknown resource "${kind}"`);
  const blocks = Array.isArray(value) ? value : [value];
  return blocks
    .flatMap((block) => Object.entries(requireObject(block, kind)))
    .flatMap(([name, body]) => {
      const subject = `${kind} "${name}"`;
      // JSON converted from HCL has a list of all blocks with the same label.
      const bodies = Array.isArray(body) && body.length > 0 ? body : [body];
      return bodies.map((each) => ({ resource, isPrefix, name, ...levelsOfBlock(each, subject) }));
    });
}

function levelsOfBlock(body: Json, subject: string): Pick<Rule, 'level' | 'intentions'> {
  const { policy = null, intentions, ...unknownFields } = requireObject(body, subject);
  const [unknown] = Object.keys(unknownFields);
  if (unknown !== undefined) throw new Error(`"${unknown}" is not supported in ${subject}`);
  if (intentions !== undefined) {
    if (!subject.startsWith('service')) throw new Error(`"intentions" is not supported in ${subject}`);
    const level = parseLevel(intentions, `intentions of ${subject}`);
    return { level: parseLevel(policy, subject), intentions: level };
  }
  return { level: parseLevel(policy, subject) };
}

function parseLevel(value: Json, subject: string): Level {
  const level = levels.find((each) => each === value);
  if (!level || (level === 'list' && !subject.startsWith('key_prefix') && !subject.startsWith('key '))) {
    throw new Error(`invalid policy for ${subject}: it must be one of deny, read or write`);
  }
  return level;
}

function requireObject(value: Json, subject: string): { readonly [name: string]: Json } {
  if (isObject(value)) return value;
  throw new Error(`${subject} must be an object`);
}
