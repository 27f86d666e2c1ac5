import { flag } from '../../../cli/command.ts';
import type { Context } from '../../../cli/context.ts';
import { usage } from '../../../errors.ts';

export const authMethodFlag = (help: string) =>
  flag.text('ID', `${help} (default: BOUNDARY_AUTH_METHOD_ID, or that of the profile)`);

/** The auth method ID: the given one, else that of the settings; undefined if neither is set. */
export const requireAuthMethod = async (
  given: string | undefined,
  ctx: Context,
): Promise<string | undefined> => given ?? (await ctx.api.settings('accounts')).authMethod;

/** As {@link requireAuthMethod}. @throws LanyardError usage: no auth method is set. */
export async function resolveAuthMethod(given: string | undefined, ctx: Context): Promise<string> {
  const id = await requireAuthMethod(given, ctx);
  if (id !== undefined) return id;
  throw usage('missing auth method: --auth-method is required', {
    hint: 'Pass --auth-method ID, set BOUNDARY_AUTH_METHOD_ID, or run `lanyard profile put NAME accounts.auth-method=ID`.',
  });
}
