import type { Json } from '../../wire/json.ts';
import type { Fields } from './http/fields.ts';
import { badField } from './http/refusals.ts';
import type { Account } from './state/accounts.ts';
import type { AuthMethod, MethodType } from './state/auth-methods.ts';

type Attributes = { readonly [name: string]: Json };

const loginForm = /^[a-z0-9.-]*$/;
const requiredForType = 'This is a required field for this type.';

/** The attributes that a request may have, by the type of the account (docs/protocol/accounts.md#endpoints). */
const namesOf: Readonly<Record<MethodType, readonly string[]>> = {
  password: ['login_name', 'password'],
  oidc: ['issuer', 'subject', 'full_name', 'email', 'token_claims', 'userinfo_claims'],
  ldap: ['login_name', 'full_name', 'email', 'dn', 'member_of_groups'],
};

/** @throws FieldRefusal 400: one of the attributes is none of accounts of the type */
export function checkNames(type: MethodType, { names }: Fields): void {
  if (!names.every((name) => namesOf[type].includes(name)))
    throw badField('attributes', 'Attribute fields do not match the expected format.');
}

/** How short a login name and a password may be in an auth method of type password. */
export function minimums({ attributes }: AuthMethod): { readonly login: number; readonly password: number } {
  return {
    login: Number(attributes.min_login_name_length),
    password: Number(attributes.min_password_length),
  };
}

/** Counted in characters as people see them. */
export const isTooShort = (text: string, least: number): boolean => [...text.normalize('NFC')].length < least;

/**
 * The attributes of a new account, by its type (docs/protocol/accounts.md#endpoints); what is wrong with them is
 * gathered in the fields. A password is not among them.
 */
export function newAttributes(method: AuthMethod, fields: Fields): Attributes {
  return attributesOf[method.type](fields, method);
}

const attributesOf: Readonly<Record<MethodType, (fields: Fields, method: AuthMethod) => Attributes>> = {
  password: (fields, method) => ({ login_name: loginName(fields, method, requiredForType) }),
  oidc: (fields, { attributes }) => ({
    issuer: fields.text('issuer') ?? attributes.issuer ?? '',
    subject: fields.required('subject', requiredForType),
    ...present({
      full_name: fields.text('full_name'),
      email: fields.text('email'),
      token_claims: fields.object('token_claims'),
      userinfo_claims: fields.object('userinfo_claims'),
    }),
  }),
  ldap: (fields) => ({
    login_name: fields.required('login_name', requiredForType),
    ...present({
      full_name: fields.text('full_name'),
      email: fields.text('email'),
      dn: fields.text('dn'),
      member_of_groups: fields.texts('member_of_groups'),
    }),
  }),
};

function present(members: { readonly [name: string]: Json }): Attributes {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null));
}

function loginName(fields: Fields, method: AuthMethod, missing: string): string {
  const login = fields.required('login_name', missing);
  if (!loginForm.test(login))
    fields.problem('login_name', 'Only lower-case letters, digits, "." and "-" are allowed.');
  else if (login !== '' && isTooShort(login, minimums(method).login))
    fields.problem('login_name', 'Length too short.');
  return login;
}

/** Attributes that another place decides on. */
const readOnly = ['full_name', 'email', 'dn', 'member_of_groups', 'token_claims', 'userinfo_claims'];
const fixed = ['issuer', 'subject', 'login_name'];

/**
 * The attributes of an account after an update that names some of them: of those only the login name of an account of
 * type password can be changed (docs/protocol/accounts.md#endpoints).
 */
export function updatedAttributes(
  { type, attributes }: Account,
  method: AuthMethod,
  fields: Fields,
  named: readonly string[],
): Attributes {
  const changed = named.includes('login_name') && type === 'password';
  for (const name of named) {
    if (readOnly.includes(name)) fields.problem(name, 'This field is read only.');
    if (fixed.includes(name) && !changed) fields.problem(name, 'This field cannot be updated.');
    if (name === 'password')
      fields.problem(name, 'A password is not updated: set-password and change-password do that.');
  }
  return changed ? { ...attributes, login_name: loginName(fields, method, 'Length too short.') } : attributes;
}

/** Attributes that an update may name, whether they can be changed or not. */
export const isAttribute = (name: string): boolean => [...readOnly, ...fixed, 'password'].includes(name);
