import { arg, command, flag } from '../../../command/command.ts';
import { usage } from '../../../errors.ts';
import { type AccountType, accountTypes } from '../../../objects/account-auth-method.ts';
import { checkNewName, createConfirmed, describeTakenName } from '../lib/access/create-named.ts';
import { doneLine } from '../lib/access/views.ts';
import { describeMissingScope } from '../lib/errors.ts';
import { findScopeId, scopeFlag } from '../lib/find-scope.ts';
import { checkMethodFlags, methodFlags, readMethodFields, withoutNulls } from '../lib/method-fields.ts';

const { name: _, ...fieldFlags } = methodFlags;

export default command({
  description:
    'Accounts of a new auth method can log in once they have a user. "lanyard account scope update --primary-auth-method" makes it the primary one, whose accounts get a user with their first login. A new auth method of type oidc is inactive until "lanyard account auth-method update --state".',
  examples: [
    'lanyard account auth-method create staff --scope team-a',
    'lanyard account auth-method create strict --min-password-length 12',
    'lanyard account auth-method create corp --type oidc --issuer https://idp.example.com --client-id boundary --client-secret @client-secret.txt --api-url-prefix https://boundary.example.com --signing-algorithm RS256',
    'lanyard account auth-method create directory --type ldap --url ldaps://ldap.example.com --user-dn ou=people,dc=example,dc=com --state active-public',
  ],
  service: 'accounts',
  writes: 'after reads',
  args: { name: arg.text('NAME', 'name, unique in the scope') },
  flags: {
    type: flag.choice(accountTypes, 'type (default password)'),
    scope: scopeFlag('scope of the auth method'),
    ...fieldFlags,
  },
  async run({ args: { name }, flags }, ctx) {
    checkNewName('auth method', name);
    const { type = 'password' } = flags;
    const given = { ...flags, unset: [] };
    checkMethodFlags(type, given);
    checkRequired(type, flags);
    const { labels, attributes } = await readMethodFields(type, given, ctx);
    const scope_id = await findScopeId(flags.scope, ctx);
    const accounts = await ctx.api.accounts();
    const method = await createConfirmed(
      {
        noun: 'auth method',
        create: () =>
          accounts
            .createAuthMethod({
              ...withoutNulls(labels),
              scope_id,
              type,
              name,
              attributes: withoutNulls(attributes),
            })
            .catch(describeTakenName('auth method', name))
            .catch(describeMissingScope(scope_id)),
        list: () => accounts.listVisibleAuthMethods({ scope_id }),
        read: ({ id }) => accounts.readAuthMethod({ id }),
        isSame: (each) => each.name === name.trim(),
      },
      ctx,
    );
    return { data: method, document: [doneLine('Created auth method', method)] };
  },
});

/** Without these, Boundary creates no auth method of the type. */
const requiredFlags = {
  password: {},
  oidc: { clientId: '--client-id', clientSecret: '--client-secret', apiUrlPrefix: '--api-url-prefix' },
  ldap: { url: '--url' },
} as const satisfies { readonly [T in AccountType]: Readonly<Record<string, string>> };

/** @throws LanyardError usage: a required flag is missing, or the state of type oidc is given. */
function checkRequired(type: AccountType, flags: Readonly<Record<string, unknown>>): void {
  const missing = Object.entries(requiredFlags[type]).flatMap(([key, name]) =>
    flags[key] === undefined || (Array.isArray(flags[key]) && flags[key].length === 0) ? [name] : [],
  );
  if (missing.length > 0)
    throw usage(`missing ${missing.join(', ')}: required for auth methods of type ${type}`);
  if (type === 'oidc' && flags.state !== undefined)
    throw usage('--state is not supported for a new auth method of type oidc: it is inactive at first', {
      hint: 'Create it without --state, then run `lanyard account auth-method update METHOD --state STATE`.',
    });
}
