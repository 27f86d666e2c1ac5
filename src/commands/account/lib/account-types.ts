import { usage } from '../../../errors.ts';
import type { AccountType } from '../../../objects/account-auth-method.ts';

const typeByPrefix: readonly (readonly [RegExp, AccountType])[] = [
  [/^(ampw|acctpw|apw)_/, 'password'],
  [/^(amoidc|acctoidc)_/, 'oidc'],
  [/^(amldap|acctldap)_/, 'ldap'],
];

/** The type given by the ID prefix of an auth method or account; undefined if the prefix is unknown. */
export const accountTypeOfId = (id: string): AccountType | undefined =>
  typeByPrefix.find(([prefix]) => prefix.test(id))?.[1];

/** The type of a new account. @throws LanyardError usage: `--type` and the auth method differ. */
export function chooseAccountType(
  authMethod: string,
  given: AccountType | undefined,
): AccountType | undefined {
  const known = accountTypeOfId(authMethod);
  if (given !== undefined && known !== undefined && given !== known)
    throw invalidFieldsError([`type: auth method ${authMethod} has type ${known}, not ${given}`]);
  return given ?? known;
}

/** @throws LanyardError usage: the account type has no password in the service. */
export function checkHasPassword(id: string): void {
  const type = accountTypeOfId(id);
  if (type !== undefined && type !== 'password')
    throw invalidFieldsError([
      `id: account ${id} has type ${type}, whose password is not stored in the service`,
    ]);
}

export const invalidFieldsError = (details: readonly string[]) =>
  usage('the service would reject the request', { details, hint: 'Nothing was sent.' });
