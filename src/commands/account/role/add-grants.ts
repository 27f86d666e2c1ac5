import { arg, command } from '../../../command/command.ts';
import { roleArg } from '../lib/access/find-named.ts';
import { counted, membersResult, unchangedResult } from '../lib/access/members.ts';
import { roleMemberFlags, roleToChange } from '../lib/access/role-members.ts';
import { addGrantsStep, checkGrants, newGrants } from '../lib/access/role-steps.ts';
import { changeInSteps } from '../lib/access/steps.ts';

export default command({
  description:
    'A grant names resources by IDs, by type or both, and the permitted actions. Its form is checked before anything is sent: unknown types, actions and fields, and combinations without an effect, are errors. Quote grants: ";" ends a command in shells.',
  examples: [
    `lanyard account role add-grants ops 'ids=*;type=user;actions=list,read'`,
    `lanyard account role add-grants ops 'type=account;ids=ampw_1234567890;actions=create,list' 'ids=*;type=scope;actions=list,no-op'`,
  ],
  service: 'accounts',
  writes: 'after reads',
  args: { role: roleArg, grants: arg.rest('GRANT', 'grants, such as "ids=*;type=user;actions=read"', 1) },
  flags: roleMemberFlags,
  async run({ args, flags }, ctx) {
    checkGrants(args.grants);
    const { accounts, base } = await roleToChange(args.role, flags, ctx);
    const added = base.isStale ? args.grants : newGrants(base.current, args.grants);
    if (added.length === 0) return unchangedResult('Role', base.current, 'already has these grants');
    const role = await changeInSteps(ctx, base, [addGrantsStep(accounts, added)]);
    return membersResult(`Added ${counted(added.length, 'grant')} to role`, role);
  },
});
