import { type Flag, type FlagTable, flag } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import { emptied, flagFields, flagsOf, unsetFields, unsetFlagFor } from '../../../command/object-flags.ts';
import { readFields } from '../../../command/read-fields.ts';
import { account } from '../../../objects/account.ts';
import type { Json } from '../../../wire/json.ts';

/** Fields of a request: only those that were given. */
export type Fields = Readonly<Record<string, Json>>;

export const fieldFlags = flagsOf(account);

/** Texts that are cleared by null; the others are required, or set by logins. */
const clearable = flagFields(account).filter(
  ({ schema, isResettable }) => schema.type === 'string' && isResettable,
);
const clearableNames = clearable.map(({ path }) => path.at(-1) ?? '');

/** The flags for an existing account, whose fields can be cleared. */
export const changeFlags = {
  ...fieldFlags,
  ...Object.fromEntries(
    clearable.map(({ key }) => {
      const { help = '', ...flags } = fieldFlags[key] ?? {};
      return [key, { ...flags, help: `${help}; null clears it` }];
    }),
  ),
  name: flag.text('NAME', 'account name; null or "" clears it, \'"null"\' is the text null'),
  unset: unsetFlagFor(account),
} as FlagTable & { readonly unset: Flag<readonly string[]> };

export const versionFlag = flag.integer('VERSION', 'version that the account must have (default: current)');

/** Fields of an account, and its attributes. `null` clears a field. */
export interface AccountFields {
  readonly fields: Fields;
  readonly attributes: Fields;
}

/**
 * The fields given by flags.
 *
 * @param isNew an empty string is omitted; otherwise it clears the field, because a service may reject it as a value.
 */
export async function fieldsFrom(
  flags: Readonly<Record<string, unknown>> & { readonly unset?: readonly string[] },
  ctx: Context,
  { isNew }: { readonly isNew: boolean },
): Promise<AccountFields> {
  const { unset = [] } = flags;
  const cleared = emptied(unsetFields(account, { ...flags, unset }));
  const { attributes, ...fields } = await readFields(account, flags, ctx);
  const stated = (members: Fields): Fields =>
    Object.fromEntries(
      Object.entries(members).flatMap(([name, given]) => {
        const value = statedValue(name, given, isNew);
        return value === undefined ? [] : [[name, value]];
      }),
    );
  const { attributes: clearedAttributes, ...clearedFields } = cleared;
  return {
    fields: stated({ ...clearedFields, ...fields }),
    attributes: stated({ ...(clearedAttributes as Fields), ...(attributes as Fields) }),
  };
}

/** Empty strings of a list are removed: a single one clears the groups. */
function statedValue(name: string, value: Json, isNew: boolean): Json | undefined {
  if (Array.isArray(value)) return value.filter((item) => item !== '');
  if (typeof value !== 'string' || !clearableNames.includes(name)) return value;
  if (value.trim() === '') return isNew ? undefined : null;
  return unquote(value);
}

/** `null` clears a field; in double quotes it is the text `null`. */
function unquote(value: string): string | null {
  if (value === 'null') return null;
  return value === '"null"' ? 'null' : value;
}
