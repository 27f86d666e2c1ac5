import { usage } from '../errors.ts';
import type { Definitions } from '../io/definition-file.ts';
import type { ObjectSchema, Schema } from '../objects/schema.ts';
import type { Json } from '../wire/json.ts';
import { isObject } from '../wire/objects.ts';
import type { Context } from './context.ts';
import {
  type Fields,
  type FlagField,
  fieldValue,
  flagFields,
  type Given,
  isGiven,
  isSource,
  nested,
} from './object-flags.ts';

/** The fields that flags give, with the values of secrets and files. @throws LanyardError usage */
export async function readFields(
  schema: ObjectSchema,
  flags: Given,
  ctx: Pick<Context, 'input' | 'files'>,
): Promise<Fields> {
  const given = flagFields(schema).filter((each) => isGiven(each, flags));
  const read = given.map(async (each) => {
    const value = fieldValue(each, flags[each.key]);
    return [each.path, isSource(each) ? await readSource(each, value, ctx) : value] as const;
  });
  return nested(await Promise.all(read));
}

/** Maximum size of a text in bytes. */
const maxBytes = 1024 * 1024;

async function readSource(
  { schema, settings: { what = '' } }: FlagField,
  given: Json,
  ctx: Pick<Context, 'input' | 'files'>,
): Promise<Json> {
  if (Array.isArray(given))
    return Promise.all(given.map((each) => readText(String(each), schema, what, ctx)));
  return schema.type === 'any'
    ? readObject(String(given), what, ctx.input)
    : readText(String(given), schema, what, ctx);
}

const readText = (
  source: string,
  { isSecret }: Schema,
  what: string,
  ctx: Pick<Context, 'input' | 'files'>,
): Promise<string> => (isSecret ? ctx.input.readSecret(source, what) : readTextSource(source, what, ctx));

/**
 * A text: literal, from a file (`@FILE`) or from standard input (`-`).
 *
 * @throws LanyardError usage: the file cannot be read, or is not UTF-8.
 */
export async function readTextSource(
  source: string,
  what: string,
  { input, files }: Pick<Context, 'input' | 'files'>,
): Promise<string> {
  if (source !== '-' && !source.startsWith('@')) return source;
  const bytes =
    source === '-' ? await input.readStdin() : await files.readBytes(source.slice(1), what, maxBytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw usage(`invalid ${what}: ${source === '-' ? 'standard input' : source.slice(1)} is not valid UTF-8`);
  }
}

/** The only definition of a text, which must be an object. @throws LanyardError usage */
export function onlyObject(
  { name, definitions: [definition, ...others] }: Definitions,
  what: string,
): Fields {
  if (isObject(definition?.value) && others.length === 0) return definition.value as Fields;
  throw usage(`invalid ${what} in ${name}: expected one object`);
}

/** The only object of a file in JSON or YAML. @throws LanyardError usage */
async function readObject(
  file: string,
  what: string,
  input: Pick<Context['input'], 'readDefinitions'>,
): Promise<Json> {
  const { name, definitions } = await input.readDefinitions(file);
  const [definition, ...others] = definitions;
  if (!definition || others.length > 0)
    throw usage(`invalid ${what} in ${name}: expected one object, got ${definitions.length}`);
  if (!isObject(definition.value)) throw usage(`invalid ${what} in ${name}: expected an object`);
  return definition.value as Json;
}
