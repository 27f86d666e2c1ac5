import { usage } from '../errors.ts';
import type { FieldFlag, ObjectSchema, Schema } from '../objects/schema.ts';
import type { Json } from '../wire/json.ts';
import { isObject } from '../wire/objects.ts';
import { type Flag, type FlagTable, flag } from './command.ts';
import type { Context } from './context.ts';
import { rejectSetAndUnset, unsetFlag } from './unset-flag.ts';

/** A field that has a flag. */
interface FlagField {
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

type Given = Readonly<Record<string, unknown>>;
type Fields = Readonly<Record<string, Json>>;

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

/** `--unset` for the fields of an object, by the names of their flags. */
export const unsetFlagFor = (schema: ObjectSchema): Flag<readonly string[]> =>
  unsetFlag(
    flagFields(schema)
      .filter(({ isResettable }) => isResettable)
      .map(({ name }) => name),
  );

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
      return flag.boolean(help, options);
    case 'list':
      return (isRepeated ? flag.texts : flag.list)(value ?? 'A,B', help, options);
    default:
      return flag.map(value ?? 'K=V', help, options);
  }
}

/** `Default principal.` → `default principal`; `TTL of responses.` → `TTL of responses` */
const helpOf = ({ description = '' }: Schema): string =>
  description.replace(/\.$/, '').replace(/^[A-Z](?![A-Z])/, (letter) => letter.toLowerCase());

const isGiven = (value: unknown): boolean =>
  value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0);

/** The fields that flags give, by the names of the service, without those in sources. @throws LanyardError usage */
export const givenFields = (schema: ObjectSchema, flags: Given): Fields =>
  nested(
    flagFields(schema).flatMap((each) =>
      isGiven(flags[each.key]) && !isSource(each)
        ? [[each.path, fieldValue(each, flags[each.key])] as const]
        : [],
    ),
  );

/** The same with the values of secrets and files. */
export async function readFields(
  schema: ObjectSchema,
  flags: Given,
  ctx: Pick<Context, 'input' | 'files'>,
): Promise<Fields> {
  const given = flagFields(schema).filter(({ key }) => isGiven(flags[key]));
  const read = given.map(async (each) => {
    const value = fieldValue(each, flags[each.key]);
    return [each.path, isSource(each) ? await readSource(each, value, ctx) : value] as const;
  });
  return nested(await Promise.all(read));
}

const isSource = ({ schema, settings }: FlagField): boolean =>
  schema.isSecret === true || settings.isFile === true;

/** Maximum size of a file in bytes. */
const maxBytes = 1024 * 1024;

async function readSource(
  { schema: { isSecret }, settings: { secret = '' } }: FlagField,
  given: Json,
  ctx: Pick<Context, 'input' | 'files'>,
): Promise<Json> {
  const read = async (source: string): Promise<string> => {
    if (isSecret) return ctx.input.readSecret(source, secret);
    if (!source.startsWith('@')) return source;
    return new TextDecoder().decode(await ctx.files.readBytes(source.slice(1), 'the file', maxBytes));
  };
  return Array.isArray(given) ? Promise.all(given.map((each) => read(String(each)))) : read(String(given));
}

function fieldValue({ name, settings: { parse, value = '' } }: FlagField, given: unknown): Json {
  if (Array.isArray(given) && parse)
    return given.map((text) => {
      const item = parse(text);
      if (item === undefined)
        throw usage(`invalid --${name} "${text}": expected ${value.replaceAll('|', ' or ')}`);
      return item;
    });
  return Array.isArray(given) ? [...given] : isObject(given) ? { ...(given as Fields) } : (given as Json);
}

/** The fields in `--unset`. @throws LanyardError usage: a flag is given, and in --unset. */
export function unsetFields(
  schema: ObjectSchema,
  flags: Given & { readonly unset: readonly string[] },
): readonly FlagField[] {
  const fields = flagFields(schema);
  rejectSetAndUnset(
    (name) => fields.some((each) => each.name === name && isGiven(flags[each.key])),
    flags.unset,
  );
  return fields.filter(({ name }) => flags.unset.includes(name));
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

function nested(values: readonly (readonly [path: readonly string[], value: Json])[]): Fields {
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
