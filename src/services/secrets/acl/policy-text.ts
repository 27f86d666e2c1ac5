import { blockItems, HclError, type HclItem, parseHcl, unexpectedToken, unquote } from '../../../wire/hcl.ts';
import { type Json, parseJson } from '../../../wire/json.ts';
import type { JsonObject } from '../../core/http/fields.ts';
import { parseLifetime } from '../model/ttl.ts';

export const capabilities = [
  'create',
  'read',
  'update',
  'patch',
  'delete',
  'list',
  'scan',
  'recover',
  'sudo',
  'deny',
] as const;
export type Capability = (typeof capabilities)[number];

/** The older field `policy` of a stanza, which adds capabilities. */
const shorthands: Readonly<Record<string, readonly Capability[]>> = {
  deny: ['deny'],
  read: ['read', 'list'],
  write: ['create', 'read', 'update', 'delete', 'list'],
  sudo: ['create', 'read', 'update', 'delete', 'list', 'sudo'],
};

/** One `path` stanza. */
export interface Rule {
  /** Without leading slash; `+` is one segment, a final `*` matches anything. */
  readonly path: string;
  readonly capabilities: readonly Capability[];
  /** Limits of the lifetime of wrapped responses in seconds; with one of them, responses must be wrapped. */
  readonly minWrappingTtl?: number;
  readonly maxWrappingTtl?: number;
}

/** A field of a stanza that limits the lifetime of wrapped responses. */
const wrappingFields = ['min_wrapping_ttl', 'max_wrapping_ttl'] as const;
type WrappingName = (typeof wrappingFields)[number];

/**
 * Parses a policy: JSON (`{"path": {"x": {"capabilities": ["read"]}}}`) or the equivalent HCL (`path "x" {
 * capabilities = ["read"] }`, comments with `#`, `//` or between slash-star and star-slash). Fields that
 * would restrict access further (parameters) are rejected: ignoring them would permit what the author denied.
 * @throws Error with the cause and, for HCL, the line
 */
export function parsePolicy(text: string): Rule[] {
  return text.trimStart().startsWith('{') ? parseJsonPolicy(parseJson(text)) : parseHclPolicy(text);
}

function parseJsonPolicy(policy: Json): Rule[] {
  const { path, ...unknownFields } = objectFields(policy, 'a policy');
  rejectUnknownFields(unknownFields);
  const stanzas = Array.isArray(path) ? path : [path ?? {}];
  return stanzas
    .flatMap((stanza) => Object.entries(objectFields(stanza, 'path')))
    .map(([name, body]) => {
      const fields = objectFields(body, `path "${name}"`);
      const { capabilities: list, policy, min_wrapping_ttl: _min, max_wrapping_ttl: _max, ...rest } = fields;
      rejectUnknownFields(rest);
      const invalid = (message: string) => new Error(message);
      const fromPolicy = policy === undefined ? [] : readShorthand(name, policy, invalid);
      const listed = Array.isArray(list)
        ? list
        : list === undefined && policy !== undefined
          ? []
          : [list ?? ''];
      const ttls = wrappingFields.flatMap((each) => {
        const value = fields[each];
        return value === undefined ? [] : [readWrappingTtl(each, value, invalid)];
      });
      return createRule(name, [...fromPolicy, ...listed], ttls, invalid);
    });
}

function objectFields(value: Json, subject: string): JsonObject {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new Error(`${subject} must be an object`);
}

function rejectUnknownFields(unknownFields: JsonObject): void {
  const [name] = Object.keys(unknownFields);
  if (name !== undefined) throw new Error(`"${name}" is not supported in a policy`);
}

function readShorthand(
  path: string,
  policy: Json,
  invalid: (message: string) => Error,
): readonly Capability[] {
  const granted =
    typeof policy === 'string' && Object.hasOwn(shorthands, policy) ? shorthands[policy] : undefined;
  if (granted) return granted;
  throw invalid(`path "${path}": invalid policy${typeof policy === 'string' ? ` "${policy}"` : ''}`);
}

/** @throws Error: not a duration */
function readWrappingTtl(
  name: WrappingName,
  value: Json,
  invalid: (message: string) => Error,
): readonly [WrappingName, number] {
  try {
    return [name, parseLifetime(typeof value === 'object' ? JSON.stringify(value) : String(value))];
  } catch (error) {
    throw invalid(`error parsing ${name}: ${error instanceof Error ? error.message : error}`);
  }
}

function createRule(
  path: string,
  list: readonly Json[],
  ttls: readonly (readonly [WrappingName, number])[],
  invalid: (message: string) => Error,
): Rule {
  const relativePath = path.startsWith('/') ? path.slice(1) : path;
  if (relativePath.slice(0, -1).includes('*'))
    throw invalid(`path "${path}": "*" is only allowed at the end`);
  if (relativePath.split('/').some((segment) => segment.includes('+') && segment !== '+')) {
    throw invalid(`path "${path}": "+" must be an entire segment`);
  }
  const parsed = list.map((value) => {
    const capability = capabilities.find((each) => each === value);
    if (capability) return capability;
    throw invalid(`path "${path}": invalid capability${typeof value === 'string' ? ` "${value}"` : ''}`);
  });
  const { min_wrapping_ttl: min = 0, max_wrapping_ttl: max = 0 } = Object.fromEntries(ttls);
  if (min > 0 && max > 0 && max < min) {
    throw invalid('max_wrapping_ttl cannot be less than min_wrapping_ttl');
  }
  return {
    path: relativePath,
    capabilities: parsed,
    ...(min > 0 && { minWrappingTtl: min }),
    ...(max > 0 && { maxWrappingTtl: max }),
  };
}

function parseHclPolicy(text: string): Rule[] {
  const { items } = parseHcl(text, {
    isFlat: true,
    maxLabels: 1,
    expected: {
      item: '"path"',
      label: 'a quoted string',
      field: '"capabilities"',
      element: 'a quoted string',
      separator: '","',
    },
  });
  return items.map((item) => {
    const [keyword, label] = item.keys;
    if (keyword.text !== 'path') throw unexpectedToken('"path"', keyword);
    if (!label) throw unexpectedToken('a quoted string', item.first);
    const path = unquote(label);
    const invalid = (message: string) => new HclError(label, message);
    const granted: string[] = [];
    const ttls: (readonly [WrappingName, number])[] = [];
    for (const field of blockItems(item)) {
      const { keys, first, list } = field;
      const name = wrappingFields.find((each) => keys[0].text === each || keys[0].text === `"${each}"`);
      if (name === undefined) granted.push(...readCapabilities(field, path, invalid));
      else if (list) throw unexpectedToken('a duration', first);
      else
        ttls.push(readWrappingTtl(name, first.text.startsWith('"') ? unquote(first) : first.text, invalid));
    }
    return createRule(path, granted, ttls, invalid);
  });
}

function readCapabilities(
  { keys: [name], first, list }: HclItem,
  path: string,
  invalid: (message: string) => Error,
): readonly string[] {
  if (name.text === 'policy' || name.text === '"policy"') {
    return readShorthand(path, unquote(first), invalid);
  }
  if (name.text !== 'capabilities' && name.text !== '"capabilities"') {
    throw unexpectedToken('"capabilities"', name);
  }
  if (!list) throw unexpectedToken('"["', first);
  return list.map(unquote);
}
