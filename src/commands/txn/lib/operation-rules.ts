import type { Json } from '../../../wire/json.ts';
import { isObject } from '../../../wire/objects.ts';

export type JsonObject = { readonly [name: string]: Json };
export type Kind = keyof typeof verbs;

/**
 * The format of values: `wire`, in base64 as in the API, or `people`, as plain text, as base64 in a field of its own, or
 * as the name of a file.
 */
export type Dialect = 'wire' | 'people';

/** The fields that each verb of a key-value operation requires in addition to a key (docs/protocol/transactions.md#operations). */
const kvRequiredFields: Readonly<Record<string, readonly ('Value' | 'Index' | 'Session')[]>> = {
  set: ['Value'],
  cas: ['Value', 'Index'],
  lock: ['Value', 'Session'],
  unlock: ['Value', 'Session'],
  get: [],
  'get-tree': [],
  'get-or-empty': [],
  'check-index': ['Index'],
  'check-session': ['Session'],
  'check-not-exists': [],
  delete: [],
  'delete-tree': [],
  'delete-cas': ['Index'],
};
const kvReads = ['get', 'get-tree', 'get-or-empty', 'check-index', 'check-session', 'check-not-exists'];
const catalogVerbs = ['set', 'cas', 'get', 'delete', 'delete-cas'] as const;

const verbs = {
  KV: Object.keys(kvRequiredFields),
  Node: catalogVerbs,
  Service: catalogVerbs,
  Check: catalogVerbs,
} as const;

const kvFields = ['Verb', 'Key', 'Value', 'Flags', 'Index', 'Session', 'Namespace'];
const fieldsByKind: { readonly [K in Kind]: readonly string[] } = {
  KV: kvFields,
  Node: ['Verb', 'Node'],
  Service: ['Verb', 'Node', 'Service'],
  Check: ['Verb', 'Check'],
};

/** The fields that give a value; an operation has one of them. */
export const valueFields = ['Value', 'ValueBase64', 'ValueFile'] as const;

/** The kind of an operation and its fields; undefined: it is not an operation. */
export function operationParts(
  entry: Json,
): { readonly kind: Kind; readonly members: JsonObject } | undefined {
  if (!isJsonObject(entry)) return undefined;
  const [found, ...others] = Object.entries(entry);
  if (!found || others.length > 0) return undefined;
  const [kind, members] = found;
  return isKind(kind) && isJsonObject(members) ? { kind, members } : undefined;
}

export const isWrite = (kind: Kind, { Verb }: JsonObject): boolean =>
  kind === 'KV' ? !kvReads.includes(String(Verb)) : Verb !== 'get';

/** The target of an operation: a key, a node, a service on a node, a check on a node. */
export function operationSubject(kind: Kind, members: JsonObject): string {
  const inner = isJsonObject(members[kind]) ? members[kind] : {};
  const parts = {
    KV: [members.Key],
    Node: [inner.Node ?? inner.ID],
    Service: [members.Node, inner.ID ?? inner.Service],
    Check: [inner.Node, inner.CheckID],
  }[kind];
  return parts.filter((part) => typeof part === 'string').join('/');
}

/** All problems of the structure of an operation; values and their sizes are checked later. */
export function* operationProblems(entry: Json, dialect: Dialect): Generator<string> {
  if (!isJsonObject(entry)) return yield 'expected an object';
  const kinds = Object.keys(entry);
  const [kind = ''] = kinds;
  if (kinds.length !== 1 || !isKind(kind)) {
    const found = kinds.length === 0 ? 'none' : kinds.join(', ');
    return yield `expected one field, KV, Node, Service or Check; found ${found}`;
  }
  const members = entry[kind];
  if (!isJsonObject(members)) return yield `${kind} must be an object`;
  const fields =
    kind === 'KV' && dialect === 'people' ? [...kvFields, ...valueFields.slice(1)] : fieldsByKind[kind];
  for (const name of Object.keys(members))
    if (!fields.includes(name))
      yield `unknown field "${name}" in ${kind}; valid fields: ${fields.join(', ')}`;
  const { Verb } = members;
  if (typeof Verb !== 'string') return yield 'Verb is required and must be a string';
  if (!verbs[kind].some((verb) => verb === Verb))
    return yield `unknown ${kind} verb "${Verb}"; valid verbs: ${verbs[kind].join(', ')}`;
  if (kind === 'KV') yield* kvProblems(members, Verb, dialect);
  else yield* catalogProblems(kind, members, Verb);
}

function* kvProblems(members: JsonObject, verb: string, dialect: Dialect): Generator<string> {
  const needs = kvRequiredFields[verb] ?? [];
  yield* requireTextProblem(members, 'Key');
  const values = valueFields.filter((name) => isGiven(members[name]));
  for (const name of values) if (typeof members[name] !== 'string') yield notTextProblem(name);
  if (values.length > 1) yield `only one of ${values.join(' and ')} is allowed`;
  if (needs.includes('Value') && values.length === 0)
    yield dialect === 'people'
      ? `"${verb}" requires Value, ValueBase64 or ValueFile`
      : `"${verb}" requires Value, a base64 string (may be empty)`;
  if (needs.includes('Index') && !isGiven(members.Index)) yield `"${verb}" requires Index`;
  for (const name of ['Index', 'Flags']) yield* integerProblem(members, name);
  if (needs.includes('Session')) yield* requireTextProblem(members, 'Session');
  for (const name of ['Session', 'Namespace'])
    if (isGiven(members[name]) && typeof members[name] !== 'string') yield notTextProblem(name);
}

/** What the object of an operation on the catalog must have. An existing service can also be identified by its ID. */
const requirements: {
  readonly [K in Exclude<Kind, 'KV'>]: readonly (readonly [
    isMet: (object: JsonObject, verb: string) => boolean,
    what: string,
  ])[];
} = {
  Node: [[({ Node, ID }) => isName(Node) || isName(ID), 'a name (Node) or an ID']],
  Service: [
    [
      ({ Service, ID }, verb) =>
        isName(Service) || (isName(ID) && ['get', 'delete', 'delete-cas'].includes(verb)),
      'the name of the service (Service)',
    ],
  ],
  Check: [
    [({ Node }) => isName(Node), 'the name of its node (Node)'],
    [({ CheckID }) => isName(CheckID), 'a CheckID'],
  ],
};

function* catalogProblems(
  kind: keyof typeof requirements,
  members: JsonObject,
  verb: string,
): Generator<string> {
  if (kind === 'Service') yield* requireTextProblem(members, 'Node');
  const object = members[kind];
  if (!isJsonObject(object)) return yield `${kind} is required and must be an object`;
  for (const [isMet, what] of requirements[kind]) if (!isMet(object, verb)) yield `${kind} requires ${what}`;
  if (verb.endsWith('cas') && !isGiven(object.ModifyIndex)) yield `"${verb}" requires ModifyIndex in ${kind}`;
  yield* integerProblem(object, 'ModifyIndex');
}

function* requireTextProblem(members: JsonObject, name: string): Generator<string> {
  if (!isName(members[name])) yield `${name} is required and must be a string that is not empty`;
}

const maxUint64 = 2n ** 64n - 1n;

function* integerProblem(members: JsonObject, name: string): Generator<string> {
  const value = members[name];
  if (!isGiven(value)) return;
  const isWhole = typeof value === 'bigint' || Number.isSafeInteger(value);
  if (!isWhole || BigInt(value as number) < 0n || BigInt(value as number) > maxUint64)
    yield `${name} must be an integer from 0 to ${maxUint64}`;
}

const notTextProblem = (name: string): string =>
  `${name} must be a string; quote numbers and words like true`;
const isGiven = (value: Json | undefined): value is Exclude<Json, null> =>
  value !== undefined && value !== null;
const isName = (value: Json | undefined): boolean => typeof value === 'string' && value !== '';
const isKind = (name: string): name is Kind => Object.hasOwn(verbs, name);
const isJsonObject = (value: Json | undefined): value is JsonObject => isObject(value);
