import { flag, type Values } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import { emptied, flagsOf, givenFields, unsetFields, unsetFlagFor } from '../../../command/object-flags.ts';
import { onlyObject, readFields } from '../../../command/read-fields.ts';
import { registryAuthMethod } from '../../../objects/registry-auth-method.ts';
import type { ObjectSchema, Schema } from '../../../objects/schema.ts';
import type { Change } from '../../../output/diff.ts';
import { parseDuration } from '../../../wire/duration.ts';
import type { Json } from '../../../wire/json.ts';
import { isObject } from '../../../wire/objects.ts';
import { type Fields, writableFields } from './fields.ts';

const { Config: config, ...properties } = registryAuthMethod.properties;
const ownFields: ObjectSchema = { type: 'object', properties };

/** The flags of an auth method. */
export const methodFlags = {
  ...flagsOf(ownFields),
  config: flag.file('FILE|-', 'settings of the type (Config) as JSON or YAML, replacing the existing ones'),
  in: flag.file('FILE|-', 'all fields as JSON or YAML, as "acl auth-method get -o json" prints them'),
  ...flagsOf(config),
  unset: unsetFlagFor(registryAuthMethod),
};

type MethodFlags = Values<typeof methodFlags>;

/** What files and flags give. */
interface GivenFields {
  /** Of the file, then of flags. */
  readonly fields: Fields;
  /** Undefined: the existing Config is kept. */
  readonly config: Fields | undefined;
  /** Fields of Config that flags change. */
  readonly configChange: Fields;
}

/** Reads files and flags; flags override the file. @throws LanyardError usage */
export async function readMethodFields(flags: MethodFlags, ctx: Context): Promise<GivenFields> {
  const file = flags.in === undefined ? {} : writableFields(await readObject(flags.in, ctx));
  const { Config, ...fields } = file;
  const { Config: unset, ...emptiedFields } = emptied(unsetFields(registryAuthMethod, flags));
  return {
    fields: { ...fields, ...emptiedFields, ...givenFields(ownFields, flags) },
    config:
      flags.config !== undefined
        ? await readObject(flags.config, ctx)
        : isObject(Config)
          ? (Config as Fields)
          : undefined,
    configChange: { ...objectOf(unset), ...(await readFields(config, flags, ctx)) },
  };
}

/** The fields of a method after the change. */
export function changedMethod(before: Fields, { fields, config, configChange }: GivenFields): Fields {
  const seconds = (ttl: unknown) => (typeof ttl === 'string' ? parseDuration(ttl) : undefined);
  const { MaxTokenTTL: existing } = before;
  const ttl = seconds(fields.MaxTokenTTL);
  // The service returns 1h as 1h0m0s.
  const isSameTtl = ttl !== undefined && ttl === seconds(existing);
  return {
    ...fields,
    ...(isSameTtl ? { MaxTokenTTL: existing } : {}),
    ...(ttl === 0 ? { MaxTokenTTL: null } : {}),
    Config: withoutUnset({ ...(config ?? objectOf(before.Config)), ...configChange }, configChange),
  };
}

/** The fields without those that a change sets to an empty value. */
function withoutUnset(fields: Fields, change: Fields): Fields {
  const set = writableFields(change);
  const isKept = (name: string) => !Object.hasOwn(change, name) || Object.hasOwn(set, name);
  return Object.fromEntries(Object.entries(fields).filter(([name]) => isKept(name)));
}

const objectOf = (value: Json | undefined): Fields => (isObject(value) ? (value as Fields) : {});

const readObject = async (file: string, ctx: Context): Promise<Fields> =>
  onlyObject(await ctx.input.readDefinitions(file), 'auth method');

/** Fields of Config that are secrets. */
const secretFields = [
  'oidcclientassertion',
  ...Object.entries<Schema>(config.properties).flatMap(([name, { isSecret }]) =>
    isSecret ? [name.toLowerCase()] : [],
  ),
];
const isSecret = (name: string): boolean => secretFields.includes(name.toLowerCase());

/** A method for output, without its secrets. */
export const withoutSecrets = <Method extends { readonly Config?: unknown }>(method: Method): Method =>
  isObject(method.Config)
    ? {
        ...method,
        Config: Object.fromEntries(
          Object.entries(method.Config).map(([name, value]) => [
            name,
            isSecret(name) && value ? '<redacted>' : value,
          ]),
        ),
      }
    : method;

/** Changes for output, without secrets. */
export const hideSecrets = (changes: readonly Change[]): readonly Change[] =>
  changes.map((change) =>
    change.path.some(isSecret)
      ? { ...change, before: change.before && '<redacted>', after: change.after && '<redacted>' }
      : {
          ...change,
          before: hideWithin(change.path, change.before),
          after: hideWithin(change.path, change.after),
        },
  );

const hideWithin = (path: readonly string[], value: unknown): unknown =>
  path[0] === 'Config' && path.length === 1 && isObject(value)
    ? withoutSecrets({ Config: value }).Config
    : value;
