import { usage } from '../errors.ts';
import type { FieldFlag, ObjectSchema, Schema } from '../objects/schema.ts';
import type { Json } from '../wire/json.ts';
import { isObject } from '../wire/objects.ts';
import { type Flag, type FlagTable, flag } from './command.ts';

/** A field that has a flag. */
export interface FlagField {
  /** Of the flag: `allowUserCertificates`. */
  readonly key: string;
  /** Of the flag: `allow-user-certificates`. */
  readonly name: string;
  /** Names of fields, from the outside in. */
  readonly path: readonly string[];
  readonly schema: Schema;
  readonly settings: FieldFlag;
  /** `--unset` resets it. */
  readonly isResettable: boolean;
}

/** The values of flags. */
export type Given = Readonly<Record<string, unknown>>;
/** Fields by the names of the service. */
export type Fields = Readonly<Record<string, Json>>;

/** The fields that have a flag, in the order of the declaration. */
export function flagFields(
  { properties, required = [] }: ObjectSchema,
  path: readonly string[] = [],
): readonly FlagField[] {
  return Object.entries(properties).flatMap(([fieldName, schema]): readonly FlagField[] => {
    if (schema.flag === false) return [];
    const fieldPath = [...path, fieldName];
    if (schema.type === 'object' && schema.flag === undefined) return flagFields(schema, fieldPath);
    const { flag: settings = {} } = schema;
    const { name = kebabCase(fieldName) } = settings;
    const isKept = settings.isKept || schema.isImmutable || required.includes(fieldName);
    return [{ key: camelCase(name), name, path: fieldPath, schema, settings, isResettable: !isKept }];
  });
}

/** `MaxTokenTTL` and `max_token_ttl` → `max-token-ttl` */
const kebabCase = (name: string): string =>
  name
    .replaceAll('_', '-')
    .replace(/([a-z\d])([A-Z])/g, '$1-$2')
    .toLowerCase();

const camelCase = (name: string): string =>
  name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/** The flags of the fields of an object. */
export const flagsOf = (schema: ObjectSchema): FlagTable =>
  Object.fromEntries(flagFields(schema).map((each) => [each.key, flagOf(each)]));

/** `--unset`: resets fields of an object to their defaults, by the names of their flags, with or without `--`. */
export function unsetFlagFor(schema: ObjectSchema): Flag<readonly string[]> {
  const names = flagFields(schema).flatMap(({ name, isResettable }) => (isResettable ? [name] : []));
  const list = flag.list('FLAG', 'reset the field of a flag; repeatable', { completes: names });
  return {
    ...list,
    parse: (values, flagName) =>
      (list.parse(values, flagName) ?? []).map((given) => {
        const name = given.replace(/^--/, '');
        if (names.includes(name)) return name;
        throw usage(`invalid ${flagName} "${given}": expected one of ${names.join(', ')}`);
      }),
  };
}

function flagOf({ schema, settings }: FlagField): Flag<unknown> {
  const { value, isNeverEmpty, isRepeated, help = helpOf(schema), aliases, completes, choices } = settings;
  const options = { ...(aliases && { aliases }), ...(completes !== undefined && { completes }) };
  switch (schema.type) {
    case 'string':
      if (choices ?? schema.enum) return flag.choice(choices ?? schema.enum ?? [], help, options);
      if (schema.isSecret) return flag.source(help, '', value);
      return (isNeverEmpty ? flag.name : flag.text)(value ?? 'TEXT', help, options);
    case 'duration':
      return flag.duration(help, options);
    case 'integer':
    case 'number':
      return flag.integer(value ?? 'N', help, options);
    case 'boolean':
      return choices ? flag.choice(choices, help, options) : flag.boolean(help, options);
    case 'any':
      return flag.file('FILE|-', help);
    case 'list':
      return (isRepeated ? flag.texts : flag.list)(value ?? 'A,B', help, options);
    default:
      return flag.map(value ?? 'K=V', help, options);
  }
}

/** `Default principal.` → `default principal`; `TTL of responses.` → `TTL of responses` */
const helpOf = ({ description = '' }: Schema): string =>
  description.replace(/\.$/, '').replace(/^[A-Z](?![A-Z])/, (letter) => letter.toLowerCase());

/** A list whose flag is repeated has no items without the flag; `--tag ""` gives another list without items. */
export const isGiven = ({ key, settings }: FlagField, flags: Given): boolean => {
  const value = flags[key];
  const isAbsentList = settings.isRepeated === true && Array.isArray(value) && value.length === 0;
  return value !== undefined && value !== false && !isAbsentList;
};

/** The fields that flags give, by the names of the service, without those in sources. @throws LanyardError usage */
export const givenFields = (schema: ObjectSchema, flags: Given): Fields =>
  nested(
    flagFields(schema).flatMap((each) =>
      isGiven(each, flags) && !isSource(each)
        ? [[each.path, fieldValue(each, flags[each.key])] as const]
        : [],
    ),
  );

/** Whether the flag names what has the value: a secret, a file. */
export const isSource = ({ schema, settings }: FlagField): boolean =>
  schema.isSecret === true || schema.type === 'any' || settings.isFile === true;

/** The value that a flag gives. @throws LanyardError usage */
export function fieldValue(field: FlagField, given: unknown): Json {
  if (field.schema.type === 'boolean') return given === true || given === 'true';
  if (Array.isArray(given)) return fieldItems(field, given);
  return isObject(given) ? { ...(given as Fields) } : (given as Json);
}

/** The items that the values of a flag describe. @throws LanyardError usage */
export const fieldItems = ({ name, settings }: FlagField, values: readonly string[]): Json[] =>
  values.map((text) => {
    const { parse, value = '', expected = value } = settings;
    const item = parse ? parse(text) : text;
    if (item === undefined) throw usage(`invalid --${name} "${text}": expected ${expected}`);
    return item;
  });

/** The fields in `--unset`. @throws LanyardError usage: a flag is given, and in --unset. */
export function unsetFields(
  schema: ObjectSchema,
  flags: Given & { readonly unset: readonly string[] },
): readonly FlagField[] {
  const unset = flagFields(schema).filter(({ name }) => flags.unset.includes(name));
  const both = unset.find((each) => isGiven(each, flags))?.name;
  if (both !== undefined) throw usage(`--${both} cannot be combined with --unset ${both}`);
  return unset;
}

/** The empty values of fields. */
export const emptied = (fields: readonly FlagField[]): Fields =>
  nested(fields.map(({ path, schema }) => [path, emptyValue(schema)]));

/** The fields that flags change: given ones, and those in `--unset` with their empty values. @throws LanyardError usage */
export const changesOf = (
  schema: ObjectSchema,
  flags: Given & { readonly unset: readonly string[] },
): Fields => ({ ...emptied(unsetFields(schema, flags)), ...givenFields(schema, flags) });

function emptyValue(schema: Schema): Json {
  switch (schema.type) {
    case 'string':
      return schema.enum ? (schema.default ?? '') : '';
    case 'duration':
      return schema.unit === 'text' ? '' : '0s';
    case 'boolean':
      return false;
    case 'list':
      return [];
    case 'map':
    case 'object':
      return {};
    default:
      return schema.type === 'any' ? null : 0;
  }
}

/** An object of values at paths. */
export function nested(values: readonly (readonly [path: readonly string[], value: Json])[]): Fields {
  const fields: Record<string, Json> = {};
  for (const [path, value] of values) {
    const inner = path.slice(0, -1).reduce<Record<string, Json>>((object, name) => {
      const member = object[name] ?? {};
      object[name] = member;
      return member as Record<string, Json>;
    }, fields);
    inner[path.at(-1) ?? ''] = value;
  }
  return fields;
}
