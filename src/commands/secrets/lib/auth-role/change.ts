import { flag } from '../../../../command/command.ts';
import type { Context } from '../../../../command/context.ts';
import {
  emptied,
  flagFields,
  flagsOf,
  type Given,
  isGiven,
  unsetFields,
  unsetFlagFor,
} from '../../../../command/object-flags.ts';
import { onlyObject, readFields } from '../../../../command/read-fields.ts';
import { usage } from '../../../../errors.ts';
import { authRole, authRoleOf } from '../../../../objects/auth-role.ts';
import type { AuthRoleType } from '../../../../objects/auth-role-types.ts';
import { fieldOf, type Schema } from '../../../../objects/schema.ts';
import { type Change, diff, isEqual } from '../../../../output/diff.ts';
import { formatDuration, parseDuration } from '../../../../wire/duration.ts';
import { isObject } from '../../../../wire/objects.ts';
import type { RoleMethod } from './method.ts';

/** Fields of a role by the names of the service, those without a flag too. */
export type RoleFields = Readonly<Record<string, unknown>>;

/** The flags of the fields of `secrets auth role put`. */
export const roleFlags = {
  ...flagsOf(authRole),
  unset: unsetFlagFor(authRole),
  in: flag.file('FILE|-', 'fields as JSON or YAML, also those without a flag'),
};

type RoleFlags = Given & { readonly unset: readonly string[]; readonly in: string | undefined };

/**
 * The fields that flags and the file change. Flags override the file.
 *
 * @throws LanyardError usage: a flag that roles of the type do not have, nothing given, unreadable sources
 */
export async function readChange(
  { type, noun }: RoleMethod,
  flags: RoleFlags,
  ctx: Pick<Context, 'input' | 'files'>,
): Promise<RoleFields> {
  const unset = unsetFields(authRole, flags);
  const named = flagFields(authRole).filter(
    (each) => isGiven(each, flags) || flags.unset.includes(each.name),
  );
  const other = named.find(({ schema: { types = [] } }) => !types.includes(type));
  if (other !== undefined)
    throw usage(`--${other.name} is not supported by ${noun}s of type ${type}`, {
      hint: `It applies to auth methods of type ${(other.schema.types ?? []).join(' or ')}.`,
    });
  const file =
    flags.in === undefined ? {} : onlyObject(await ctx.input.readDefinitions(flags.in), `the ${noun}`);
  return { ...file, ...emptied(unset), ...(await readFields(authRoleOf(type), flags, ctx)) };
}

/** Older names of `token_` fields, which services return besides them. */
const olderNames = ['policies', 'ttl', 'max_ttl', 'num_uses', 'period', 'bound_cidrs', 'explicit_max_ttl'];

/** Whether a role has a field only under its older name too. */
const isOlder = (role: RoleFields, name: string): boolean =>
  olderNames.includes(name) && Object.hasOwn(role, `token_${name}`);

/** A role without the fields that it has under another name too, and its own name. */
export const currentFields = (role: RoleFields): RoleFields =>
  Object.fromEntries(Object.entries(role).filter(([name]) => name !== 'name' && !isOlder(role, name)));

/** Types whose roles are replaced by a write: fields that are not sent are reset, in part (OpenBao) or all. */
const isReplaced = (type: AuthRoleType): boolean => type === 'jwt' || type === 'oidc';

/** Whether a write must send the other fields too, so that the role must be read. */
export const needsCurrent = ({ type }: RoleMethod): boolean => isReplaced(type);

/**
 * What to send; undefined: nothing would change.
 *
 * @param current undefined: a new role; null: it could not be read
 */
export function fieldsToSend(
  { type }: RoleMethod,
  current: RoleFields | null | undefined,
  change: RoleFields,
): RoleFields | undefined {
  if (current === undefined)
    return isReplaced(type) && change.role_type === undefined ? { role_type: type, ...change } : change;
  if (current === null) return change;
  const changed = Object.entries(change).filter(([name, value]) => !hasField(current, name, value));
  if (changed.length === 0) return undefined;
  return isReplaced(type) ? { ...writable(current), ...change } : Object.fromEntries(changed);
}

/** Services return what is not set as null. */
const writable = (role: RoleFields): RoleFields =>
  Object.fromEntries(Object.entries(role).filter(([, value]) => value !== null));

const hasField = (role: RoleFields, name: string, value: unknown): boolean =>
  isEqual(shownValue(name, role[name]), shownValue(name, value));

/** Whether a stored role has what was sent; false for what the service does not return, such as passwords. */
export const isStored = (stored: RoleFields, sent: RoleFields): boolean =>
  Object.entries(sent).every(([name, value]) => hasField(stored, name, value));

/** What differs between two states of a role, and the secrets that were sent, without their values. */
export function roleChanges(before: RoleFields, after: RoleFields, sent: RoleFields): readonly Change[] {
  const secrets = Object.keys(sent).filter((name) => fieldOf(authRole, name)?.isSecret);
  return [
    ...diff(shownRole(before), shownRole(after)),
    ...secrets.map((name) => ({ path: [name], before: '<redacted>', after: '<redacted>' })),
  ];
}

const shownRole = (role: RoleFields): RoleFields =>
  Object.fromEntries(
    Object.entries(role).flatMap(([name, value]) =>
      fieldOf(authRole, name)?.isSecret ? [] : [[name, shownValue(name, value)]],
    ),
  );

/** A value for comparisons and for output: durations with units, no difference between null, absent and empty. */
function shownValue(name: string, value: unknown): unknown {
  const schema = fieldOf(authRole, name);
  if (schema === undefined) return value ?? null;
  return value === null || value === undefined ? emptyValue(schema) : normalized(schema, value);
}

function emptyValue(schema: Schema): unknown {
  if (schema.default !== undefined) return schema.default;
  if (schema.type === 'list') return [];
  if (schema.type === 'map') return {};
  if (schema.type === 'boolean') return false;
  return schema.type === 'duration' ? '0s' : schema.type === 'integer' ? 0 : '';
}

function normalized(schema: Schema, value: unknown): unknown {
  switch (schema.type) {
    case 'duration':
      return durationText(value);
    case 'list':
      return (Array.isArray(value) ? value : String(value).split(',')).map(String).toSorted();
    case 'map':
      return isObject(value)
        ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, singleValue(item)]))
        : value;
    case 'string':
      return schema.form === 'trimmed' ? String(value).trim() : value;
    default:
      return value;
  }
}

/** Seconds, or a text that a service accepts; what is none is unchanged. */
function durationText(value: unknown): unknown {
  const seconds = typeof value === 'string' || typeof value === 'number' ? parseDuration(value) : undefined;
  return seconds === undefined ? value : formatDuration(seconds);
}

/** A claim with one value may be stated without a list. */
const singleValue = (item: unknown): unknown =>
  Array.isArray(item) && item.length === 1 ? singleValue(item[0]) : item;
