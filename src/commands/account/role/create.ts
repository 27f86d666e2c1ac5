import { arg, command, flag } from '../../../command/command.ts';
import { accountRole } from '../../../objects/account-access.ts';
import { checkNewName, createConfirmed, describeTakenName } from '../lib/access/create-named.ts';
import { findPrincipalIds, roleOf } from '../lib/access/find-named.ts';
import { createFlags, newLabels } from '../lib/access/label-update.ts';
import {
  addGrantsStep,
  addPrincipalsStep,
  checkGrants,
  grantScopeFlag,
  grantScopeIds,
  hasGrantScopes,
  newGrants,
  setGrantScopesStep,
} from '../lib/access/role-steps.ts';
import { changeInSteps } from '../lib/access/steps.ts';
import { doneLine, objectTitle } from '../lib/access/views.ts';
import { describeMissingScope } from '../lib/errors.ts';
import { anyOf } from '../lib/filters.ts';
import { findScopeId, scopeFlag, scopesUpTo } from '../lib/find-scope.ts';

export default command({
  description:
    'Grants apply to the scope of the role unless --grant-scope is given; their form is checked before anything is sent. Grant scopes, grants and principals are added by requests of their own: after an error the exit code is 9, and the message has the commands for the rest.',
  examples: [
    'lanyard account role create auditors --description "Read all"',
    `lanyard account role create ops --grant-scope this --grant-scope descendants --grant 'ids=*;type=*;actions=read,list' --principal u_auth`,
    `lanyard account role create deployers --scope team-a --grant 'ids=*;type=user;actions=list'`,
  ],
  service: 'accounts',
  writes: 'after reads',
  args: { name: arg.text('NAME', 'name, unique in the scope') },
  flags: {
    ...createFlags(accountRole),
    scope: scopeFlag('scope of the role'),
    grantScope: grantScopeFlag,
    grant: flag.texts('GRANT', 'grant, such as "ids=*;type=target;actions=list,read"; repeatable'),
    principal: flag.texts(
      'USER',
      'name of a user, or ID of a user or group, that gets the role; repeatable',
      {
        completes: 'account-user',
      },
    ),
  },
  async run({ args, flags }, ctx) {
    const { name } = args;
    checkNewName('role', name);
    checkGrants(flags.grant);
    const scope_id = await findScopeId(flags.scope, ctx);
    const grants = newGrants({}, flags.grant);
    const scopes = await grantScopeIds(flags.grantScope, ctx);
    const principals = await findPrincipalIds(flags.principal, () => scopesUpTo(scope_id, ctx), ctx);
    const accounts = await ctx.api.accounts();
    const created = await createConfirmed(
      {
        noun: 'role',
        create: () =>
          accounts
            .createRole({ ...newLabels(accountRole, flags), name, scope_id })
            .catch(describeTakenName('role', name))
            .catch(describeMissingScope(scope_id)),
        list: () => accounts.findRoles({ scope_id, filter: anyOf('name', [name.trim()]) }),
        read: ({ id }) => accounts.readRole({ id }),
        isSame: (each) => each.name === name.trim(),
      },
      ctx,
    );
    const role = await changeInSteps(
      ctx,
      { ...roleOf(accounts, created.id), version: created.version, current: created },
      [
        ...(scopes.length === 0 || hasGrantScopes(created, scopes)
          ? []
          : [setGrantScopesStep(accounts, scopes)]),
        ...(grants.length === 0 ? [] : [addGrantsStep(accounts, grants)]),
        ...(principals.length === 0 ? [] : [addPrincipalsStep(accounts, principals)]),
      ],
      [`Created role ${objectTitle(created)}.`],
    );
    return { data: role, document: [doneLine('Created role', role)] };
  },
});
