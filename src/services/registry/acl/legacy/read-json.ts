import type { Json } from '../../../../wire/json.ts';
import { type Body, type Item, maxDepth, type Value } from './read.ts';

type JsonObject = { readonly [name: string]: Json };

/**
 * Rules in JSON, as the same in the configuration language: an object of objects becomes a block for each of them,
 * a list of objects one after the other.
 *
 * @throws Error too deeply nested
 */
export function readJson(json: JsonObject): Body {
  return toBody(json, 0);
}

function toBody(json: JsonObject, depth: number): Body {
  return {
    items: Object.entries(json).flatMap(([key, value]) => toItems([key], value, depth)),
    comments: [],
  };
}

function toItems(keys: readonly string[], value: Json, depth: number): Item[] {
  if (depth > maxDepth) throw new Error('too deeply nested');
  if (Array.isArray(value) && value.length > 0 && value.every(isObject)) {
    return value.flatMap((each) => toItems(keys, each, depth + 1));
  }
  if (!isObject(value))
    return [createItem(keys, Array.isArray(value) ? value.map(formatScalar) : formatScalar(value))];
  const members = Object.entries(value);
  const isNamedBlock = members.length > 0 && members.every(([, each]) => isBlock(each));
  if (!isNamedBlock) return [createItem(keys, toBody(value, depth + 1))];
  return members.flatMap(([key, each]) => toItems([...keys, key], each, depth + 1));
}

const createItem = ([kind = '', ...names]: readonly string[], value: Value): Item => ({
  comments: [],
  followsBlankLine: false,
  keys: [/^[A-Za-z_][\w-]*$/.test(kind) ? kind : formatScalar(kind), ...names.map(formatScalar)],
  value,
  trailingComment: '',
});

const isObject = (value: Json): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isBlock = (value: Json): boolean =>
  isObject(value) || (Array.isArray(value) && value.length > 0 && value.every(isObject));

const formatScalar = (value: Json): string => JSON.stringify(value) ?? 'null';
