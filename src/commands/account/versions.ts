import type { Account, AccountsClient } from '../../api/accounts.ts';
import { isInvalidId, isStaleAccount, isValueTaken, rejectedValueIn } from '../../api/conditions.ts';
import { arg } from '../../command.ts';
import type { Context } from '../../context.ts';
import { LanyardError, notFound, settle } from '../../errors.ts';
import { changeLine, changes } from '../../output/changes.ts';
import type { Named } from './fields.ts';

export const accountArg = arg.text('ID', 'the ID of the account, such as acctpw_1234567890');

/** What a change starts from. */
export interface Base {
  readonly id: string;
  /** The version that the account must still have. */
  readonly version: number;
  /** The account as it was read; undefined: the version was given, and nothing was read. */
  readonly account: Account | undefined;
}

/** Words for an account that is not there, and for an ID that no account can have. */
export const missing =
  (id: string) =>
  (error: unknown): never => {
    if (isInvalidId(error)) throw invalidId('account', id, error);
    if (!(error instanceof LanyardError) || error.kind !== 'not_found') throw error;
    throw notFound(`there is no account "${id}"`, {
      ...error,
      hint: '"lanyard account list" shows those of an auth method.',
    });
  };

const prefixesOf = { account: 'acctpw_, acctoidc_ or acctldap_', 'auth method': 'ampw_, amoidc_ or amldap_' };

const invalidId = (what: 'account' | 'auth method', id: string, error: unknown) =>
  new LanyardError('failure', `invalid ${what} ID "${id}" (400)`, {
    ...(error as LanyardError),
    hint: `The ID of an ${what} starts with ${prefixesOf[what]}, and has letters and digits after that.`,
  });

/** Words for an auth method that is not there, and for an ID that none can have. */
export const missingMethod =
  (id: string) =>
  (error: unknown): never => {
    if (isInvalidId(error)) throw invalidId('auth method', id, error);
    if (!(error instanceof LanyardError) || error.kind !== 'not_found') throw error;
    throw notFound(`there is no auth method "${id}"`, { ...error });
  };

/**
 * Words for a value that another account of the auth method has: a conflict, although the service has one status
 * (400) for that and all else that is wrong with a request.
 */
export function taken(error: unknown): never {
  if (!isValueTaken(error)) throw error;
  throw new LanyardError('conflict', 'another account of the auth method has the same value', { ...error });
}

/**
 * Words for a login name or password that the auth method rejects. The service has the status of its own faults (500)
 * for that, with the reason inside the text.
 *
 * @param operation as in other messages: `create account`.
 */
export const rejectedValue =
  (operation: string) =>
  (error: unknown): never => {
    const reason = rejectedValueIn(error);
    if (reason === undefined || !(error instanceof LanyardError)) throw error;
    throw new LanyardError('failure', `${operation}: invalid login name or password (${error.status})`, {
      ...error,
      details: [reason],
      hint: 'The auth method sets the minimum lengths of login names and passwords.',
    });
  };

/** Warns of the named fields that the service left out of the account without an error, such as the claims of a token. */
export function warnOfMissing(
  account: Account,
  { own, attributes }: Named,
  io: Pick<Context['io'], 'warn'>,
): void {
  const isEmpty = (value: unknown) =>
    value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
  const members: Readonly<Record<string, unknown>> = account;
  const names = [
    ...Object.keys(own).filter((name) => !isEmpty(own[name]) && isEmpty(members[name])),
    ...Object.keys(attributes).filter(
      (name) => !isEmpty(attributes[name]) && isEmpty(account.attributes?.[name]),
    ),
  ];
  if (names.length > 0) io.warn(`the service did not store ${names.join(', ')}`);
}

/** The account at the version that is given, else at the one that it has now. */
export async function baseOf(accounts: AccountsClient, id: string, at: number | undefined): Promise<Base> {
  if (at !== undefined) return { id, version: at, account: undefined };
  const account = (await accounts.readAccount({ id }).catch(missing(id))).body;
  return { id, version: account.version, account };
}

/**
 * Sends a change of an account that must still be at its version. A lost answer is settled by reading the account:
 * the guard lets only one change make the next version of this one.
 *
 * @param write the change.
 * @param isWritten is it in the account that is there now? Undefined: that cannot be read (a password).
 * @returns the account as it is after the change.
 * @throws LanyardError conflict: the account is at another version; unknown: what became of the change is not known.
 */
export async function change(
  { accounts, io }: { readonly accounts: AccountsClient; readonly io: Pick<Context['io'], 'warn'> },
  base: Base,
  write: () => Promise<{ readonly body: Account }>,
  isWritten?: (now: Account) => boolean,
): Promise<Account> {
  let now: Account | undefined;
  const answer = await settle(
    () => write().catch(stale(accounts, base)),
    async () => {
      now = (await accounts.readAccount({ id: base.id })).body;
      const done = now.version === base.version + 1 && (isWritten?.(now) ?? true);
      return { done, found: whatBecame(now, base) };
    },
  );
  if (answer) return answer.body;
  if (!now) throw new Error('settled without looking');
  const sure = isWritten ? '' : '; only a login tells that no other change made it';
  io.warn(
    `the answer was lost, but the account is at version ${now.version} now, as the change makes it${sure}`,
  );
  return now;
}

function whatBecame(now: Account, { version }: Base): string {
  if (now.version === version)
    return `The account is still at version ${version}: the change was not made, or is not made yet.`;
  return now.version === version + 1
    ? `The account is at version ${now.version}, and not as it was to be: somebody else changed it.`
    : `The account is at version ${now.version}, and was at ${version}: somebody else changed it.`;
}

// A stale version has the status of an account that is not there, or (passwords) of a fault of the service.
const perhapsStale = [400, 404, 409, 412, 500];

/** Tells a stale version from what else a refusal may mean, by reading the account. */
const stale =
  (accounts: AccountsClient, base: Base) =>
  async (error: unknown): Promise<never> => {
    if (!(error instanceof LanyardError) || !perhapsStale.includes(error.status ?? 0)) throw error;
    let now: Account;
    try {
      now = (await accounts.readAccount({ id: base.id })).body;
    } catch (reading) {
      if (isInvalidId(reading) || (reading instanceof LanyardError && reading.kind === 'not_found'))
        return missing(base.id)(reading);
      throw error;
    }
    if (now.version === base.version) throw error;
    // Something between may have replaced the response to a change that was made: the next version may be ours.
    if (!isStaleAccount(error) && now.version === base.version + 1) {
      throw new LanyardError('unknown', `${error.message}; outcome unknown`, {
        ...{ service: 'accounts', status: error.status, details: error.details },
        hint: `Run "lanyard account get ${base.id}" to verify the account before you retry.`,
      });
    }
    throw new LanyardError(
      'conflict',
      `the account "${base.id}" is at version ${now.version}, not ${base.version}; nothing was written`,
      {
        service: 'accounts',
        status: error.status,
        details: [...error.details, ...changedMeanwhile(base, now)],
        hint: `"lanyard account get ${base.id}" shows it as it is now; --at ${now.version} changes that.`,
      },
    );
  };

const ofItself = ['version', 'updated_time', 'authorized_actions', 'managed_group_ids'];

/** What others changed since the account was read. */
const changedMeanwhile = ({ account }: Base, now: Account): readonly string[] =>
  account === undefined
    ? []
    : changes(account, now)
        .filter(({ path }) => !ofItself.includes(path[0] ?? ''))
        .map((each) => `changed meanwhile: ${changeLine(each)}`);
