import { type HclBody, type HclItem, type HclToken, maxHclDepth } from '../../../../wire/hcl.ts';
import { formatJson, type Json, type JsonObject, parseJson } from '../../../../wire/json.ts';
import { isObject } from '../../../../wire/objects.ts';

/**
 * Converts rules in JSON to the equivalent HCL: an object of objects becomes a block for each of them, a list of
 * objects one block after the other.
 *
 * @param text begins with `{`
 * @throws Error invalid JSON; too deeply nested
 */
export const readJson = (text: string): HclBody => toBody(parseJson(text) as JsonObject, 0);

function toBody(json: JsonObject, depth: number): HclBody {
  return {
    items: Object.entries(json).flatMap(([key, value]) => toItems([key], value, depth)),
    comments: [],
  };
}

function toItems(keys: readonly [string, ...string[]], value: Json, depth: number): HclItem[] {
  if (depth > maxHclDepth) throw new Error('too deeply nested');
  if (Array.isArray(value) && value.length > 0 && value.every(isObject)) {
    return value.flatMap((each) => toItems(keys, each, depth + 1));
  }
  if (Array.isArray(value)) return [createItem(keys, { first: token('['), list: value.map(scalar) })];
  if (!isObject(value)) return [createItem(keys, { first: scalar(value) })];
  const members = Object.entries(value);
  const isNamedBlock = members.length > 0 && members.every(([, each]) => isBlock(each));
  if (!isNamedBlock) return [createItem(keys, { first: token('{'), body: toBody(value, depth + 1) })];
  return members.flatMap(([key, each]) => toItems([...keys, key], each, depth + 1));
}

const createItem = (
  [kind, ...labels]: readonly [string, ...string[]],
  value: Pick<HclItem, 'first' | 'list' | 'body'>,
): HclItem => ({
  comments: [],
  keys: [/^[A-Za-z_][\w-]*$/.test(kind) ? token(kind) : scalar(kind), ...labels.map(scalar)],
  isAssignment: value.body === undefined,
  ...value,
  trailingComment: '',
});

const isBlock = (value: Json): boolean =>
  isObject(value) || (Array.isArray(value) && value.length > 0 && value.every(isObject));

const scalar = (value: Json): HclToken => token(formatJson(value));

const token = (text: string): HclToken => ({ kind: 'scalar', text, line: 1, column: 1, lineBreaks: 1 });
