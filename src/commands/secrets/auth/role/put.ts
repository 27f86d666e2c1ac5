import type { SecretsClient } from '../../../../api/secrets.ts';
import { command, showWarnings } from '../../../../command/command.ts';
import type { Context } from '../../../../command/context.ts';
import { confirmWrite, readForChanges, readToKeep } from '../../../../errors.ts';
import { writtenResult } from '../../../../output/diff.ts';
import {
  currentFields,
  fieldsToSend,
  isStored,
  needsCurrent,
  type RoleFields,
  readChange,
  roleChanges,
  roleFlags,
} from '../../lib/auth-role/change.ts';
import { findMethod, methodArg, type RoleMethod, roleArg, typeFlag } from '../../lib/auth-role/method.ts';
import { warnAboutMissingPolicies } from '../../lib/auth-role/policies.ts';

export default command({
  description:
    'Creates the role or updates the given fields; other fields are unchanged. Lists and maps are replaced, --unset resets a field. Which flags apply depends on the type of the auth method; --in also takes fields without a flag.',
  examples: [
    'lanyard secrets auth role put approle ci --token-policies deploy --token-ttl 20m --secret-id-ttl 24h',
    'lanyard secrets auth role put approle ci --token-ttl 10m --unset secret-id-ttl --dry-run',
    'lanyard secrets auth role put userpass alice --token-policies deploy --password env://PASSWORD',
    'lanyard secrets auth role put jwt deploy --role-type jwt --user-claim sub --bound-audiences ci --bound-claim project=web --token-policies deploy',
    'lanyard secrets auth role put token ci --allowed-policies deploy --orphan --token-period 24h',
  ],
  service: 'secrets',
  writes: 'after reads',
  changes: ['secrets token'],
  returnsList: () => true,
  args: { method: methodArg, role: roleArg },
  flags: { ...roleFlags, ...typeFlag },
  async run({ args: { method: given, role: name }, flags }, ctx) {
    const secrets = await ctx.api.secrets();
    const method = await findMethod(secrets, given, flags.type);
    const { mount, noun } = method;
    const change = await readChange(method, flags, ctx);
    const current = await readCurrent(secrets, method, name, change);
    const sent = fieldsToSend(method, current, await withPassword(method, current, change, ctx));
    const id = { method: mount, name };
    if (sent === undefined) return writtenResult(noun, name, id, { created: false, changes: [] });
    await warnAboutMissingPolicies(secrets, change, ctx);
    const response = await confirmWrite(
      () => secrets.writeAuthRole({ ...sent, mount, kind: method.kind, name }),
      async () => ({
        done: isStored(await readFields(secrets, method, name, change), change),
        found: `the stored ${noun} differs, or has fields that cannot be verified`,
      }),
    );
    showWarnings(ctx.output, response?.body);
    if (current === undefined) return writtenResult(noun, name, id, { created: true, changes: [] });
    const stored = current && (await readForChanges(readFields(secrets, method, name, change)));
    const changes = current && roleChanges(current, stored ?? { ...current, ...sent }, change);
    return writtenResult(noun, name, id, { created: false, changes });
  },
});

/** The role before the write. @returns undefined: it does not exist; null: it cannot be read, and need not be */
function readCurrent(
  secrets: SecretsClient,
  method: RoleMethod,
  name: string,
  change: RoleFields,
): Promise<RoleFields | null | undefined> {
  const { mount, kind, noun } = method;
  const reading = readFields(secrets, method, name, change);
  return readToKeep(reading, {
    title: `${noun} "${name}"`,
    hint: `Use a token with the read capability for auth/${mount}/${kind}/${name}.`,
    isReplaced: !needsCurrent(method),
  });
}

/** The fields of a role. The role ID of approle is read too, if it may change. */
async function readFields(
  secrets: SecretsClient,
  { mount, kind }: RoleMethod,
  name: string,
  change: RoleFields,
): Promise<RoleFields> {
  const role = currentFields((await secrets.readAuthRole({ mount, kind, name })).body.data);
  if (change.role_id === undefined) return role;
  return { ...role, ...(await secrets.readRoleId({ mount, name })).body.data };
}

/** A new user needs a password: it is prompted for. */
async function withPassword(
  { type }: RoleMethod,
  current: RoleFields | null | undefined,
  change: RoleFields,
  { input }: Pick<Context, 'input'>,
): Promise<RoleFields> {
  if (type !== 'userpass' || current !== undefined || change.password !== undefined) return change;
  return { ...change, password: await input.readSecret(undefined, 'password', { repeat: true }) };
}
