import { flag } from '../../command.ts';
import type { Context } from '../../context.ts';
import { usage } from '../../errors.ts';

/** `--auth-method` of a command that needs one. */
export const authMethodFlag = (help: string) =>
  flag.text('ID', `${help} (default: BOUNDARY_AUTH_METHOD_ID, or auth-method of the profile)`);

/** The auth method that is meant: the one given, else that of the settings; undefined: neither. */
export const authMethodIn = async (
  given: string | undefined,
  ctx: Pick<Context, 'api'>,
): Promise<string | undefined> => given ?? (await ctx.api.settings('accounts')).authMethod;

/** As {@link authMethodIn}. @throws LanyardError usage: neither. */
export async function authMethodOf(given: string | undefined, ctx: Pick<Context, 'api'>): Promise<string> {
  const id = await authMethodIn(given, ctx);
  if (id !== undefined) return id;
  throw usage('--auth-method ID is needed', {
    hint: 'Give it, set BOUNDARY_AUTH_METHOD_ID, or name one in the profile: accounts.auth-method=ID.',
  });
}
