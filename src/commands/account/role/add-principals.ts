import { command } from '../../../command/command.ts';
import { findPrincipalIds, roleArg } from '../lib/access/find-named.ts';
import { counted, membersResult, unchangedResult } from '../lib/access/members.ts';
import { principalsArg, roleMemberFlags, roleToChange } from '../lib/access/role-members.ts';
import { addPrincipalsStep } from '../lib/access/role-steps.ts';
import { changeInSteps } from '../lib/access/steps.ts';
import { scopesUpTo } from '../lib/find-scope.ts';

export default command({
  description:
    'Names of users are looked up in the scope of the role and the scopes above it; groups and managed groups are given by their IDs. u_auth is every user with a token, u_anon everybody.',
  examples: [
    'lanyard account role add-principals ops bob',
    'lanyard account role add-principals ops u_1234567890 u_auth',
  ],
  service: 'accounts',
  writes: 'after reads',
  args: {
    role: roleArg,
    principals: principalsArg,
  },
  flags: roleMemberFlags,
  async run({ args, flags }, ctx) {
    const { accounts, base } = await roleToChange(args.role, flags, ctx);
    const { principal_ids: existing, scope_id: scope = 'global' } = base.current;
    const ids = await findPrincipalIds(args.principals, () => scopesUpTo(scope, ctx), ctx);
    const added = base.isStale ? ids : ids.filter((id) => !existing?.includes(id));
    if (added.length === 0) return unchangedResult('Role', base.current, 'already has these principals');
    const role = await changeInSteps(ctx, base, [addPrincipalsStep(accounts, added)]);
    return membersResult(`Added ${counted(added.length, 'principal')} to role`, role);
  },
});
