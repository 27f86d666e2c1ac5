import { flag, type Values } from '../../../command/command.ts';
import { splitList } from '../../../command/flag-values.ts';
import type { SshSettings } from '../../../config/profile.ts';
import { usage } from '../../../errors.ts';
import { compact } from '../../../wire/objects.ts';
import { toPrintable } from '../../../wire/printable.ts';

/** The flags for the defaults of the SSH commands; an empty value removes the default. */
export const sshFlags = {
  sshRole: flag.text('ROLE', 'default role of the SSH commands'),
  sshMount: flag.text('PATH', 'default mount path of the SSH engine', { completes: 'ssh-mount' }),
  sshPrincipals: flag.text('A,B', 'default principals of user certificates'),
  sshRevoked: flag.text('LOCATION', 'location of the SSH revocation list'),
  sshRecord: flag.text('LOCATION', 'location of the record of signed SSH certificates'),
} as const;

/**
 * The SSH settings after the flags of `profile put`; undefined: none are left.
 *
 * @throws LanyardError usage: an invalid role, mount, principal or location.
 */
export function changedSsh(
  before: SshSettings | undefined,
  flags: Values<typeof sshFlags>,
): SshSettings | undefined {
  const given: SshSettings = compact({
    role: checkedText(flags.sshRole, '--ssh-role', (role) => !role.includes('/')),
    mount: checkedText(flags.sshMount?.replace(/^\/+|\/+$/g, ''), '--ssh-mount', isPath),
    principals: flags.sshPrincipals === undefined ? undefined : checkedPrincipals(flags.sshPrincipals),
    revoked: checkedText(flags.sshRevoked, '--ssh-revoked'),
    record: checkedText(flags.sshRecord, '--ssh-record'),
  });
  const after = Object.entries({ ...before, ...given }).filter(
    ([, value]) => value !== '' && !(Array.isArray(value) && value.length === 0),
  );
  return after.length === 0 ? undefined : Object.fromEntries(after);
}

/** The rows of `profile get`. */
export const sshRows = (ssh: SshSettings = {}): [string, string][] =>
  (['role', 'mount', 'principals', 'revoked', 'record'] as const).flatMap((name): [string, string][] => {
    const value = ssh[name];
    return value === undefined ? [] : [[`ssh.${name}`, String(value)]];
  });

const isPath = (path: string): boolean =>
  path === '' || path.split('/').every((part) => !['', '.', '..'].includes(part));

const isVisible = (text: string): boolean => toPrintable(text) === text && !/[\n\t]/.test(text);

function checkedText(
  value: string | undefined,
  name: string,
  isValid: (text: string) => boolean = () => true,
): string | undefined {
  if (value === undefined || (isVisible(value) && isValid(value))) return value;
  throw usage(`invalid ${name} "${value}"`, { hint: 'Nothing was written.' });
}

function checkedPrincipals(value: string): readonly string[] {
  checkedText(value, '--ssh-principals');
  return splitList(value);
}
