import { flag, type Values } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import { usage } from '../../../errors.ts';
import type { Json } from '../../../wire/json.ts';
import { compact, isObject } from '../../../wire/objects.ts';

/** Fields of a request: only those that were given. */
export type Fields = Readonly<Record<string, Json>>;

export const fieldFlags = {
  name: flag.text('NAME', 'account name'),
  description: flag.text('TEXT', 'account description'),
  loginName: flag.text('NAME', 'password, ldap: login name'),
  issuer: flag.text('URL', 'oidc: issuer (default: issuer of the auth method)'),
  subject: flag.text('ID', 'oidc: subject at the issuer'),
  fullName: flag.text('NAME', 'oidc, ldap: full name'),
  email: flag.text('ADDRESS', 'oidc, ldap: email address'),
  dn: flag.text('DN', 'ldap: distinguished name'),
  memberOfGroups: flag.texts('GROUP', 'ldap: group of the account; repeatable'),
  tokenClaims: flag.file('FILE|-', 'oidc: ID token claims, an object in JSON or YAML'),
  userinfoClaims: flag.file('FILE|-', 'oidc: user info claims, an object in JSON or YAML'),
} as const;

/** The flags for an existing account, whose fields can be cleared. */
export const changeFlags = {
  ...fieldFlags,
  name: flag.text('NAME', 'account name; null or "" clears it, \'"null"\' is the text null'),
  description: flag.text('TEXT', 'account description; null clears it'),
  fullName: flag.text('NAME', 'oidc, ldap: full name; null clears it'),
  email: flag.text('ADDRESS', 'oidc, ldap: email address; null clears it'),
  dn: flag.text('DN', 'ldap: distinguished name; null clears it'),
} as const;

const { loginName: _login, issuer: _issuer, subject: _subject, ...clearable } = changeFlags;
const { tokenClaims: _claims, userinfoClaims: _userinfo, ...resettable } = clearable;
/** The flags that `--unset` resets: other attributes are required, or set by logins. */
export const clearableFlags = resettable;

export const versionFlag = flag.integer(
  'VERSION',
  'version that the account must have (default: its current version)',
);

/** Fields of an account, and its attributes. `null` clears a field. */
export interface AccountFields {
  readonly fields: Fields;
  readonly attributes: Fields;
}

/**
 * The fields given by flags.
 *
 * @param isNew an empty string is omitted; otherwise it clears the field, because a service may reject it as a value.
 */
export async function fieldsFrom(
  flags: Values<typeof fieldFlags>,
  ctx: Context,
  { isNew }: { readonly isNew: boolean },
): Promise<AccountFields> {
  const nullable = (value: string | undefined): string | null | undefined =>
    value?.trim() === '' ? (isNew ? undefined : null) : unquote(value);
  return {
    fields: compact({ name: nullable(flags.name), description: nullable(flags.description) }),
    attributes: compact({
      login_name: flags.loginName,
      issuer: flags.issuer,
      subject: flags.subject,
      full_name: nullable(flags.fullName),
      email: nullable(flags.email),
      dn: nullable(flags.dn),
      member_of_groups: groups(flags.memberOfGroups),
      token_claims: await readClaims(flags.tokenClaims, 'token', ctx),
      userinfo_claims: await readClaims(flags.userinfoClaims, 'user info', ctx),
    }),
  };
}

/** Empty strings are removed: a single one clears the groups. */
const groups = (named: readonly string[]): Json | undefined =>
  named.length === 0 ? undefined : named.filter((group) => group !== '');

/** `null` clears a field; in double quotes it is the text `null`. */
function unquote(value: string | undefined): string | null | undefined {
  if (value === 'null') return null;
  return value === '"null"' ? 'null' : value;
}

async function readClaims(file: string | undefined, what: string, ctx: Context): Promise<Json | undefined> {
  if (file === undefined) return undefined;
  const { name, definitions } = await ctx.input.readDefinitions(file);
  const [claims, ...others] = definitions;
  if (!claims || others.length > 0)
    throw usage(`invalid ${what} claims in ${name}: expected one object, got ${definitions.length}`);
  if (!isObject(claims.value)) throw usage(`invalid ${what} claims in ${name}: expected an object`);
  return claims.value;
}
