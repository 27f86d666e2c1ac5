import { usage } from '../../errors.ts';
import type { Fields } from './fields.ts';

export const types = ['password', 'oidc', 'ldap'] as const;
export type AccountType = (typeof types)[number];

/** The attributes of each type (docs/protocol/accounts.md#endpoints). */
const attributesOf: { readonly [T in AccountType]: readonly string[] } = {
  password: ['login_name', 'password'],
  oidc: ['issuer', 'subject', 'full_name', 'email', 'token_claims', 'userinfo_claims'],
  ldap: ['login_name', 'full_name', 'email', 'dn', 'member_of_groups'],
};

/** The one that an account cannot be without. */
const neededBy: { readonly [T in AccountType]: string } = {
  password: 'login_name',
  oidc: 'subject',
  ldap: 'login_name',
};

const prefixes: readonly (readonly [RegExp, AccountType])[] = [
  [/^(ampw|acctpw|apw)_/, 'password'],
  [/^(amoidc|acctoidc)_/, 'oidc'],
  [/^(amldap|acctldap)_/, 'ldap'],
];

/** The type that the ID of an auth method or an account tells; undefined: the prefix is not known. */
export const typeOfId = (id: string): AccountType | undefined =>
  prefixes.find(([prefix]) => prefix.test(id))?.[1];

/** The type of an account to be made. @throws LanyardError usage: `--type` and the auth method differ. */
export function typeFor(authMethod: string, given: AccountType | undefined): AccountType | undefined {
  const told = typeOfId(authMethod);
  if (given !== undefined && told !== undefined && given !== told)
    throw refused([`type: ${authMethod} is an auth method of type ${told}, not ${given}`]);
  return given ?? told;
}

// The auth method decides how short a login name and a password may be; the characters are the same in all of them.
const loginNameProblem = (name: string): string | undefined =>
  /^[a-z0-9.-]+$/.test(name)
    ? undefined
    : `"${name}" is not a login name: it may have lower-case letters, digits, "." and "-"`;

function issuerProblem(issuer: string): string | undefined {
  const url = URL.parse(issuer);
  return url && ['http:', 'https:'].includes(url.protocol)
    ? undefined
    : `"${issuer}" is not an http or https URL`;
}

/**
 * Checks the attributes that were named.
 *
 * @param type undefined: not known; then only what holds for each type that has them all.
 * @param isNew what a new account needs has to be there.
 * @throws LanyardError usage: one detail a problem, `attributes.FIELD: RULE`.
 */
export function checkAttributes(
  attributes: Fields,
  { type, isNew }: { readonly type: AccountType | undefined; readonly isNew: boolean },
): void {
  const problems = [...attributeProblems(attributes, type, isNew)].map((problem) => `attributes.${problem}`);
  if (problems.length > 0) throw refused(problems);
}

function* attributeProblems(
  attributes: Fields,
  type: AccountType | undefined,
  isNew: boolean,
): Generator<string> {
  const names = Object.keys(attributes);
  const fitting = types.filter((each) => names.every((name) => attributesOf[each].includes(name)));
  if (type === undefined && fitting.length === 0) {
    yield `${names.join(', ')}: no type of account has these together`;
    return;
  }
  for (const name of names) {
    if (type !== undefined && !attributesOf[type].includes(name)) {
      const having = types.filter((each) => attributesOf[each].includes(name));
      yield `${name}: belongs to accounts of type ${having.join(' and ')}, and this is one of type ${type}`;
    }
  }
  const needed = type && neededBy[type];
  if (isNew && needed !== undefined && attributes[needed] === undefined)
    yield `${needed}: an account of type ${type} needs it`;
  const { login_name: loginName, issuer } = attributes;
  const isLdap = type === 'ldap' || (type === undefined && fitting.length === 1 && fitting[0] === 'ldap');
  if (typeof loginName === 'string' && !isLdap) {
    const problem = loginNameProblem(loginName);
    if (problem !== undefined) yield `login_name: ${problem}`;
  }
  if (typeof issuer === 'string') {
    const problem = issuerProblem(issuer);
    if (problem !== undefined) yield `issuer: ${problem}`;
  }
}

/** @throws LanyardError usage: the account is of a type whose passwords are kept elsewhere. */
export function checkHasPassword(id: string): void {
  const type = typeOfId(id);
  if (type !== undefined && type !== 'password')
    throw refused([`id: ${id} is an account of type ${type}, whose password is kept elsewhere`]);
}

export const refused = (details: readonly string[]) =>
  usage('the service would refuse this', { details, hint: 'Nothing was sent.' });
