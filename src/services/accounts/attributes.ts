import type { Json } from '../../wire/json.ts';
import type { Fields } from './body.ts';
import { attributesMismatch } from './errors.ts';
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
  if (!names.every((name) => attributeNames[type].includes(name))) throw attributesMismatch();
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
 * are collected in the fields. What depends on the auth method is left to `attributesInMethod`.
 */
export function newAttributes(type: MethodType, fields: Fields): Attributes {
  return attributeReaders[type](fields);
}

const attributeReaders: Readonly<Record<MethodType, (fields: Fields) => Attributes>> = {
  password: (fields) => ({ login_name: fields.required('login_name', requiredForType) }),
  oidc: (fields) => ({
    issuer: readIssuer(fields),
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

/** The issuer of an account, an address without a path; empty: that of the auth method. */
function readIssuer(fields: Fields): string {
  const issuer = fields.string('issuer') ?? '';
  if (issuer === '') return issuer;
  if (!/^https?:\/\//i.test(issuer))
    fields.addProblem('issuer', 'The path segment of the url should be empty.');
  else if (!URL.canParse(issuer)) fields.addProblem('issuer', 'Cannot be parsed as a url.');
  return issuer;
}

/** The attributes of a new account with the defaults of its auth method. Problems are collected in the fields. */
export function attributesInMethod(method: AuthMethod, attributes: Attributes, fields: Fields): Attributes {
  const login = `${attributes.login_name}`;
  if (method.type === 'password') checkLogin(login, method, fields);
  if (method.type === 'ldap' && login !== login.toLowerCase())
    fields.addProblem('login_name', 'Must be lower case.');
  if (method.type !== 'oidc' || attributes.issuer !== '') return attributes;
  return { ...attributes, issuer: method.attributes.issuer ?? '' };
}

/** Without the fields that are undefined. */
export function compact(values: { readonly [name: string]: unknown }): Attributes {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Attributes;
}

function checkLogin(login: string, method: AuthMethod, fields: Fields): void {
  if (!loginPattern.test(login))
    fields.addProblem('login_name', 'Only lower-case letters, digits, "." and "-" are allowed.');
  else if (login !== '' && isTooShort(login, minLengths(method).login))
    fields.addProblem('login_name', 'Length too short.');
}

/** Attributes set by an identity provider or directory. */
const readOnly = ['full_name', 'email', 'dn', 'member_of_groups', 'token_claims', 'userinfo_claims'];
const immutable = ['issuer', 'subject', 'login_name'];

/** Collects a problem for each attribute that an update must not name. */
export function checkUpdatable(type: MethodType, fields: Fields, updatedNames: readonly string[]): void {
  for (const name of updatedNames) {
    if (readOnly.includes(name))
      fields.addProblem(name, type === 'ldap' ? 'Field cannot be updated.' : 'Field is read only.');
    if (immutable.includes(name) && !(name === 'login_name' && type === 'password'))
      fields.addProblem(name, 'Field cannot be updated.');
    if (name === 'password')
      fields.addProblem(name, 'A password is not updated: set-password and change-password do that.');
  }
}

/**
 * The attributes of an account after an update. Only the login name of an account of type password can be changed
 * (docs/protocol/accounts.md#endpoints).
 */
export function updatedAttributes(
  { attributes }: Account,
  method: AuthMethod,
  fields: Fields,
  updatedNames: readonly string[],
): Attributes {
  if (!updatedNames.includes('login_name')) return attributes;
  const login = fields.required('login_name', 'Length too short.');
  checkLogin(login, method, fields);
  return { ...attributes, login_name: login };
}

/** Whether an update may name the attribute, even if it cannot be changed. */
export const isAttribute = (name: string): boolean => [...readOnly, ...immutable, 'password'].includes(name);
