import type { Json } from '../../wire/json.ts';
import type { Fields } from './body.ts';
import { invalidField } from './errors.ts';
import type { Account } from './model/accounts.ts';
import type { AuthMethod, MethodType } from './model/auth-methods.ts';

type Attributes = { readonly [name: string]: Json };

const loginPattern = /^[a-z0-9.-]*$/;
const requiredForType = 'This is a required field for this type.';

/** The attributes that a request may contain, by the type of the account (docs/protocol/accounts.md#endpoints). */
const attributeNames: Readonly<Record<MethodType, readonly string[]>> = {
  password: ['login_name', 'password'],
  oidc: ['issuer', 'subject', 'full_name', 'email', 'token_claims', 'userinfo_claims'],
  ldap: ['login_name', 'full_name', 'email', 'dn', 'member_of_groups'],
};

/** @throws InvalidFieldsError 400: an attribute that accounts of the type do not have */
export function checkNames(type: MethodType, { names }: Fields): void {
  if (!names.every((name) => attributeNames[type].includes(name)))
    throw invalidField('attributes', 'Attribute fields do not match the expected format.');
}

/** Minimum characters of a login name and of a password in an auth method of type password. */
export function minLengths({ attributes }: AuthMethod): {
  readonly login: number;
  readonly password: number;
} {
  return {
    login: Number(attributes.min_login_name_length),
    password: Number(attributes.min_password_length),
  };
}

/** Counts code points after normalization. */
export const isTooShort = (text: string, minLength: number): boolean =>
  [...text.normalize('NFC')].length < minLength;

/**
 * The attributes of a new account, by its type, without a password (docs/protocol/accounts.md#endpoints). Problems
 * are collected in the fields.
 */
export function newAttributes(method: AuthMethod, fields: Fields): Attributes {
  return attributeReaders[method.type](fields, method);
}

const attributeReaders: Readonly<Record<MethodType, (fields: Fields, method: AuthMethod) => Attributes>> = {
  password: (fields, method) => ({ login_name: readLoginName(fields, method, requiredForType) }),
  oidc: (fields, { attributes }) => ({
    issuer: fields.string('issuer') ?? attributes.issuer ?? '',
    subject: fields.required('subject', requiredForType),
    ...compact({
      full_name: fields.string('full_name'),
      email: fields.string('email'),
      token_claims: fields.rawObject('token_claims'),
      userinfo_claims: fields.rawObject('userinfo_claims'),
    }),
  }),
  ldap: (fields) => ({
    login_name: fields.required('login_name', requiredForType),
    ...compact({
      full_name: fields.string('full_name'),
      email: fields.string('email'),
      dn: fields.string('dn'),
      member_of_groups: fields.strings('member_of_groups'),
    }),
  }),
};

/** Without the fields that are undefined. */
export function compact(values: { readonly [name: string]: unknown }): Attributes {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Attributes;
}

function readLoginName(fields: Fields, method: AuthMethod, missingMessage: string): string {
  const login = fields.required('login_name', missingMessage);
  if (!loginPattern.test(login))
    fields.addProblem('login_name', 'Only lower-case letters, digits, "." and "-" are allowed.');
  else if (login !== '' && isTooShort(login, minLengths(method).login))
    fields.addProblem('login_name', 'Length too short.');
  return login;
}

/** Attributes set by an identity provider or directory. */
const readOnly = ['full_name', 'email', 'dn', 'member_of_groups', 'token_claims', 'userinfo_claims'];
const immutable = ['issuer', 'subject', 'login_name'];

/**
 * The attributes of an account after an update. Only the login name of an account of type password can be changed
 * (docs/protocol/accounts.md#endpoints).
 */
export function updatedAttributes(
  { type, attributes }: Account,
  method: AuthMethod,
  fields: Fields,
  updatedNames: readonly string[],
): Attributes {
  const changesLogin = updatedNames.includes('login_name') && type === 'password';
  for (const name of updatedNames) {
    if (readOnly.includes(name)) fields.addProblem(name, 'This field is read only.');
    if (immutable.includes(name) && !changesLogin) fields.addProblem(name, 'This field cannot be updated.');
    if (name === 'password')
      fields.addProblem(name, 'A password is not updated: set-password and change-password do that.');
  }
  return changesLogin
    ? { ...attributes, login_name: readLoginName(fields, method, 'Length too short.') }
    : attributes;
}

/** Whether an update may name the attribute, even if it cannot be changed. */
export const isAttribute = (name: string): boolean => [...readOnly, ...immutable, 'password'].includes(name);
