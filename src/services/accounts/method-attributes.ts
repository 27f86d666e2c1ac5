import type { Json } from '../../wire/json.ts';
import { compact } from './attributes.ts';
import type { Fields } from './body.ts';
import { attributesMismatch } from './errors.ts';
import type { AuthMethod, MethodType } from './model/auth-methods.ts';

type Attributes = AuthMethod['attributes'];

/**
 * How an attribute is read. `not stored`: secrets of identity providers and directories, and options of a check; the
 * service never calls them. `read only`: set by the service.
 */
export type AttributeKind = 'string' | 'strings' | 'boolean' | 'positiveInteger' | 'not stored' | 'read only';

export const attributeKinds: Readonly<Record<MethodType, Readonly<Record<string, AttributeKind>>>> = {
  password: { min_login_name_length: 'positiveInteger', min_password_length: 'positiveInteger' },
  oidc: {
    state: 'read only',
    ...kindOf('string', ['issuer', 'client_id', 'api_url_prefix']),
    max_age: 'positiveInteger',
    ...kindOf('strings', ['signing_algorithms', 'idp_ca_certs', 'allowed_audiences']),
    ...kindOf('strings', ['claims_scopes', 'account_claim_maps', 'prompts']),
    ...kindOf('not stored', ['client_secret', 'disable_discovered_config_validation', 'dry_run']),
    ...kindOf('read only', ['client_secret_hmac', 'callback_url']),
  },
  ldap: {
    state: 'string',
    urls: 'strings',
    ...kindOf('boolean', ['start_tls', 'insecure_tls', 'discover_dn', 'anon_group_search']),
    ...kindOf('boolean', ['enable_groups', 'use_token_groups']),
    ...kindOf('string', ['upn_domain', 'user_dn', 'user_attr', 'user_filter']),
    ...kindOf('string', ['group_dn', 'group_attr', 'group_filter', 'bind_dn']),
    ...kindOf('string', ['client_certificate', 'dereference_aliases']),
    maximum_page_size: 'positiveInteger',
    ...kindOf('strings', ['certificates', 'account_attribute_maps']),
    ...kindOf('not stored', ['bind_password', 'client_certificate_key']),
    ...kindOf('read only', ['bind_password_hmac', 'client_certificate_key_hmac']),
  },
};

/** Attributes that are never missing, and their values if they are not given. */
const defaults: Readonly<Record<MethodType, Attributes>> = {
  password: { min_login_name_length: 3, min_password_length: 8 },
  oidc: { state: 'inactive' },
  ldap: { state: 'inactive' },
};
const required: Readonly<Record<MethodType, string | undefined>> = {
  password: undefined,
  oidc: 'issuer',
  ldap: 'urls',
};

function kindOf(kind: AttributeKind, names: readonly string[]): Readonly<Record<string, AttributeKind>> {
  return Object.fromEntries(names.map((name) => [name, kind]));
}

/** The attributes of a new auth method. Problems are collected in the fields. @throws InvalidFieldsError 400 */
export function newMethodAttributes(type: MethodType, fields: Fields): Attributes {
  const name = required[type];
  if (name !== undefined && isMissing(fields, name)) fields.addProblem(name, 'This is a required field.');
  return { ...defaults[type], ...compact(readAttributes(type, fields, fields.names)) };
}

/**
 * The attributes of an auth method after an update; null unsets one. Problems are collected in the fields.
 *
 * @param names the attributes to change
 * @throws InvalidFieldsError 400
 */
export function updatedMethodAttributes(
  { type, attributes }: Pick<AuthMethod, 'type' | 'attributes'>,
  fields: Fields,
  names: readonly string[],
): Attributes {
  const name = required[type];
  if (name !== undefined && names.includes(name) && isMissing(fields, name))
    fields.addProblem(name, 'Can change but cannot unset this field.');
  return { ...defaults[type], ...compact({ ...attributes, ...readAttributes(type, fields, names) }) };
}

/** Whether an update may name the attribute. */
export const isMethodAttribute = (type: MethodType, name: string): boolean =>
  Object.hasOwn(attributeKinds[type], name);

function isMissing(fields: Fields, name: string): boolean {
  const value = fields.get(name);
  return value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
}

/** The values of the named attributes; undefined: unset. @throws InvalidFieldsError 400 */
function readAttributes(
  type: MethodType,
  fields: Fields,
  names: readonly string[],
): { readonly [name: string]: Json | undefined } {
  if (!fields.names.every((name) => isMethodAttribute(type, name))) throw attributesMismatch();
  return Object.fromEntries(
    names.flatMap((name) => {
      const kind = attributeKinds[type][name];
      if (kind === 'read only') fields.addProblem(name, 'Field is read only.');
      if (kind === undefined || kind === 'read only' || kind === 'not stored') return [];
      return [[name, fields[kind](name)]];
    }),
  );
}
