import { type Fields, type Input, storedOf } from '../core/schema/types.ts';
import { readAttributes } from './body.ts';
import { attributesMismatch, type Problems } from './errors.ts';
import { type Account, accountAttributes, anyAttributes } from './model/accounts.ts';
import type { AuthMethod, MethodType } from './model/auth-methods.ts';

type NewAttributes = Input<typeof anyAttributes>;

const loginPattern = /^[a-z0-9.-]*$/;

/** @throws InvalidFieldsError 400: an attribute that accounts of the type do not have */
export function checkNames(type: MethodType, attributes: object): void {
  const names = Object.keys(attributes);
  if (!names.every((name) => Object.hasOwn(accountAttributes[type], name))) throw attributesMismatch();
}

/** Minimum characters of a login name and of a password in an auth method of type password. */
export function minLengths({ attributes }: AuthMethod): {
  readonly login: number;
  readonly password: number;
} {
  const { min_login_name_length: login = 0, min_password_length: password = 0 } = attributes;
  return { login, password };
}

/** Counts code points after normalization. */
export const isTooShort = (text: string, minLength: number): boolean =>
  [...text.normalize('NFC')].length < minLength;

/** The attributes of a new account, by its type. Problems are collected; see also `attributesInMethod`. */
export const newAttributes = (type: MethodType, sent: object, problems: Problems): NewAttributes =>
  readAttributes(accountAttributes[type] as Fields, sent, problems);

/** The attributes of a new account with the defaults of its auth method, without a password. Problems are collected. */
export function attributesInMethod(method: AuthMethod, attributes: NewAttributes, problems: Problems) {
  const { login_name: login = '', issuer } = attributes;
  if (method.type === 'password') checkLogin(login, method, problems);
  if (method.type === 'ldap' && login !== login.toLowerCase())
    problems.add('attributes.login_name', 'Must be lower case.');
  const stored = storedOf(anyAttributes, attributes);
  return issuer === '' ? { ...stored, issuer: method.attributes.issuer ?? '' } : stored;
}

function checkLogin(login: string, method: AuthMethod, problems: Problems): void {
  if (!loginPattern.test(login))
    problems.add('attributes.login_name', 'Only lower-case letters, digits, "." and "-" are allowed.');
  else if (login !== '' && isTooShort(login, minLengths(method).login))
    problems.add('attributes.login_name', 'Length too short.');
}

/** Attributes set by an identity provider or directory. */
const readOnly = ['full_name', 'email', 'dn', 'member_of_groups', 'token_claims', 'userinfo_claims'];
const immutable = ['issuer', 'subject', 'login_name'];

/** Collects a problem for each attribute that an update must not name. */
export function checkUpdatable(type: MethodType, names: readonly string[], problems: Problems): void {
  for (const name of names) {
    const path = `attributes.${name}`;
    if (readOnly.includes(name))
      problems.add(path, type === 'ldap' ? 'Field cannot be updated.' : 'Field is read only.');
    if (immutable.includes(name) && !(name === 'login_name' && type === 'password'))
      problems.add(path, 'Field cannot be updated.');
    if (name === 'password')
      problems.add(path, 'A password is not updated: set-password and change-password do that.');
  }
}

/** The attributes of an account after an update: only the login name of type password can be changed. */
export function updatedAttributes(
  { attributes }: Account,
  method: AuthMethod,
  sent: { readonly login_name?: unknown } | null | undefined,
  updatedNames: readonly string[],
  problems: Problems,
): Account['attributes'] {
  if (!updatedNames.includes('login_name')) return attributes;
  const { login_name } = accountAttributes.password;
  const given = { ...(sent && 'login_name' in sent && { login_name: sent.login_name }) };
  const { login_name: login } = readAttributes({ login_name }, given, problems, 'Length too short.');
  checkLogin(login, method, problems);
  return { ...attributes, login_name: login };
}

/** Whether an update may name the attribute, even if it cannot be changed. */
export const isAttribute = (name: string): boolean => Object.hasOwn(anyAttributes.fields, name);
