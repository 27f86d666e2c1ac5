import { hasStatus } from '../../../../api/conditions/any.ts';
import { flag } from '../../../../command/command.ts';
import type { Context } from '../../../../command/context.ts';
import { noteLogin } from '../../../../command/login-lines.ts';
import { describeAs } from '../../../../errors.ts';

export const loginFlag = flag.text('LOGIN', 'user name or email address (default: prompt)');
export const passwordFlag = flag.source('source of the password', ' (default: prompt)');

/** The login and password; missing values are prompted for. */
export async function readCredentials(
  flags: { readonly login: string | undefined; readonly password: string | undefined },
  ctx: Context,
): Promise<{ readonly login: string; readonly password: string }> {
  await noteLogin('box', [flags.login, flags.password], ctx);
  return {
    login: flags.login ?? (await ctx.input.ask('user name or email address: ')),
    password: await ctx.input.readSecret(flags.password, 'password'),
  };
}

/** Rejects with the reason for a 401 of a request without a token: the given values are wrong. */
export const describeRejectedLogin = (what: string) =>
  describeAs(
    (error) => hasStatus(error, 401),
    'unauthenticated',
    `cannot log in: the box registry rejected ${what} (401)`,
    { hint: undefined },
  );
