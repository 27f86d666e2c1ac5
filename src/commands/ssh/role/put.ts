import { ignoredParameters, lacksParameter } from '../../../api/conditions/secrets.ts';
import type { SecretsClient } from '../../../api/secrets.ts';
import { arg, command, showWarnings } from '../../../command/command.ts';
import { confirmWrite, conflict, LanyardError, readForChanges, readToKeep, usage } from '../../../errors.ts';
import type { Schema } from '../../../objects/schema.ts';
import { sshRole } from '../../../objects/ssh-role.ts';
import { writtenChanges, writtenResult } from '../../../output/diff.ts';
import { mountFlag } from '../lib/mount.ts';
import { readHelp } from '../lib/read-help.ts';
import {
  hasFields,
  mergedRole,
  type RoleFields,
  roleChange,
  roleFlags,
  shownRole,
} from '../lib/role-fields.ts';

export default command({
  description:
    'Creates the role or updates the given fields; other fields are unchanged. Lists and maps are replaced, --unset resets a field, --replace all other fields. The service has no check-and-set for roles: of two concurrent updates, the last one wins.',
  examples: [
    'lanyard ssh role put deploy --allow-user-certificates --allowed-users ubuntu,admin --default-user ubuntu --default-extension permit-pty --ttl 30m',
    'lanyard ssh role put deploy --ttl 1h --unset default-user --dry-run',
    'lanyard ssh role put hosts --allow-host-certificates --allowed-domains example.com --allow-subdomains --ttl 720h',
    'lanyard ssh role put otp --key-type otp --default-user ubuntu --cidr-list 10.0.0.0/8',
  ],
  service: 'secrets',
  writes: 'after reads',
  returnsList: () => true,
  args: { role: arg.text('NAME', 'role to write', { completes: 'ssh-role' }) },
  flags: { ...roleFlags, mount: mountFlag },
  async run({ args, flags }, ctx) {
    rejectName(args.role);
    const change = roleChange(flags);
    const secrets = await ctx.api.secrets();
    const rolePath = { mount: flags.mount, role: args.role };
    const requested = openBaoFields.filter((name) => change.given[name] !== undefined);
    if (requested.length > 0) await requireFields(secrets, rolePath, requested);
    const current = await readToKeep(readData(secrets, rolePath), {
      title: `role "${args.role}"`,
      hint: `Use a token with the read capability for ${flags.mount}/roles/${args.role}, or --replace to reset all fields that are not given.`,
      isReplaced: flags.replace,
    });
    const existing = current || undefined;
    const base = flags.replace ? undefined : existing;
    const type = change.type ?? (base?.key_type === 'otp' ? 'otp' : 'ca');
    if (base && base.key_type !== type) throw typeConflict(args.role, base, type);
    change.rejectOtherFlags(type, base === undefined);
    const role = mergedRole(base, type, change);
    let stored: RoleFields | undefined;
    if (!base || change.unset.length > 0 || !hasFields(base, role)) {
      const response = await confirmWrite(
        () => secrets.putRole({ ...rolePath, ...role }),
        async () => ({
          done: hasFields((await secrets.readRole(rolePath)).body.data, role),
          found: 'the role exists with other fields',
        }),
      );
      showWarnings(ctx.output, response?.body);
      if (existing || requested.length > 0)
        stored = (await readForChanges(readData(secrets, rolePath))) ?? undefined;
      confirmFields(rolePath, requested, stored, response?.body);
    }
    // The service does not return the role; if it cannot be read, what was sent is shown.
    const written = writtenChanges(current && shownRole(current), shownRole(stored ?? role));
    return writtenResult('role', args.role, { name: args.role }, written);
  },
});

interface RolePath {
  readonly mount: string;
  readonly role: string;
}

const openBaoFields = Object.entries<Schema>(sshRole.properties).flatMap(([name, { product }]) =>
  product === undefined ? [] : [name],
);

const typeConflict = (name: string, { key_type }: RoleFields, type: string) =>
  conflict(`cannot change role "${name}" from type ${key_type} to ${type}: its fields would be lost`, {
    service: 'secrets',
    hint: 'Use --replace to reset all fields that are not given.',
  });

const readData = async (secrets: SecretsClient, rolePath: RolePath): Promise<RoleFields> =>
  (await secrets.readRole(rolePath)).body.data;

const unsupportedError = (names: readonly string[]): string =>
  `the service does not support ${names.map((name) => `--${name.replaceAll('_', '-')}`).join(' and ')}`;

/** Checks the help of the path for these fields. @throws LanyardError failure: some are not supported. */
async function requireFields(
  secrets: SecretsClient,
  { mount, role }: RolePath,
  names: readonly string[],
): Promise<void> {
  const help = await readHelp(secrets, `${mount}/roles/${role}`);
  const missing = names.filter((name) => lacksParameter(help, 'allowed_users', name));
  if (missing.length === 0) return;
  throw new LanyardError('failure', `cannot write role ${role}: ${unsupportedError(missing)}`, {
    service: 'secrets',
  });
}

/** Checks the role after the write: unsupported fields are ignored. @throws LanyardError unknown: some were. */
function confirmFields(
  rolePath: RolePath,
  names: readonly string[],
  role: RoleFields | undefined,
  written: Parameters<typeof ignoredParameters>[0],
): void {
  const ignored = ignoredParameters(written);
  const missing = names.filter((name) => ignored.includes(name) || (role && !Object.hasOwn(role, name)));
  if (missing.length === 0) return;
  throw new LanyardError('unknown', `role ${rolePath.role} was written, but ${unsupportedError(missing)}`, {
    service: 'secrets',
    hint: `Run \`lanyard ssh role get ${rolePath.role}\` to see the current role.`,
  });
}

/**
 * A name must be valid in a path of the service. Names that would lead to another path are rejected for every operation.
 *
 * @throws LanyardError usage
 */
function rejectName(name: string): void {
  if (/^\w(?:[\w.@-]*\w)?$/.test(name) || /[/\p{Cc}]|^$|\.$/u.test(name)) return;
  throw usage(`invalid role name ${JSON.stringify(name)}`, {
    hint: 'Use letters, digits and "_"; ".", "@" and "-" are allowed inside the name.',
  });
}
