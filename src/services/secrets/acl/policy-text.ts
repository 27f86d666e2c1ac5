import {
  blockItems,
  HclError,
  type HclItem,
  type HclValue,
  parseHcl,
  unexpectedToken,
  unquote,
} from '../../../wire/hcl.ts';
import { type Json, type JsonObject, parseJson } from '../../../wire/json.ts';
import { isObject } from '../../../wire/objects.ts';
import { createRule, isLimitField, type Rule, readShorthand } from './rule.ts';

/**
 * Parses a policy: JSON (`{"path": {"x": {"capabilities": ["read"]}}}`) or the equivalent HCL (`path "x" {
 * capabilities = ["read"] }`, comments with `#`, `//` or between slash-star and star-slash). Fields that
 * would restrict access further (`mfa_methods`) are rejected: ignoring them would permit what the author denied.
 * @throws Error with the cause and, for HCL, the line
 */
export function parsePolicy(text: string): Rule[] {
  return text.trimStart().startsWith('{') ? parseJsonPolicy(parseJson(text)) : parseHclPolicy(text);
}

function parseJsonPolicy(policy: Json): Rule[] {
  const { path, name: _name, ...unknownFields } = objectFields(policy, 'a policy');
  rejectUnknownFields(unknownFields);
  const stanzas = Array.isArray(path) ? path : [path ?? {}];
  return stanzas
    .flatMap((stanza) => Object.entries(objectFields(stanza, 'path')))
    .map(([name, body]) => {
      const { capabilities: list, policy: shorthand, ...rest } = objectFields(body, `path "${name}"`);
      const fields = Object.entries(rest);
      rejectUnknownFields(Object.fromEntries(fields.filter(([field]) => !isLimitField(field))));
      const invalid = (message: string) => new Error(message);
      const fromPolicy = shorthand === undefined ? [] : readShorthand(name, shorthand, invalid);
      const listed = Array.isArray(list)
        ? list
        : list === undefined && shorthand !== undefined
          ? []
          : [list ?? ''];
      return createRule(name, [...fromPolicy, ...listed], fields, invalid);
    });
}

function objectFields(value: Json, subject: string): JsonObject {
  if (isObject(value)) return value;
  throw new Error(`${subject} must be an object`);
}

function rejectUnknownFields(unknownFields: JsonObject): void {
  const [name] = Object.keys(unknownFields);
  if (name !== undefined) throw new Error(`"${name}" is not supported in a policy`);
}

function parseHclPolicy(text: string): Rule[] {
  const { items } = parseHcl(text, {
    isFlat: true,
    hasNestedLists: true,
    maxLabels: 1,
    expected: {
      item: '"path"',
      label: 'a quoted string',
      field: '"capabilities"',
      element: 'a quoted string',
      separator: '","',
    },
  });
  return items.flatMap((item) => {
    const [keyword, label] = item.keys;
    if (fieldName(item) === 'name' && item.isAssignment) return [];
    if (keyword.text !== 'path') throw unexpectedToken('"path"', keyword);
    if (!label) throw unexpectedToken('a quoted string', item.first);
    const path = unquote(label);
    const invalid = (message: string) => new HclError(label, message);
    const granted: string[] = [];
    const fields: (readonly [string, Json])[] = [];
    for (const field of blockItems(item)) {
      const name = fieldName(field);
      if (isLimitField(name)) fields.push([name, jsonOf(field)]);
      else granted.push(...readCapabilities(field, path, invalid));
    }
    return [createRule(path, granted, fields, invalid)];
  });
}

const fieldName = ({ keys: [{ text }] }: HclItem): string => text.replace(/^"(.*)"$/, '$1');

/** A value of HCL as JSON. */
function jsonOf({ first, elements, body }: HclValue): Json {
  if (elements) return elements.map(jsonOf);
  if (body) return Object.fromEntries(body.items.map((item) => [fieldName(item), jsonOf(item)]));
  if (first.text.startsWith('"')) return unquote(first);
  if (first.text === 'true' || first.text === 'false') return first.text === 'true';
  return /^-?\d+(\.\d+)?$/.test(first.text) ? Number(first.text) : first.text;
}

function readCapabilities(field: HclItem, path: string, invalid: (message: string) => Error) {
  const { keys, first, list } = field;
  const name = fieldName(field);
  if (name === 'policy') return readShorthand(path, unquote(first), invalid);
  if (name !== 'capabilities') throw unexpectedToken('"capabilities"', keys[0]);
  if (!list) throw unexpectedToken('"["', first);
  return list.map(unquote);
}
