import type { Context } from '../../../command/context.ts';
import { LanyardError } from '../../../errors.ts';

/** Addresses accepted for a one-time password in addition to this system's addresses. */
export interface AcceptedLogins {
  readonly ip: readonly string[] | undefined;
  readonly allowedCidr: readonly string[] | undefined;
}

/** The user and address of a one-time password, from the service. */
export interface VerifiedLogin {
  readonly username?: string | undefined;
  readonly ip?: string | undefined;
}

/**
 * The host's part of a login, as run by pam_exec(8): the password on standard input, the user in PAM_USER.
 *
 * @param verify verifies the password with the service, which consumes it.
 * @returns 0 to accept, 1 to reject; standard error (the log of pam_exec) has the reason.
 */
export async function verifyPam(
  accepted: AcceptedLogins,
  ctx: Context,
  verify: (password: string) => Promise<VerifiedLogin>,
): Promise<0 | 1> {
  const { PAM_USER: user = '', PAM_RHOST: from = '' } = ctx.system.env;
  const who = `${JSON.stringify(user)} from ${JSON.stringify(from)}`;
  const cause = await rejectionCause(user, accepted, ctx, verify).catch((error: unknown) => {
    if (error instanceof LanyardError) return [error.message, ...error.details].join('; ');
    // Only a verified password is accepted: an internal error and a dry run are not.
    return error instanceof Error ? error.name : 'internal error';
  });
  ctx.output.note(cause === undefined ? `accepted ${who}` : `rejected ${who}: ${cause}`);
  return cause === undefined ? 0 : 1;
}

async function rejectionCause(
  user: string,
  { ip = [], allowedCidr = [] }: AcceptedLogins,
  { input, system }: Context,
  verify: (password: string) => Promise<VerifiedLogin>,
): Promise<string | undefined> {
  if (user === '') return 'PAM_USER is not set: --pam must be run by pam_exec';
  // Rejects an invalid CIDR block before the password is consumed.
  const accepted = [...ip, ...allowedCidr];
  await system.isInCidrBlocks('', accepted);
  const bytes = await input.readStdin();
  if (bytes.length === 0) return 'no password: none was typed, or pam_exec has no expose_authtok';
  const password = readPassword(bytes);
  if (password === '') return 'no password was typed';
  const verified = await verify(password);
  if (verified.username !== user)
    return `the password is for user ${JSON.stringify(verified.username ?? '')}`;
  const address = verified.ip ?? '';
  const isHere = (await system.hasAddress(address)) || (await system.isInCidrBlocks(address, accepted));
  return isHere
    ? undefined
    : `the password is for address ${JSON.stringify(address)}, which is not an address of this host`;
}

/** pam_exec ends the password with a NUL; a shell, with a newline. */
function readPassword(input: Buffer): string {
  const end = input.indexOf(0);
  if (end >= 0) return input.toString('utf8', 0, end);
  return input.toString('utf8').replace(/\r?\n$/, '');
}
