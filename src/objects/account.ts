import { field } from './schema.ts';

/** A text of an account that an update can clear. */
const text = (description: string, types: readonly string[], help: string, value: string) =>
  field.string({ isAssigned: true, types, description, flag: { value, help } });

const inLdap = { types: ['ldap'], isAssigned: true } as const;
const setByService = 'Set by the service or at creation';

const attributes = field.object(
  {
    login_name: field.string({
      isAssigned: true,
      types: ['password', 'ldap'],
      description: 'The same as metadata.name (password, LDAP).',
      flag: { value: 'NAME', help: 'password, ldap: login name', isKept: true },
    }),
    issuer: field.string({
      isAssigned: true,
      types: ['oidc'],
      description: 'URL of the identity provider (OIDC, default: from the auth method).',
      flag: { value: 'URL', help: 'oidc: issuer (default: issuer of the auth method)', isKept: true },
    }),
    subject: field.string({
      isAssigned: true,
      types: ['oidc'],
      description: 'The same as metadata.name (OIDC).',
      flag: { value: 'ID', help: 'oidc: subject at the issuer', isKept: true },
    }),
    full_name: text(`${setByService} (OIDC, LDAP).`, ['oidc', 'ldap'], 'oidc, ldap: full name', 'NAME'),
    email: text(`${setByService} (OIDC, LDAP).`, ['oidc', 'ldap'], 'oidc, ldap: email address', 'ADDRESS'),
    dn: text(`${setByService} (LDAP).`, ['ldap'], 'ldap: distinguished name', 'DN'),
    member_of_groups: field.set(field.string(), {
      ...inLdap,
      description: `${setByService} (LDAP).`,
      flag: { value: 'GROUP', help: 'ldap: group of the account; repeatable', isRepeated: true },
    }),
    token_claims: field.any({
      isAssigned: true,
      types: ['oidc'],
      description: `${setByService} (OIDC).`,
      flag: {
        help: 'oidc: ID token claims, an object in JSON or YAML',
        what: 'token claims',
        isKept: true,
      },
    }),
    userinfo_claims: field.any({
      isAssigned: true,
      types: ['oidc'],
      description: `${setByService} (OIDC).`,
      flag: {
        help: 'oidc: user info claims, an object in JSON or YAML',
        what: 'user info claims',
        isKept: true,
      },
    }),
    password: field.secret({
      flag: false,
      isWriteOnly: true,
      types: ['password'],
      description: 'Password of a new account.',
    }),
  },
  { isAssigned: true },
);

/** An account (docs/protocol/accounts.md#endpoints). */
export const account = field.object({
  name: field.string({ form: 'trimmed', description: 'Account name.', flag: { value: 'NAME' } }),
  description: field.string({ form: 'trimmed', description: 'Account description.' }),
  attributes,
});
