import type { Context } from '../../context.ts';
import { LanyardError } from '../../errors.ts';

/** Which addresses a one-time password may have been made for, beside those of this machine. */
export interface Accepted {
  readonly ip: readonly string[] | undefined;
  readonly allowedCidr: readonly string[] | undefined;
}

type Host = Pick<Context, 'env' | 'io' | 'machine'>;

/** Who the service says that a password was made for. */
export interface MadeFor {
  readonly username?: string | undefined;
  readonly ip?: string | undefined;
}

/**
 * The host's side of a login, as pam_exec(8) runs it: the password on standard input, the user in PAM_USER.
 *
 * @param verify asks the service, which uses the password up.
 * @returns 0 to let in, 1 to keep out, whatever the reason; standard error (the log of pam_exec) says which.
 */
export async function answerPam(
  accepted: Accepted,
  host: Host,
  verify: (password: string) => Promise<MadeFor>,
): Promise<0 | 1> {
  const { PAM_USER: user = '', PAM_RHOST: from = '' } = host.env;
  const who = `${JSON.stringify(user)} from ${JSON.stringify(from)}`;
  const why = await reasonToRefuse(user, accepted, host, verify).catch((error: unknown) => {
    if (error instanceof LanyardError) return [error.message, ...error.details].join('; ');
    // Nothing but a password that was verified lets anybody in: no fault, and no rehearsal.
    return error instanceof Error ? error.name : 'a fault';
  });
  host.io.note(why === undefined ? `let in ${who}` : `kept out ${who}: ${why}`);
  return why === undefined ? 0 : 1;
}

async function reasonToRefuse(
  user: string,
  { ip = [], allowedCidr = [] }: Accepted,
  { io, machine }: Host,
  verify: (password: string) => Promise<MadeFor>,
): Promise<string | undefined> {
  if (user === '') return 'PAM_USER is not set: this is for pam_exec';
  // Refuses a block that is none before the password is used up.
  const accepted = [...ip, ...allowedCidr];
  await machine.isWithin('', accepted);
  const password = passwordOf(await io.readStdin());
  if (password === '') return 'there is no password (pam_exec needs expose_authtok)';
  const made = await verify(password);
  if (made.username !== user) return `the password is for the user ${JSON.stringify(made.username ?? '')}`;
  const address = made.ip ?? '';
  const isHere = (await machine.hasAddress(address)) || (await machine.isWithin(address, accepted));
  return isHere
    ? undefined
    : `the password is for the address ${JSON.stringify(address)}, which is not this host’s`;
}

/** pam_exec ends the password with a NUL; a shell, with a newline. */
function passwordOf(input: Buffer): string {
  const end = input.indexOf(0);
  if (end >= 0) return input.toString('utf8', 0, end);
  return input.toString('utf8').replace(/\r?\n$/, '');
}
