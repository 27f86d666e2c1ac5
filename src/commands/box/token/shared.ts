import { flag } from '../../../command.ts';
import type { Context } from '../../../context.ts';
import { LanyardError } from '../../../errors.ts';

export const loginFlag = flag.text('LOGIN', 'the user name or the email address; asked for if not given');
export const passwordFlag = flag.text(
  'SRC',
  'where the password comes from: -, @FILE or env://NAME; asked for if not given',
  { completes: 'file' },
);

/** Whose token is meant, as far as flags do not say it from a prompt. */
export async function ownerFrom(
  flags: { readonly login: string | undefined; readonly password: string | undefined },
  ctx: Pick<Context, 'io'>,
): Promise<{ readonly login: string; readonly password: string }> {
  return {
    login: flags.login ?? (await ctx.io.ask('user name or email address: ')),
    password: await ctx.io.secret(flags.password, 'password'),
  };
}

/** A 401 where no token goes with the call: what was given in its place is wrong. */
export const refusedInWords =
  (what: string) =>
  (error: unknown): never => {
    if (!(error instanceof LanyardError) || error.status !== 401) throw error;
    throw new LanyardError('unauthenticated', `the box registry does not accept ${what} (401)`, {
      ...error,
      hint: undefined,
    });
  };
