import { isObject, memberOf } from '../../wire/objects.ts';

/** The fields of a grant, as they are written. A field that is absent is undefined. */
export interface GrantFields {
  readonly ids: readonly string[] | undefined;
  readonly type: string | undefined;
  readonly actions: readonly string[] | undefined;
  readonly output_fields: readonly string[] | undefined;
}

/** A grant that the service would reject, or whose fields it would ignore. */
export class GrantError extends Error {
  /** Of the grant, counted from 0; undefined: the complete grant. */
  readonly offset: number | undefined;

  constructor(message: string, offset?: number) {
    super(message);
    this.offset = offset;
  }
}

/** The fields of a grant, and the offset of each in its text. */
export interface ParsedGrant {
  readonly fields: GrantFields;
  readonly offsetOf: (field: keyof GrantFields) => number | undefined;
}

const names = ['ids', 'type', 'actions', 'output_fields'] as const;

/**
 * Splits a grant into its fields, in both forms of Boundary: `ids=*;type=user;actions=read,list`, and the same as a
 * JSON object.
 *
 * @throws GrantError
 */
export function parseGrant(text: string): ParsedGrant {
  if (text.trim() === '') throw new GrantError('the grant is empty');
  return text.startsWith('{') ? parseJson(text) : parseText(text);
}

function parseText(text: string): ParsedGrant {
  const values = new Map<string, { readonly value: string; readonly offset: number }>();
  let offset = 0;
  for (const segment of text.split(';')) {
    const parts = segment.split('=');
    const [name = '', value = ''] = parts;
    if (segment.trim() === '') throw new GrantError('empty field: remove the ";"', offset);
    if (parts.length !== 2) throw new GrantError(`invalid field "${segment}": expected NAME=VALUE`, offset);
    checkName(name, offset);
    if (values.has(name)) throw new GrantError(`duplicate field "${name}"`, offset);
    if (value === '' && name !== 'output_fields')
      throw new GrantError(`field "${name}" has no value`, offset);
    values.set(name, { value, offset: offset + name.length + 1 });
    offset += segment.length + 1;
  }
  const listed = (name: keyof GrantFields) => {
    const found = values.get(name);
    return found && itemsOf(name, found.value, found.offset);
  };
  return {
    fields: {
      ids: listed('ids'),
      type: values.get('type')?.value.toLowerCase(),
      actions: listed('actions')?.map((each) => each.toLowerCase()),
      output_fields: listed('output_fields'),
    },
    offsetOf: (name) => values.get(name)?.offset,
  };
}

function itemsOf(name: string, value: string, start: number): readonly string[] {
  if (value === '') return [];
  let offset = start;
  return value.split(',').map((item) => {
    checkItem(name, item, offset);
    offset += item.length + 1;
    return item;
  });
}

function checkItem(name: string, item: string, offset?: number): void {
  if (item === '') throw new GrantError(`"${name}" has an empty value`, offset);
  if (item !== item.trim()) throw new GrantError(`"${name}" has white space at "${item}"`, offset);
}

/** The service ignores fields that it does not know: the grant would be another one. */
function checkName(name: string, offset?: number): void {
  if (name === 'id') throw new GrantError('the field "id" is no longer supported, use "ids"', offset);
  if (names.some((each) => each === name)) return;
  throw new GrantError(`unknown field "${name}": expected ${names.join(', ')}`, offset);
}

function parseJson(text: string): ParsedGrant {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new GrantError(`invalid JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (!isObject(value)) throw new GrantError('invalid JSON: expected an object');
  for (const name of Object.keys(value)) checkName(name);
  const listed = (name: keyof GrantFields): readonly string[] | undefined => {
    const items = memberOf(value, name);
    if (items === undefined) return undefined;
    if (!Array.isArray(items) || !items.every((each) => typeof each === 'string'))
      throw new GrantError(`invalid "${name}": expected a list of texts`);
    for (const item of items) {
      checkItem(name, item);
      if (/[,;=]/.test(item))
        throw new GrantError(`"${name}" must not contain a comma, semicolon or equals sign`);
    }
    return items;
  };
  const type = memberOf(value, 'type');
  if (type !== undefined && typeof type !== 'string') throw new GrantError('invalid "type": expected a text');
  return {
    fields: {
      ids: listed('ids'),
      type,
      actions: listed('actions')?.map((each) => each.toLowerCase()),
      output_fields: listed('output_fields'),
    },
    offsetOf: () => undefined,
  };
}
