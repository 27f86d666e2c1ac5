import { arg } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import { usage } from '../../../errors.ts';
import { compact } from '../../../wire/objects.ts';
import { shellWord } from '../../../wire/printable.ts';

/** An argument ROLE that may be omitted where the settings have a role. */
export const roleArg = (help: string) =>
  arg.optional('ROLE', `${help} (default: from settings)`, { completes: 'ssh-role' });

interface Given {
  readonly mount: string;
  readonly role: string | undefined;
  readonly principals?: readonly string[] | undefined;
  readonly certType?: 'user' | 'host' | undefined;
}

/**
 * The role and the principals of a command line, else of the settings (`ProfileStore.sshDefaults`). The principals of
 * the settings are those of a user.
 *
 * @throws LanyardError usage: no role.
 */
export async function signingDefaults(
  { mount, role: given, principals, certType }: Given,
  ctx: Context,
): Promise<{ readonly role: string; readonly principals: readonly string[] | undefined }> {
  const defaults = await ctx.profile.sshDefaults(compact({ mount, role: given }));
  const { role, withheld, profile = 'NAME' } = defaults;
  if (role === undefined) {
    const setting = `run \`lanyard profile put ${shellWord(profile)} --ssh-role ROLE\` to set the default`;
    const ways = withheld === undefined ? `Specify a role, or ${setting}.` : 'Specify a role.';
    throw usage('no role specified', {
      details: withheld === undefined ? [] : [withheld],
      hint: `${ways} Run \`lanyard ssh role list\` for the existing roles.`,
    });
  }
  return { role, principals: principals ?? (certType === 'host' ? undefined : defaults.principals) };
}
