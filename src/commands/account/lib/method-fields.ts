import type { AuthMethod } from '../../../api/accounts.ts';
import type { Context } from '../../../command/context.ts';
import {
  type FlagField,
  flagFields,
  flagsOf,
  type Given,
  isGiven,
  nested,
  unsetFields,
} from '../../../command/object-flags.ts';
import { readFields } from '../../../command/read-fields.ts';
import { usage } from '../../../errors.ts';
import { type AccountType, accountAuthMethod } from '../../../objects/account-auth-method.ts';
import { fieldOf, type Schema } from '../../../objects/schema.ts';
import { type Change, diff, isEqual } from '../../../output/diff.ts';
import type { Json } from '../../../wire/json.ts';
import type { Labels } from './access/label-update.ts';
import type { Fields } from './fields.ts';

/** Fields of an auth method that flags give; null unsets one. */
export interface MethodFields {
  /** Name and description. */
  readonly labels: Labels;
  /** The settings of the type. */
  readonly attributes: Fields;
  /** The state of type oidc, which a request of its own changes. */
  readonly state: string | undefined;
}

type MethodFlags = Given & { readonly unset: readonly string[] };

/** The flags of the fields of an auth method. */
export const methodFlags = flagsOf(accountAuthMethod);

const { attributes: settings } = accountAuthMethod.properties;

/** Whether a flag of a field is given, also in `--unset`. */
const namedFields = (flags: MethodFlags): readonly FlagField[] =>
  flagFields(accountAuthMethod).filter((each) => isGiven(each, flags) || flags.unset.includes(each.name));

/** @throws LanyardError usage: no field is given. */
export function requireMethodFields(flags: MethodFlags): void {
  if (namedFields(flags).length === 0)
    throw usage('nothing to change', { hint: 'Pass a flag for each field to change.' });
}

/** The types that have a field; undefined: all. The state of type oidc is changed, but no attribute in requests. */
const typesOf = ({ key, schema }: FlagField): readonly string[] | undefined =>
  key === 'state' ? ['oidc', 'ldap'] : schema.types;

/** @throws LanyardError usage: a flag that auth methods of the type do not have. */
export function checkMethodFlags(type: AccountType, flags: MethodFlags): void {
  const other = namedFields(flags).find((each) => typesOf(each)?.includes(type) === false);
  if (other === undefined) return;
  throw usage(`--${other.name} is not supported by auth methods of type ${type}`, {
    hint: `It applies to auth methods of type ${typesOf(other)?.join(' or ')}.`,
  });
}

/**
 * The fields given by flags, with the values of secrets and files.
 *
 * @throws LanyardError usage: a flag is also in --unset; a source cannot be read.
 */
export async function readMethodFields(
  type: AccountType | undefined,
  flags: MethodFlags,
  ctx: Pick<Context, 'input' | 'files'>,
): Promise<MethodFields> {
  const unset = unsetFields(accountAuthMethod, flags).map(({ path }) => [path, null] as const);
  const { attributes: unsetAttributes, ...unsetLabels } = nested(unset);
  const { attributes: given, ...labels } = await readFields(accountAuthMethod, flags, ctx);
  const attributes: Record<string, Json> = {};
  for (const [name, value] of [...entriesOf(unsetAttributes), ...entriesOf(given)])
    attributes[name] = statedValue(value);
  const { state, ...others } = attributes;
  const isOidc = type === 'oidc' && typeof state === 'string';
  return {
    labels: Object.fromEntries(
      [...entriesOf(unsetLabels), ...entriesOf(labels)].map(([name, value]) => [
        name,
        typeof value === 'string' && value !== '' ? value : null,
      ]),
    ),
    attributes: isOidc ? others : attributes,
    state: isOidc ? state : undefined,
  };
}

const entriesOf = (fields: Json | undefined): readonly (readonly [string, Json])[] =>
  Object.entries((fields ?? {}) as Fields);

/** Services reject empty texts; null unsets a field. */
function statedValue(value: Json): Json {
  if (Array.isArray(value)) {
    const items = value.filter((item) => item !== '');
    return items.length === 0 ? null : items;
  }
  return value === '' ? null : value;
}

/** The fields of a new auth method that have a value. */
export const withoutNulls = <Value>(
  fields: Readonly<Record<string, Value | null>>,
): Readonly<Record<string, Value>> =>
  Object.fromEntries(Object.entries(fields).filter((entry): entry is [string, Value] => entry[1] !== null));

/** Whether an auth method has the fields; of secrets that is unknown. */
export const hasMethodFields = (
  method: AuthMethod,
  { labels, attributes }: Pick<MethodFields, 'labels' | 'attributes'>,
): boolean => {
  const now = shownFields(method, { labels, attributes });
  return isEqual(now, shownFields({ ...method, ...trimmed(labels), attributes }, { labels, attributes }));
};

const trimmed = (labels: Labels): Record<string, string> =>
  Object.fromEntries(Object.entries(labels).map(([name, value]) => [name, value?.trim() ?? '']));

const isSecret = (name: string): boolean => fieldOf(settings, name)?.isSecret === true;

/** Whether fields have a secret, which the service never returns. */
export const hasSecret = ({ attributes }: Pick<MethodFields, 'attributes'>): boolean =>
  Object.keys(attributes).some(isSecret);

/** What differs in the given fields, and the given secrets, without their values. */
export const methodChanges = (
  before: AuthMethod,
  after: AuthMethod,
  fields: MethodFields,
): readonly Change[] => [
  ...diff(shownFields(before, fields), shownFields(after, fields)),
  ...Object.keys(fields.attributes)
    .filter(isSecret)
    .map((name) => ({ path: ['attributes', name], before: '<redacted>', after: '<redacted>' })),
];

/** The given fields of an auth method, without secrets; services omit zero values. */
function shownFields(
  method: AuthMethod,
  {
    labels,
    attributes,
    state,
  }: Pick<MethodFields, 'labels' | 'attributes'> & { readonly state?: string | undefined },
): Readonly<Record<string, unknown>> {
  const fields: Readonly<Record<string, unknown>> = method;
  const names = [
    ...Object.keys(attributes).filter((name) => !isSecret(name)),
    ...(state === undefined ? [] : ['state']),
  ];
  return {
    ...Object.fromEntries(Object.keys(labels).map((name) => [name, fields[name] || undefined])),
    attributes: Object.fromEntries(
      names.map((name) => [name, shownValue(fieldOf(settings, name), method.attributes?.[name])]),
    ),
  };
}

/** A value for comparisons and for output: no difference between absent, null and the default. */
function shownValue(schema: Schema | undefined, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => String(item).trim()).toSorted();
  const stated = typeof value === 'string' ? value.trim() : value;
  return stated || (schema?.default ?? undefined);
}
