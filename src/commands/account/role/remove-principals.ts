import { command } from '../../../command/command.ts';
import { findPrincipalIds, roleArg } from '../lib/access/find-named.ts';
import { counted, membersResult, requireMembers } from '../lib/access/members.ts';
import { principalsArg, roleMemberFlags, roleToChange } from '../lib/access/role-members.ts';
import { objectTitle } from '../lib/access/views.ts';
import { scopesUpTo } from '../lib/find-scope.ts';
import { changeVersioned } from '../lib/versioned.ts';

export default command({
  description:
    'Users and groups lose the grants of the role at once. A principal that the role does not have is an error (exit code 3): nothing is removed.',
  examples: ['lanyard account role remove-principals ops bob'],
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
    requireMembers(
      `role ${objectTitle(base.current)}`,
      'principal',
      ids.filter((id) => !existing?.includes(id)),
    );
    const role = await changeVersioned(
      ctx,
      base,
      () => accounts.removeRolePrincipals({ id: base.id, version: base.version, principal_ids: ids }),
      { isWritten: ({ principal_ids }) => !ids.some((id) => principal_ids?.includes(id)) },
    );
    return membersResult(`Removed ${counted(ids.length, 'principal')} from role`, role);
  },
});
