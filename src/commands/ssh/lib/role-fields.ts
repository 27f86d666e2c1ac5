import { flag, type Values } from '../../../command/command.ts';
import {
  flagFields,
  flagsOf,
  givenFields,
  unsetFields,
  unsetFlagFor,
} from '../../../command/object-flags.ts';
import { usage } from '../../../errors.ts';
import { asSent, fieldOf } from '../../../objects/schema.ts';
import { type SshRoleFields, sshRole } from '../../../objects/ssh-role.ts';
import { isEqual } from '../../../output/diff.ts';
import { formatDuration, parseDuration } from '../../../wire/duration.ts';
import { compact, isObject } from '../../../wire/objects.ts';

/** The fields of a role by the names of the service, those without a flag too. */
export type RoleFields = Readonly<Record<string, unknown>>;

/** The flags of `ssh role put`. */
export const roleFlags = {
  ...flagsOf(sshRole),
  unset: unsetFlagFor(sshRole),
  replace: flag.boolean('reset all other fields to their defaults'),
};

type RoleFlags = Values<typeof roleFlags>;

/** What flags change in a role. */
export interface RoleChange {
  /** The type that is given, if any. */
  readonly type: string | undefined;
  readonly given: RoleFields;
  /** The fields of --unset. */
  readonly unset: readonly string[];
  /** @throws LanyardError usage: a flag that roles of the type do not support. */
  readonly rejectOtherFlags: (type: string, isNew: boolean) => void;
}

/** @throws LanyardError usage: a flag is in --unset too, or roles of the given type do not support it. */
export function roleChange(flags: RoleFlags): RoleChange {
  const { key_type, ...given } = asSent(sshRole, givenFields(sshRole, flags));
  const unset = unsetFields(sshRole, flags).flatMap(({ path }) => path);
  const rejectOtherFlags = (type: string, isNew: boolean): void => {
    const named = flagFields(sshRole).filter(
      ({ path: [field = ''] }) => field in given || unset.includes(field),
    );
    const unexpected = named.find(({ schema: { types = ['ca'] } }) => !types.includes(type));
    if (unexpected === undefined) return;
    throw usage(
      `--${unexpected.name} is not supported by roles of type ${type}`,
      isNew ? { hint: `Use it with --key-type ${type === 'ca' ? 'otp' : 'ca'}.` } : {},
    );
  };
  const type = key_type as string | undefined;
  if (type) rejectOtherFlags(type, true);
  return { type, given, unset, rejectOtherFlags };
}

/** A role after a change. A write replaces the role, so that a field that is unset is left out. */
export const mergedRole = (
  current: RoleFields | undefined,
  type: string,
  { given, unset }: RoleChange,
): SshRoleFields => {
  const kept = Object.entries(current ?? {}).filter(([name]) => !unset.includes(name));
  return { ...compact(Object.fromEntries(kept)), ...given, key_type: type } as SshRoleFields;
};

/** A role for comparisons and for output: durations and key sizes in the notation of flags. */
export const shownRole = (role: object): RoleFields =>
  Object.fromEntries(Object.entries(role).map(([name, value]) => [name, shownValue(name, value)]));

function shownValue(name: string, value: unknown): unknown {
  const field = fieldOf(sshRole, name);
  if (field?.type === 'duration')
    return formatDuration(parseDuration(value as string | number) ?? Number.NaN);
  if (field?.type !== 'map' || !isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, String(item)]));
}

/** Whether a stored role has all of these fields. */
export function hasFields(stored: object, fields: object): boolean {
  const shown = shownRole(stored);
  return Object.entries(shownRole(fields)).every(([name, value]) => isEqual(shown[name], value));
}
