import { account } from '../../../objects/account.ts';
import { type AccountType, accountTypes } from '../../../objects/account-auth-method.ts';
import type { Schema } from '../../../objects/schema.ts';
import { invalidFieldsError } from './account-types.ts';
import type { Fields } from './fields.ts';

/** The attributes of a type. */
const attributesOf = (type: AccountType): readonly string[] =>
  Object.entries<Schema>(account.properties.attributes.properties).flatMap(([name, { types }]) =>
    types?.includes(type) ? [name] : [],
  );

const requiredAttribute: { readonly [T in AccountType]: string } = {
  password: 'login_name',
  oidc: 'subject',
  ldap: 'login_name',
};

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
    names.every((name) => attributesOf(each).includes(name)),
  );
  if (type === undefined && matchingTypes.length === 0) {
    yield `${names.join(', ')}: no account type has all of these`;
    return;
  }
  for (const name of names) {
    if (type !== undefined && !attributesOf(type).includes(name)) {
      const supporting = accountTypes.filter((each) => attributesOf(each).includes(name));
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
