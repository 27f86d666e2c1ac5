import type { Account, AccountsClient } from '../../../api/accounts.ts';
import {
  isInvalidId,
  isStaleAccount,
  isValueTaken,
  rejectedValueIn,
} from '../../../api/conditions/accounts.ts';
import type { Context } from '../../../command/context.ts';
import { confirmWrite, conflict, describeAs, isNotFound, LanyardError } from '../../../errors.ts';
import { diff, formatChange } from '../../../output/diff.ts';
import { describeMissingAccount } from './errors.ts';
import type { AccountFields } from './fields.ts';

export interface BaseVersion {
  readonly id: string;
  /** The version that the account must still have. */
  readonly version: number;
  /** The account that was read; undefined if the version was given and nothing was read. */
  readonly account: Account | undefined;
}

/**
 * Rejects with a conflict if another account of the auth method has the value: the service has one status (400) for
 * that and for every other invalid request.
 */
export const describeTakenValue = describeAs(
  isValueTaken,
  'conflict',
  'another account of the auth method already has this value',
);

/**
 * Rejects with the reason the auth method rejected a login name or password. The service has the status of its own
 * errors (500) for that, with the reason in the message.
 *
 * @param operation for the message: `create account`.
 */
export const describeRejectedValue =
  (operation: string) =>
  (error: unknown): never => {
    const reason = rejectedValueIn(error);
    if (reason === undefined || !(error instanceof LanyardError)) throw error;
    const message = `cannot ${operation}: invalid login name or password (${error.status})`;
    throw new LanyardError('failure', message, {
      ...error,
      details: [reason],
      hint: 'Check the minimum lengths of login names and passwords of the auth method.',
    });
  };

/** Warns of given fields that the service silently did not store, such as token claims. */
export function warnAboutUnstoredFields(
  account: Account,
  { fields, attributes }: AccountFields,
  output: Pick<Context['output'], 'warn'>,
): void {
  const isEmpty = (value: unknown) =>
    value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
  const members: Readonly<Record<string, unknown>> = account;
  const names = [
    ...Object.keys(fields).filter((name) => !isEmpty(fields[name]) && isEmpty(members[name])),
    ...Object.keys(attributes).filter(
      (name) => !isEmpty(attributes[name]) && isEmpty(account.attributes?.[name]),
    ),
  ];
  if (names.length > 0) output.warn(`the service did not store ${names.join(', ')}`);
}

/** The account at the given version, else at its current version. */
export async function readBaseVersion(
  accounts: AccountsClient,
  id: string,
  expectedVersion: number | undefined,
): Promise<BaseVersion> {
  if (expectedVersion !== undefined) return { id, version: expectedVersion, account: undefined };
  const account = (await accounts.readAccount({ id }).catch(describeMissingAccount(id))).body;
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
export async function changeAccount(
  accounts: AccountsClient,
  { output }: Context,
  base: BaseVersion,
  write: () => Promise<{ readonly body: Account }>,
  isWritten?: (current: Account) => boolean,
): Promise<Account> {
  let current: Account | undefined;
  const response = await confirmWrite(
    () => write().catch(describeStaleVersion(accounts, base)),
    async () => {
      current = (await accounts.readAccount({ id: base.id })).body;
      const done = current.version === base.version + 1 && (isWritten?.(current) ?? true);
      return { done, found: describeOutcome(current, base) };
    },
  );
  if (response) return response.body;
  if (!current) throw new Error('settled without looking');
  const caveat = isWritten ? '' : '; to be sure that this is your change, log in with the new password';
  output.warn(`the response was lost, but the account now has version ${current.version}${caveat}`);
  return current;
}

function describeOutcome(current: Account, { version }: BaseVersion): string {
  if (current.version === version)
    return `the account still has version ${version}: the change was not applied, or not yet`;
  return current.version === version + 1
    ? `the account has version ${current.version}, but not the requested values: it was changed by another request`
    : `the account has version ${current.version}, not ${version}: it was changed by another request`;
}

// A stale version has the status of a missing account, or (passwords) of an internal error.
const possiblyStaleStatuses = [400, 404, 409, 412, 500];

/** Reads the account to distinguish a stale version from other reasons of an error. */
const describeStaleVersion =
  (accounts: AccountsClient, base: BaseVersion) =>
  async (error: unknown): Promise<never> => {
    if (!(error instanceof LanyardError) || !possiblyStaleStatuses.includes(error.status ?? 0)) throw error;
    let current: Account;
    try {
      current = (await accounts.readAccount({ id: base.id })).body;
    } catch (reading) {
      if (isInvalidId(reading) || isNotFound(reading)) return describeMissingAccount(base.id)(reading);
      throw error;
    }
    if (current.version === base.version) throw error;
    // A proxy may have replaced the response to an applied change: the next version may be ours.
    if (!isStaleAccount(error) && current.version === base.version + 1)
      throw new LanyardError('unknown', `${error.message}; outcome unknown`, {
        service: 'accounts',
        status: error.status,
        details: error.details,
        hint: `Run \`lanyard account get ${base.id}\` to verify the account before you retry.`,
      });
    throw conflict(
      `cannot change account "${base.id}": it has version ${current.version}, not ${base.version}; nothing was written`,
      {
        service: 'accounts',
        status: error.status,
        details: [...error.details, ...concurrentChanges(base, current)],
        hint: `Run \`lanyard account get ${base.id}\` to check the current values, then retry with --at ${current.version}.`,
      },
    );
  };

const serverManagedFields = ['version', 'updated_time', 'authorized_actions', 'managed_group_ids'];

/** The changes by other requests since the account was read. */
const concurrentChanges = ({ account }: BaseVersion, current: Account): readonly string[] =>
  account === undefined
    ? []
    : diff(account, current)
        .filter(({ path }) => !serverManagedFields.includes(path[0] ?? ''))
        .map((each) => `changed meanwhile: ${formatChange(each)}`);
