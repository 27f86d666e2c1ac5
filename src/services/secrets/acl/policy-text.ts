import { blockItems, HclError, type HclItem, parseHcl, unexpectedToken, unquote } from '../../../wire/hcl.ts';
import { type Json, parseJson } from '../../../wire/json.ts';
import type { JsonObject } from '../../core/http/fields.ts';

export const capabilities = [
  'create',
  'read',
  'update',
  'patch',
  'delete',
  'list',
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
}

/**
 * Parses a policy: JSON (`{"path": {"x": {"capabilities": ["read"]}}}`) or the equivalent HCL (`path "x" {
 * capabilities = ["read"] }`, comments with `#`, `//` or between slash-star and star-slash). Fields that
 * would restrict access further (parameters, wrapping) are rejected: ignoring them would permit what the
 * author denied.
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
      const { capabilities: list, policy, ...rest } = objectFields(body, `path "${name}"`);
      rejectUnknownFields(rest);
      const invalid = (message: string) => new Error(message);
      const fromPolicy = policy === undefined ? [] : readShorthand(name, policy, invalid);
      const listed = Array.isArray(list)
        ? list
        : list === undefined && policy !== undefined
          ? []
          : [list ?? ''];
      return createRule(name, [...fromPolicy, ...listed], invalid);
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

function createRule(path: string, list: readonly Json[], invalid: (message: string) => Error): Rule {
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
  return { path: relativePath, capabilities: parsed };
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
    const granted = blockItems(item).flatMap((field) => readCapabilities(field, path, invalid));
    return createRule(path, granted, invalid);
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
