import { flag } from '../../command.ts';
import type { Context } from '../../context.ts';
import { usage } from '../../errors.ts';

/** The `--auth-method` flag. */
export const authMethodFlag = (help: string) =>
  flag.text('ID', `${help} (default: BOUNDARY_AUTH_METHOD_ID, or that of the profile)`);

/** The auth method ID: the given one, else that of the settings; undefined if neither is set. */
export const authMethodIn = async (
  given: string | undefined,
  ctx: Pick<Context, 'api'>,
): Promise<string | undefined> => given ?? (await ctx.api.settings('accounts')).authMethod;

/** As {@link authMethodIn}. @throws LanyardError usage: no auth method is set. */
export async function authMethodOf(given: string | undefined, ctx: Pick<Context, 'api'>): Promise<string> {
  const id = await authMethodIn(given, ctx);
  if (id !== undefined) return id;
  throw usage('missing auth method: --auth-method is required', {
    hint: 'Pass --auth-method ID, set BOUNDARY_AUTH_METHOD_ID, or run `lanyard profile put NAME accounts.auth-method=ID`.',
  });
}
