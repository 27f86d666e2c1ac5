import { arg, command, flag } from '../../../command/command.ts';
import { onlyObject } from '../../../command/read-fields.ts';
import { usage } from '../../../errors.ts';
import { compact } from '../../../wire/objects.ts';
import { createConfirmed, describeTakenName } from '../lib/access/create-named.ts';
import { doneLine } from '../lib/access/views.ts';
import { accountTypes } from '../lib/account-types.ts';
import { describeMissingScope } from '../lib/errors.ts';
import { findScopeId, scopeFlag } from '../lib/find-scope.ts';

export default command({
  description:
    'Accounts of a new auth method can log in once they have a user. "lanyard account scope update --primary-auth-method" makes it the primary one, whose accounts get a user with their first login. The settings of OIDC and LDAP are read from a file or standard input, because they contain secrets; one of type oidc is inactive until its state is changed.',
  examples: [
    'lanyard account auth-method create staff --scope team-a',
    'lanyard account auth-method create strict --attributes strict.json',
  ],
  service: 'accounts',
  writes: 'after reads',
  args: { name: arg.text('NAME', 'name, unique in the scope') },
  flags: {
    type: flag.choice(accountTypes, 'type (default password)'),
    scope: scopeFlag('scope of the auth method'),
    description: flag.text('TEXT', 'description'),
    attributes: flag.file('FILE|-', 'settings of the type, an object in JSON or YAML'),
  },
  async run({ args: { name }, flags }, ctx) {
    if (name.trim() === '') throw usage(`invalid auth method name "${name}": must not be empty`);
    const attributes =
      flags.attributes === undefined
        ? {}
        : onlyObject(await ctx.input.readDefinitions(flags.attributes), 'attributes');
    const scope_id = await findScopeId(flags.scope, ctx);
    const accounts = await ctx.api.accounts();
    const method = await createConfirmed(
      {
        noun: 'auth method',
        create: () =>
          accounts
            .createAuthMethod({
              scope_id,
              type: flags.type ?? 'password',
              name,
              attributes,
              ...compact({ description: flags.description || undefined }),
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
