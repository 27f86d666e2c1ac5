import { arg, command } from '../../../command/command.ts';
import { comparableGrant } from '../../../objects/grants/check.ts';
import { roleArg } from '../lib/access/find-named.ts';
import { counted, membersResult, requireMembers } from '../lib/access/members.ts';
import { roleMemberFlags, roleToChange } from '../lib/access/role-members.ts';
import { objectTitle } from '../lib/access/views.ts';
import { changeVersioned } from '../lib/versioned.ts';

export default command({
  description:
    'The order of fields, IDs and actions in a grant does not matter. A grant that the role does not have is an error (exit code 3): nothing is removed. "lanyard account role get" shows the grants.',
  examples: [`lanyard account role remove-grants ops 'ids=*;type=user;actions=list,read'`],
  service: 'accounts',
  writes: 'after reads',
  args: { role: roleArg, grants: arg.rest('GRANT', 'grants of the role', 1) },
  flags: roleMemberFlags,
  async run({ args, flags }, ctx) {
    const { accounts, base } = await roleToChange(args.role, flags, ctx);
    const asStored = new Map(
      (base.current.grant_strings ?? []).map((grant) => [comparableGrant(grant), grant] as const),
    );
    const missing = args.grants.filter((grant) => !asStored.has(comparableGrant(grant)));
    requireMembers(`role ${objectTitle(base.current)}`, 'grant', missing);
    const removed = [...new Set(args.grants.map((grant) => asStored.get(comparableGrant(grant)) ?? grant))];
    const role = await changeVersioned(
      ctx,
      base,
      () => accounts.removeRoleGrants({ id: base.id, version: base.version, grant_strings: removed }),
      { isWritten: ({ grant_strings }) => !removed.some((grant) => grant_strings?.includes(grant)) },
    );
    return membersResult(`Removed ${counted(removed.length, 'grant')} from role`, role);
  },
});
