import { flag } from '../../command.ts';
import type { Context } from '../../context.ts';
import { usage } from '../../errors.ts';
import type { Json } from '../../wire/json.ts';

/** Members of a request: those that were named and no others. */
export type Fields = Readonly<Record<string, Json>>;

/** A flag for each field of an account but its password. */
export const fieldFlags = {
  name: flag.text('NAME', 'its name'),
  description: flag.text('TEXT', 'what it is for'),
  loginName: flag.text('NAME', 'password, ldap: what it logs in as'),
  issuer: flag.text('URL', 'oidc: the issuer that knows it (default: that of the auth method)'),
  subject: flag.text('ID', 'oidc: its subject at the issuer'),
  fullName: flag.text('NAME', 'oidc, ldap: the name of the person'),
  email: flag.text('ADDRESS', 'oidc, ldap: the address of the person'),
  dn: flag.text('DN', 'ldap: its distinguished name'),
  memberOfGroups: flag.texts('GROUP', 'ldap: a group that it is in; repeatable'),
  tokenClaims: flag.text('FILE|-', 'oidc: the claims of its ID token, an object of JSON or YAML', {
    completes: 'file',
  }),
  userinfoClaims: flag.text('FILE|-', 'oidc: the claims of its user info, an object of JSON or YAML', {
    completes: 'file',
  }),
} as const;

/** The same where there is something to clear. */
export const changeFlags = {
  ...fieldFlags,
  name: flag.text('NAME', 'its name; null clears it, as does an empty text; \'"null"\' is the word'),
  description: flag.text('TEXT', 'what it is for; null as with --name'),
  fullName: flag.text('NAME', 'oidc, ldap: the name of the person; null as with --name'),
  email: flag.text('ADDRESS', 'oidc, ldap: the address of the person; null as with --name'),
  dn: flag.text('DN', 'ldap: its distinguished name; null as with --name'),
} as const;

export const atFlag = flag.integer(
  'VERSION',
  'the version that the account must still have (default: the one that it has now)',
);

interface Given {
  readonly name: string | undefined;
  readonly description: string | undefined;
  readonly loginName: string | undefined;
  readonly issuer: string | undefined;
  readonly subject: string | undefined;
  readonly fullName: string | undefined;
  readonly email: string | undefined;
  readonly dn: string | undefined;
  readonly memberOfGroups: readonly string[];
  readonly tokenClaims: string | undefined;
  readonly userinfoClaims: string | undefined;
}

/** Fields of an account, and its attributes. `null` in a member clears it. */
export interface Named {
  readonly own: Fields;
  readonly attributes: Fields;
}

/**
 * What flags name.
 *
 * @param isNew an empty text is left out; else it clears, because a service may reject it as a value.
 */
export async function fieldsFrom(
  flags: Given,
  ctx: Pick<Context, 'definitions'>,
  { isNew }: { readonly isNew: boolean },
): Promise<Named> {
  const clearable = (value: string | undefined): string | null | undefined =>
    value?.trim() === '' ? (isNew ? undefined : null) : unquoted(value);
  return {
    own: present({ name: clearable(flags.name), description: clearable(flags.description) }),
    attributes: present({
      login_name: flags.loginName,
      issuer: flags.issuer,
      subject: flags.subject,
      full_name: clearable(flags.fullName),
      email: clearable(flags.email),
      dn: clearable(flags.dn),
      member_of_groups: groups(flags.memberOfGroups),
      token_claims: await claimsIn(flags.tokenClaims, 'token', ctx),
      userinfo_claims: await claimsIn(flags.userinfoClaims, 'user info', ctx),
    }),
  };
}

/** An empty text is no group: alone, it says that there are none. */
const groups = (named: readonly string[]): Json | undefined =>
  named.length === 0 ? undefined : named.filter((group) => group !== '');

/** The word `null` clears a text; in double quotes it is the text itself. */
function unquoted(value: string | undefined): string | null | undefined {
  if (value === 'null') return null;
  return value === '"null"' ? 'null' : value;
}

async function claimsIn(
  file: string | undefined,
  what: string,
  ctx: Pick<Context, 'definitions'>,
): Promise<Json | undefined> {
  if (file === undefined) return undefined;
  const { name, definitions } = await ctx.definitions(file);
  const [claims, ...others] = definitions;
  if (!claims || others.length > 0)
    throw usage(`${name} holds ${definitions.length} objects; the ${what} claims are one`);
  if (typeof claims.value !== 'object' || claims.value === null || Array.isArray(claims.value))
    throw usage(`${name} does not hold the ${what} claims: an object is needed`);
  return claims.value;
}

const present = (members: Readonly<Record<string, Json | undefined>>): Fields =>
  Object.fromEntries(
    Object.entries(members).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
