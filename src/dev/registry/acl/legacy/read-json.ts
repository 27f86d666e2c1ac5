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
  return bodyOf(json, 0);
}

function bodyOf(json: JsonObject, depth: number): Body {
  return {
    items: Object.entries(json).flatMap(([key, value]) => itemsOf([key], value, depth)),
    comments: [],
  };
}

function itemsOf(keys: readonly string[], value: Json, depth: number): Item[] {
  if (depth > maxDepth) throw new Error('too deeply nested');
  if (Array.isArray(value) && value.length > 0 && value.every(isObject)) {
    return value.flatMap((each) => itemsOf(keys, each, depth + 1));
  }
  if (!isObject(value)) return [itemOf(keys, Array.isArray(value) ? value.map(written) : written(value))];
  const members = Object.entries(value);
  const named = members.length > 0 && members.every(([, each]) => isBlock(each));
  if (!named) return [itemOf(keys, bodyOf(value, depth + 1))];
  return members.flatMap(([key, each]) => itemsOf([...keys, key], each, depth + 1));
}

const itemOf = ([kind = '', ...names]: readonly string[], value: Value): Item => ({
  comments: [],
  apart: false,
  keys: [/^[A-Za-z_][\w-]*$/.test(kind) ? kind : written(kind), ...names.map(written)],
  value,
  remark: '',
});

const isObject = (value: Json): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isBlock = (value: Json): boolean =>
  isObject(value) || (Array.isArray(value) && value.length > 0 && value.every(isObject));

const written = (value: Json): string => JSON.stringify(value) ?? 'null';
