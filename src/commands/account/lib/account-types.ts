import { usage } from '../../../errors.ts';
import type { Fields } from './fields.ts';

export const accountTypes = ['password', 'oidc', 'ldap'] as const;
export type AccountType = (typeof accountTypes)[number];

/** The attributes of each type (docs/protocol/accounts.md#endpoints). */
const attributesByType: { readonly [T in AccountType]: readonly string[] } = {
  password: ['login_name', 'password'],
  oidc: ['issuer', 'subject', 'full_name', 'email', 'token_claims', 'userinfo_claims'],
  ldap: ['login_name', 'full_name', 'email', 'dn', 'member_of_groups'],
};

const requiredAttribute: { readonly [T in AccountType]: string } = {
  password: 'login_name',
  oidc: 'subject',
  ldap: 'login_name',
};

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

// The auth method sets the minimum lengths; the allowed characters are the same for all of them.
const loginNameProblem = (name: string): string | undefined =>
  /^[a-z0-9.-]+$/.test(name)
    ? undefined
    : `invalid login name "${name}": expected lowercase letters, digits, "." and "-"`;

function issuerProblem(issuer: string): string | undefined {
  const url = URL.parse(issuer);
  return url && ['http:', 'https:'].includes(url.protocol)
    ? undefined
    : `invalid URL "${issuer}": expected http or https`;
}

/**
 * Checks the given attributes.
 *
 * @param type undefined if unknown: checks only the rules shared by all types that have these attributes.
 * @param isNew whether required attributes must be present.
 * @throws LanyardError usage: one detail per problem, `attributes.FIELD: RULE`.
 */
export function checkAttributes(
  attributes: Fields,
  { type, isNew }: { readonly type: AccountType | undefined; readonly isNew: boolean },
): void {
  const problems = [...attributeProblems(attributes, type, isNew)].map((problem) => `attributes.${problem}`);
  if (problems.length > 0) throw invalidFieldsError(problems);
}

function* attributeProblems(
  attributes: Fields,
  type: AccountType | undefined,
  isNew: boolean,
): Generator<string> {
  const names = Object.keys(attributes);
  const matchingTypes = accountTypes.filter((each) =>
    names.every((name) => attributesByType[each].includes(name)),
  );
  if (type === undefined && matchingTypes.length === 0) {
    yield `${names.join(', ')}: no account type has all of these`;
    return;
  }
  for (const name of names) {
    if (type !== undefined && !attributesByType[type].includes(name)) {
      const supporting = accountTypes.filter((each) => attributesByType[each].includes(name));
      yield `${name}: not supported by account type ${type}, only by ${supporting.join(' and ')}`;
    }
  }
  const required = type && requiredAttribute[type];
  if (isNew && required !== undefined && attributes[required] === undefined)
    yield `${required}: required by account type ${type}`;
  const { login_name: loginName, issuer } = attributes;
  const isLdap =
    type === 'ldap' || (type === undefined && matchingTypes.length === 1 && matchingTypes[0] === 'ldap');
  if (typeof loginName === 'string' && !isLdap) {
    const problem = loginNameProblem(loginName);
    if (problem !== undefined) yield `login_name: ${problem}`;
  }
  if (typeof issuer === 'string') {
    const problem = issuerProblem(issuer);
    if (problem !== undefined) yield `issuer: ${problem}`;
  }
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
