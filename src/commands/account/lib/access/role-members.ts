import { arg, type Values } from '../../../../command/command.ts';
import type { Context } from '../../../../command/context.ts';
import { expectVersion, readCurrent } from '../versioned.ts';
import { findRoleId, roleOf } from './find-named.ts';
import { atFlag, nameScopeFlag } from './label-update.ts';

export const principalsArg = arg.rest('USER', 'names of users, or IDs of users and groups', 1, {
  completes: 'account-user',
});

/** The flags of the commands that change the grants and principals of a role. */
export const roleMemberFlags = { scope: nameScopeFlag('role'), at: atFlag('role') } as const;

/** The role, which was read, at its expected version. @throws LanyardError not_found */
export async function roleToChange(
  role: string,
  { scope, at }: Values<typeof roleMemberFlags>,
  ctx: Pick<Context, 'api'>,
) {
  const id = await findRoleId(role, { scope }, ctx);
  const accounts = await ctx.api.accounts();
  return { accounts, base: expectVersion(await readCurrent(roleOf(accounts, id)), at) };
}
