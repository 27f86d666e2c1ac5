import type { Account, AccountsClient } from '../../../api/accounts.ts';
import { isValueTaken, rejectedValueIn } from '../../../api/conditions/accounts.ts';
import type { Context } from '../../../command/context.ts';
import { describeAs, LanyardError } from '../../../errors.ts';
import type { AccountFields } from './fields.ts';
import type { Versioned } from './versioned.ts';

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

/** An account to change. */
export const accountOf = (accounts: AccountsClient, id: string): Versioned<Account> => ({
  noun: 'account',
  id,
  read: () => accounts.readAccount({ id }),
});

/** For changes of passwords, which cannot be read back. */
export const passwordChange = {
  caveat: '; to be sure that this is your change, log in with the new password',
} as const;
