import type { Account, AccountsClient } from '../../api/accounts.ts';
import { isInvalidId, isStaleAccount, isValueTaken, rejectedValueIn } from '../../api/conditions.ts';
import { arg } from '../../command.ts';
import type { Context } from '../../context.ts';
import { LanyardError, notFound, settle } from '../../errors.ts';
import { changeLine, changes } from '../../output/changes.ts';
import type { Named } from './fields.ts';

export const accountArg = arg.text('ID', 'account ID, such as acctpw_1234567890');

/** The account that a change is based on. */
export interface Base {
  readonly id: string;
  /** The version that the account must still have. */
  readonly version: number;
  /** The account that was read; undefined if the version was given and nothing was read. */
  readonly account: Account | undefined;
}

/** Rejects with the reason an account cannot be read: not found, or an invalid ID. */
export const missing =
  (id: string) =>
  (error: unknown): never => {
    if (isInvalidId(error)) throw invalidId('account', id, error);
    if (!(error instanceof LanyardError) || error.kind !== 'not_found') throw error;
    throw notFound(`account "${id}" not found`, {
      ...error,
      hint: 'Run `lanyard account list` for the accounts of an auth method.',
    });
  };

const prefixesOf = { account: 'acctpw_, acctoidc_ or acctldap_', 'auth method': 'ampw_, amoidc_ or amldap_' };

const invalidId = (what: 'account' | 'auth method', id: string, error: unknown) =>
  new LanyardError('failure', `invalid ${what} ID "${id}" (400)`, {
    ...(error as LanyardError),
    hint: `Use an ID of the form ${prefixesOf[what]} followed by letters and digits.`,
  });

/** Rejects with the reason an auth method cannot be used: not found, or an invalid ID. */
export const missingMethod =
  (id: string) =>
  (error: unknown): never => {
    if (isInvalidId(error)) throw invalidId('auth method', id, error);
    if (!(error instanceof LanyardError) || error.kind !== 'not_found') throw error;
    throw notFound(`auth method "${id}" not found`, { ...error });
  };

/**
 * Rejects with a conflict if another account of the auth method has the value: the service has one status (400) for
 * that and for every other invalid request.
 */
export function taken(error: unknown): never {
  if (!isValueTaken(error)) throw error;
  throw new LanyardError('conflict', 'another account of the auth method already has this value', {
    ...error,
  });
}

/**
 * Rejects with the reason the auth method rejected a login name or password. The service has the status of its own
 * errors (500) for that, with the reason in the message.
 *
 * @param operation for the message: `create account`.
 */
export const rejectedValue =
  (operation: string) =>
  (error: unknown): never => {
    const reason = rejectedValueIn(error);
    if (reason === undefined || !(error instanceof LanyardError)) throw error;
    throw new LanyardError(
      'failure',
      `cannot ${operation}: invalid login name or password (${error.status})`,
      {
        ...error,
        details: [reason],
        hint: 'Check the minimum lengths of login names and passwords of the auth method.',
      },
    );
  };

/** Warns of given fields that the service silently did not store, such as token claims. */
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

/** The account at the given version, else at its current version. */
export async function baseOf(accounts: AccountsClient, id: string, at: number | undefined): Promise<Base> {
  if (at !== undefined) return { id, version: at, account: undefined };
  const account = (await accounts.readAccount({ id }).catch(missing(id))).body;
  return { id, version: account.version, account };
}

/**
 * Sends a change of an account that must still have the version of `base`. After a lost response, the account is read:
 * only one change can create the next version.
 *
 * @param write sends the change.
 * @param isWritten whether the current account has the change; undefined if that cannot be read (a password).
 * @returns the account after the change.
 * @throws LanyardError conflict: the account has another version; unknown: the outcome is unknown.
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
  const sure = isWritten ? '' : '; to be sure that this is your change, log in with the new password';
  io.warn(`the response was lost, but the account now has version ${now.version}${sure}`);
  return now;
}

function whatBecame(now: Account, { version }: Base): string {
  if (now.version === version)
    return `the account still has version ${version}: the change was not applied, or not yet`;
  return now.version === version + 1
    ? `the account has version ${now.version}, but not the requested values: it was changed by another request`
    : `the account has version ${now.version}, not ${version}: it was changed by another request`;
}

// A stale version has the status of a missing account, or (passwords) of an internal error.
const perhapsStale = [400, 404, 409, 412, 500];

/** Reads the account to distinguish a stale version from other reasons of an error. */
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
    // A proxy may have replaced the response to an applied change: the next version may be ours.
    if (!isStaleAccount(error) && now.version === base.version + 1) {
      throw new LanyardError('unknown', `${error.message}; outcome unknown`, {
        ...{ service: 'accounts', status: error.status, details: error.details },
        hint: `Run \`lanyard account get ${base.id}\` to verify the account before you retry.`,
      });
    }
    throw new LanyardError(
      'conflict',
      `cannot change account "${base.id}": it has version ${now.version}, not ${base.version}; nothing was written`,
      {
        service: 'accounts',
        status: error.status,
        details: [...error.details, ...changedMeanwhile(base, now)],
        hint: `Run \`lanyard account get ${base.id}\` to check the current values, then retry with --at ${now.version}.`,
      },
    );
  };

const ofItself = ['version', 'updated_time', 'authorized_actions', 'managed_group_ids'];

/** The changes by other requests since the account was read. */
const changedMeanwhile = ({ account }: Base, now: Account): readonly string[] =>
  account === undefined
    ? []
    : changes(account, now)
        .filter(({ path }) => !ofItself.includes(path[0] ?? ''))
        .map((each) => `changed meanwhile: ${changeLine(each)}`);
