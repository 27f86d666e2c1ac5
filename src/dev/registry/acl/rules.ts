import { type Json, parseJson } from '../../../wire/json.ts';
import { parseRulesText } from './rules-text.ts';

/** What a rule lets do; each of `read`, `list`, `write` lets do what the ones before it do. */
export const levels = ['deny', 'read', 'list', 'write'] as const;
export type Level = (typeof levels)[number];

/** Resources whose rules name what they are for, exactly (`key "a"`) or by prefix (`key_prefix "a/"`). */
const named = ['key', 'node', 'service', 'session', 'agent', 'query', 'event'] as const;
export type Named = (typeof named)[number];

/** Resources of which there is one (`acl = "read"`). */
const single = ['acl', 'operator', 'keyring', 'mesh'] as const;
export type Single = (typeof single)[number];

/** One rule: about one thing, or about all whose names begin alike. */
export interface Rule {
  readonly resource: Named | Single;
  readonly prefix: boolean;
  readonly name: string;
  readonly level: Level;
}

/**
 * Reads the rules of a policy, in their own syntax (`key_prefix "a/" { policy = "read" }`, `acl = "write"`) or as
 * JSON (`{"key_prefix": {"a/": {"policy": "read"}}}`). What is not known here is refused: leaving it out would
 * permit what the author forbade.
 *
 * @throws Error that says what is wrong
 */
export function parseRules(text: string): Rule[] {
  const json = text.trimStart().startsWith('{') ? parseJson(text) : parseRulesText(text);
  return Object.entries(objectOf(json, 'the rules')).flatMap(([kind, value]) => rulesOf(kind, value));
}

function rulesOf(kind: string, value: Json): Rule[] {
  const one = single.find((each) => each === kind);
  if (one) return [{ resource: one, prefix: false, name: '', level: levelOf(value, kind) }];
  const prefix = kind.endsWith('_prefix');
  const resource = named.find((each) => each === (prefix ? kind.slice(0, -'_prefix'.length) : kind));
  if (!resource) throw new Error(`unknown resource "${kind}"`);
  const blocks = Array.isArray(value) ? value : [value];
  return blocks
    .flatMap((block) => Object.entries(objectOf(block, kind)))
    .flatMap(([name, body]) => {
      const what = `${kind} "${name}"`;
      // JSON made from the other syntax has a list of all blocks about the same thing.
      const bodies = Array.isArray(body) && body.length > 0 ? body : [body];
      return bodies.map((each) => ({ resource, prefix, name, level: levelOfBlock(each, what) }));
    });
}

function levelOfBlock(body: Json, what: string): Level {
  const { policy = null, ...others } = objectOf(body, what);
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw new Error(`"${unknown}" is not supported in ${what}`);
  return levelOf(policy, what);
}

function levelOf(value: Json, what: string): Level {
  const level = levels.find((each) => each === value);
  if (!level || (level === 'list' && !what.startsWith('key_prefix') && !what.startsWith('key '))) {
    throw new Error(`invalid policy for ${what}: it must be one of deny, read or write`);
  }
  return level;
}

function objectOf(value: Json, what: string): { readonly [name: string]: Json } {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new Error(`${what} must be an object`);
}
