import { arg, command, flag } from '../../../command/command.ts';
import { accountScope } from '../../../objects/account-access.ts';
import { checkNewName, createConfirmed, describeTakenName } from '../lib/access/create-named.ts';
import { createFlags, newLabels } from '../lib/access/label-update.ts';
import { doneLine } from '../lib/access/views.ts';
import { describeMissingScope } from '../lib/errors.ts';
import { anyOf } from '../lib/filters.ts';
import { findScopeId, scopeFlag } from '../lib/find-scope.ts';

const { description } = createFlags(accountScope);

export default command({
  description:
    'The new scope is an organization, or with --scope a project in one. Boundary also creates a role with all permissions for you, and in an organization a role for logins; the --skip flags omit them.',
  examples: [
    'lanyard account scope create team-a --description "Team A"',
    'lanyard account scope create shop --scope team-a',
  ],
  service: 'accounts',
  writes: 'after reads',
  changes: ['account role'],
  args: { name: arg.text('NAME', 'name, unique in the scope above') },
  flags: {
    ...(description && { description }),
    scope: scopeFlag('scope above the new one'),
    skipAdminRoleCreation: flag.boolean('create no role with all permissions for you'),
    skipDefaultRoleCreation: flag.boolean('create no role for logins'),
  },
  async run({ args: { name }, flags }, ctx) {
    checkNewName('scope', name);
    const scope_id = await findScopeId(flags.scope, ctx);
    const accounts = await ctx.api.accounts();
    const scope = await createConfirmed(
      {
        noun: 'scope',
        create: () =>
          accounts
            .createScope({
              ...newLabels(accountScope, flags),
              name,
              scope_id,
              ...(flags.skipAdminRoleCreation && { skip_admin_role_creation: 'true' }),
              ...(flags.skipDefaultRoleCreation && { skip_default_role_creation: 'true' }),
            })
            .catch(describeTakenName('scope', name))
            .catch(describeMissingScope(scope_id)),
        list: () => accounts.findScopes({ scope_id, filter: anyOf('name', [name.trim()]) }),
        read: ({ id }) => accounts.readScope({ id }),
        isSame: (each) => each.name === name.trim(),
      },
      ctx,
    );
    return { data: scope, document: [doneLine('Created scope', scope)] };
  },
});
