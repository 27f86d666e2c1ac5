import type { TokenOwner } from '../../api/endpoint.ts';
import type { TokenPlan } from '../../api/token-plan.ts';
import type { ProfileStore } from '../../command/profile-store.ts';
import type { Credentials } from '../../config/credentials.ts';
import { isLoginOfDev } from '../../config/stored-login.ts';
import { LanyardError } from '../../errors.ts';
import { memberOf } from '../../wire/objects.ts';
import { shellWord } from '../../wire/printable.ts';
import type { ServiceName } from '../../wire/services.ts';

interface Parts {
  readonly credentials: Partial<Pick<Credentials, 'login'>>;
  readonly clock: () => Date;
  /** Reads the profiles. */
  readonly read?: ProfileStore['read'];
}

/** The commands that log in, for a token whose login is not known; the scheduler has none. */
const loginCommands: { readonly [S in ServiceName]?: readonly string[] } = {
  secrets: ['secrets', 'login'],
  registry: ['acl', 'login', '--method', 'METHOD'],
  box: ['box', 'token', 'create'],
  accounts: ['account', 'login'],
};

/** Whose token the settings have, and the command that replaces it after it has expired. */
export async function tokenOwner(
  service: ServiceName,
  plan: TokenPlan,
  { credentials, clock, read }: Parts,
): Promise<TokenOwner> {
  const login = loginCommands[service];
  if (plan.from === 'variable') {
    const other = login === undefined ? '' : `, or unset it and log in with \`lanyard ${login.join(' ')}\``;
    return { text: `the token in ${plan.name}`, hint: `Set ${plan.name} to a valid token${other}.` };
  }
  if (plan.from === 'file')
    return {
      text: `the token in ${plan.path}`,
      hint: `Write a valid token to ${shellWord(plan.path)}: log in again with the program that wrote it.`,
    };
  const { profile } = plan;
  const text = `the token of profile ${profile}`;
  const stored = await credentials.login?.(profile, service).catch((error: unknown) => {
    if (error instanceof LanyardError) return undefined;
    throw error;
  });
  const command = stored?.command ?? login;
  const configuration = await read?.();
  const isRemembered =
    configuration !== undefined && memberOf(configuration.profiles, profile)?.[service]?.login !== undefined;
  const ofProfile = (words: readonly string[]): string =>
    ['lanyard', '-p', profile, ...words].map(shellWord).join(' ');
  const hint = (): string => {
    if (isLoginOfDev(stored))
      return `Start \`${['lanyard', ...stored.command].map(shellWord).join(' ')}\` again: it stores a new token.`;
    if (isRemembered) return `Log in again with \`${ofProfile(['login'])}\`.`;
    return command === undefined
      ? `Store a valid token with \`lanyard profile put ${shellWord(profile)} ${service}.token=-\`.`
      : `Log in again with \`${ofProfile(command)}\`.`;
  };
  return {
    text,
    hint: hint(),
    hasExpired: stored?.validUntil !== undefined && Date.parse(stored.validUntil) <= clock().getTime(),
  };
}
