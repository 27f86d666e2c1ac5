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
      const { capabilities: list, ...rest } = objectFields(body, `path "${name}"`);
      rejectUnknownFields(rest);
      return createRule(name, Array.isArray(list) ? list : [list ?? ''], (message) => new Error(message));
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
    return createRule(
      path,
      blockItems(item).flatMap(capabilityList),
      (message) => new HclError(label, message),
    );
  });
}

function capabilityList({ keys: [name], first, list }: HclItem): string[] {
  if (name.text !== 'capabilities' && name.text !== '"capabilities"') {
    throw unexpectedToken('"capabilities"', name);
  }
  if (!list) throw unexpectedToken('"["', first);
  return list.map(unquote);
}
