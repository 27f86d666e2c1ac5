import { parseJson } from '../../../wire/json.ts';
import { isObject } from '../../../wire/objects.ts';
import { mergeFields, type OutputFields } from './output-fields.ts';
import { type GrantType, isAction, isGrantType } from './types.ts';

/**
 * A grant of a role: what may be done with which resources. Its text is JSON, or fields separated by semicolons, such
 * as `ids=*;type=account;actions=read,list;output_fields=id` (the format of Boundary 0.21, `internal/perms/grants.go`).
 */
export interface Grant {
  /** The single ID of the earlier format, which is only read. */
  readonly id?: string;
  /** IDs, templates of IDs such as `{{.User.Id}}`, or only `*`; none: a collection. */
  readonly ids: readonly string[];
  readonly type?: GrantType;
  /** Sorted; empty: the grant only states output fields. */
  readonly actions: readonly string[];
  /** Absent: not stated; empty: no field. */
  readonly outputFields?: OutputFields;
}

/** A text that is no grant. Its message is the cause, a clause. */
export class GrantError extends Error {}

const fail = (cause: string): never => {
  throw new GrantError(cause);
};

const quoted = (text: string): string => JSON.stringify(text);

/** Reads the text of a grant. Unknown fields are ignored, as in the product. @throws GrantError */
export function parseGrant(text: string): Grant {
  if (text === '') fail('missing grant string');
  const {
    id,
    ids = [],
    type,
    actions,
    outputFields,
  } = text.startsWith('{') ? fromJson(text) : fromText(text);
  if (id !== undefined && ids.length > 0) fail(`contains both "id" and "ids" fields`);
  if (ids.length > 1 && ids.includes('*'))
    fail(`contains both wildcard and non-wildcard values in "ids" field`);
  return {
    ...(id !== undefined && { id }),
    ids,
    ...(type !== undefined && { type: typeOf(type) }),
    actions: checkedActions(actions ?? [], outputFields !== undefined),
    ...(outputFields && { outputFields: mergeFields(new Set(), new Set(outputFields)) as OutputFields }),
  };
}

/** The fields of a grant as its text has them. */
interface GrantText {
  id?: string;
  ids?: string[];
  type?: string;
  actions?: string[];
  outputFields?: string[];
}

function fromText(text: string): GrantText {
  const read: GrantText = {};
  for (const segment of text.split(';')) {
    const [name = '', value = '', ...others] = segment.split('=');
    if (others.length > 0 || !segment.includes('='))
      fail(`segment ${quoted(segment)} not formatted correctly, wrong number of equal signs`);
    if (name === '') fail(`segment ${quoted(segment)} not formatted correctly, missing key`);
    if (value === '' && name !== 'output_fields')
      fail(`segment ${quoted(segment)} not formatted correctly, missing value`);
    const items = value.split(',');
    if (name === 'id') read.id = items.length === 1 ? value : fail('ID cannot contain a comma');
    if (name === 'ids') read.ids = items.includes('') ? fail('empty ID provided') : items;
    if (name === 'type') read.type = value.toLowerCase();
    if (name === 'actions')
      read.actions = items.includes('')
        ? fail('empty action found')
        : items.map((action) => action.toLowerCase());
    if (name === 'output_fields')
      read.outputFields = [...(read.outputFields ?? []), ...(value === '' ? [] : items)];
  }
  return read;
}

function fromJson(text: string): GrantText {
  const value = jsonOf(text);
  if (!isObject(value)) return fail('expected a JSON object');
  const has = (name: string): boolean => Object.hasOwn(value, name);
  const read: GrantText = {};
  if (has('id')) read.id = idOf(value.id, 'id');
  if (has('ids')) read.ids = listOf(value.ids, 'ids').map((id) => idOf(id, 'ids'));
  if (has('type'))
    read.type = typeof value.type === 'string' ? value.type : fail('unable to interpret "type" as string');
  if (has('actions'))
    read.actions = listOf(value.actions, 'actions').map((each) => {
      const action = itemOf(each, 'action', 'actions');
      return action === '' ? fail('empty action found') : action.toLowerCase();
    });
  if (has('output_fields'))
    read.outputFields = listOf(value.output_fields, 'output_fields').map((each) =>
      itemOf(each, 'output fields', 'output_fields'),
    );
  return read;
}

function jsonOf(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return fail('invalid JSON');
  }
}

const listOf = (value: unknown, name: string): unknown[] =>
  Array.isArray(value) ? value : fail(`unable to interpret "${name}" as array`);

function itemOf(value: unknown, what: string, list: string): string {
  if (typeof value !== 'string') return fail(`unable to interpret an element of the ${list} array as string`);
  return /[,;=]/.test(value) ? fail(`${what} cannot contain a comma, semicolon or equals sign`) : value;
}

function idOf(value: unknown, name: string): string {
  if (typeof value !== 'string') return fail(`unable to interpret "${name}" as string`);
  if (value === '') return fail('empty ID provided');
  return itemOf(value, 'ID', name);
}

const typeOf = (text: string): GrantType =>
  isGrantType(text) ? text : fail(`unknown type specifier ${quoted(text)}`);

function checkedActions(actions: readonly string[], statesFields: boolean): string[] {
  if (actions.length === 0 && !statesFields) fail('missing actions');
  for (const action of actions) if (!isAction(action)) fail(`unknown action ${quoted(action)}`);
  const unique = [...new Set(actions)].sort();
  return unique.length > 1 && unique.includes('*')
    ? fail('"*" cannot be specified with other actions')
    : unique;
}

const templates: { readonly [name: string]: 'user' | 'account' } = {
  'user.id': 'user',
  '.User.Id': 'user',
  'account.id': 'account',
  '.Account.Id': 'account',
};

/** Whose ID replaces a template; undefined: not a template. @throws GrantError: an unknown template */
export function templateOf(id: string, field: 'id' | 'ids' = 'ids'): 'user' | 'account' | undefined {
  if (!id.startsWith('{{')) return undefined;
  const name = id.slice(2).replace(/\}\}$/, '').trim();
  return (
    (Object.hasOwn(templates, name) && templates[name]) ||
    fail(`unknown template ${quoted(id)} in grant "${field}" value`)
  );
}

/** The text that is the same for all texts of a grant; two of a role must differ in it. */
export function canonicalGrant({ id, ids, type, actions, outputFields }: Grant): string {
  return [
    ...(id === undefined ? [] : [`id=${id}`]),
    ...(ids.length === 0 ? [] : [`ids=${ids.join(',')}`]),
    ...(type === undefined ? [] : [`type=${type}`]),
    ...(actions.length === 0 ? [] : [`actions=${actions.join(',')}`]),
    ...(outputFields ? [`output_fields=${[...outputFields].sort().join(',')}`] : []),
  ].join(';');
}
