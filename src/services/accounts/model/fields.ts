import { formatJson, type Json } from '../../../wire/json.ts';
import { isObject } from '../../../wire/objects.ts';
import * as s from '../../core/schema/types.ts';

/** Maximum characters of a string, and of the JSON of an object or list. */
const maxTextLength = 4_096;
const maxJsonLength = 65_536;

/** @throws Error: longer than the limit */
export function limitedText(text: string): string {
  if (text.length > maxTextLength) throw new Error(`This field has at most ${maxTextLength} characters.`);
  return text;
}

/** @throws Error: longer than the limit */
export function limitedJson<Value extends Json>(value: Value): Value {
  if (formatJson(value).length > maxJsonLength)
    throw new Error(`This field has at most ${maxJsonLength} characters of JSON.`);
  return value;
}

/** An integer from 1, as a number or, as in the JSON of Protocol Buffers, as text; undefined: another value. */
export function positiveInteger(value: Json): number | undefined {
  const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number > 0 ? number : undefined;
}

/** A text that is trimmed, and neither empty nor unprintable; null: none. */
const label = (name: string, printable: RegExp, description: string) =>
  s.omitEmpty(
    s.nullable(
      s.converted(s.string(description), (value) => {
        if (typeof value !== 'string') return undefined;
        const text = value.trim();
        if (text === '') throw new Error(`Cannot set empty string as ${name.toLowerCase()}`);
        if (!printable.test(text)) throw new Error(`${name} contains unprintable characters`);
        return limitedText(text);
      }),
    ),
  );

/** What describes a resource, in rows, requests and responses. */
export const labels = {
  name: label('Name', /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]*$/u, 'Printable characters; null: none.'),
  description: label('Description', /^[\p{L}\p{M}\p{N}\p{P}\p{S}\p{White_Space}]*$/u, 'Null: none.'),
};

/** A string that may be empty. */
export const anyText = (description?: string) =>
  s.converted(s.string(description), (value) => (typeof value === 'string' ? limitedText(value) : undefined));

/** An object with any fields. */
export const anyObject = (description?: string) =>
  s.converted(s.map(s.json(), description), (value) => (isObject(value) ? limitedJson(value) : undefined));

/** The attributes of a type; a request has those of the resource's type, which `readAttributes` reads. */
export const attributesOf = <T extends s.ObjectType>(type: T): T => ({
  ...type,
  convert: (value) => (isObject(value) ? value : undefined),
});

const isReadOnly = 'This is a read only field.';

export const readOnlyId = s.responseOnly(s.string(), isReadOnly);

export const times = {
  created_time: s.responseOnly(s.time(), isReadOnly),
  updated_time: s.responseOnly(s.time(), isReadOnly),
  version: s.responseOnly(
    s.integer('The version to send with the next change.', { minimum: 1 }),
    'Cannot specify this field in a create request.',
  ),
};

/** The version that the caller knows; 0 counts as missing. */
export const knownVersion = (missing = 'Existing resource version is required for an update.') => {
  const text = 'The current version, as a number or as text. If another request has changed the object: 404.';
  const version = s.json(text, { anyOf: [{ type: 'integer', minimum: 1 }, { type: 'string' }] });
  const convert = (value: Json): number => {
    if (value === 0) throw new Error(missing);
    const known = positiveInteger(value);
    if (known === undefined) throw new Error('This field must be a positive integer.');
    return known;
  };
  return s.required(s.converted(version, convert) as s.Type<number> & { readonly kind: 'json' }, missing);
};

const notInUpdates = s.responseOnly(
  s.string(),
  'This is a read only field and cannot be specified in an update request.',
);

/** An update: the version that the caller knows, and what changes; null unsets a field. */
export const updateOf = <const F extends s.Fields>(resource: string, fields: F) =>
  s.named(
    `${resource}Update`,
    s.object({
      ...s.each(['id', 'created_time', 'updated_time'], notInUpdates),
      version: knownVersion(),
      ...s.partial(fields),
    }),
  );

export const actions = s.responseOnly(s.list(s.string(), 'Actions that the caller may use.'));
export const collectionActions = s.responseOnly(
  s.omitEmpty(s.map(s.list(s.string()), 'Actions on collections that the caller may use.')),
);

export const scopeType = s.oneOf(['global', 'org', 'project']);

export const scopeInfo = s.responseOnly(
  s.named(
    'ScopeInfo',
    s.object({
      id: s.string(),
      type: s.omitEmpty(scopeType),
      ...labels,
      parent_scope_id: s.omitEmpty(s.string()),
    }),
  ),
);
