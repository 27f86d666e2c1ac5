import { isRoleNameTaken } from '../../../../api/conditions/scheduler.ts';
import type { SchedulerRole } from '../../../../api/scheduler-acl.ts';
import { command, flag } from '../../../../command/command.ts';
import { changesOf, flagsOf, unsetFlagFor } from '../../../../command/object-flags.ts';
import { confirmWrite, describeAs, unlessNotFound, usage } from '../../../../errors.ts';
import { schedulerRole } from '../../../../objects/scheduler-acl.ts';
import { isEqual, writtenChanges, writtenResult } from '../../../../output/diff.ts';
import { compact } from '../../../../wire/objects.ts';
import { changedFields, writableFields } from '../../lib/fields.ts';
import { checkName } from '../../lib/policies.ts';
import { findRole, roleArg } from '../../lib/roles.ts';
import { describeMissingLink, isUuid } from '../../lib/tokens.ts';

export default command({
  description:
    'Fields that are not given are unchanged; --policy replaces all policies. Tokens that have the role get its new permissions at once. The scheduler has no check-and-set for roles: of two concurrent updates, the last one wins.',
  examples: [
    'lanyard scheduler acl role put ops --policy deploy --policy read-logs',
    'lanyard scheduler acl role put ops --description "Operators"',
  ],
  service: 'scheduler',
  writes: 'after reads',
  returnsList: () => true,
  args: { role: roleArg },
  flags: {
    ...flagsOf(schedulerRole),
    unset: unsetFlagFor(schedulerRole),
    name: flag.name('NAME', 'new name of the role'),
  },
  async run({ args, flags }, ctx) {
    if (flags.name !== undefined) checkName('role', flags.name);
    const change = { ...changesOf(schedulerRole, flags), ...compact({ Name: flags.name }) };
    const scheduler = await ctx.api.scheduler();
    const find = findRole(scheduler, args.role).then((body) => ({ body }));
    // An ID names an existing role.
    const found = isUuid(args.role) ? (await find).body : await unlessNotFound(find);
    const before = found && writableFields(found);
    const after = changedFields({ Name: args.role, ...before }, change);
    if (after.Policies === undefined)
      throw usage('--policy is required: a role needs a policy', { hint: 'Nothing was written.' });
    const name = String(after.Name);
    let stored: SchedulerRole | undefined;
    if (!before || !isEqual(before, after)) {
      const response = await confirmWrite(
        () =>
          (found
            ? scheduler.updateRole({ ...after, id: found.ID, ID: found.ID })
            : scheduler.createRole({ ...after, Name: name })
          )
            .catch(describeMissingLink)
            .catch(describeTakenName(name)),
        async () => {
          stored = await findRole(scheduler, name);
          return { done: isEqual(writableFields(stored), after), found: 'the stored role differs' };
        },
      );
      stored = response?.body ?? stored;
    }
    const id = { ID: stored?.ID ?? found?.ID ?? null, Name: name };
    return writtenResult('role', name, id, writtenChanges(before, after));
  },
});

/** Reports a name that another role has as a conflict. */
const describeTakenName = (name: string) =>
  describeAs(
    isRoleNameTaken,
    'conflict',
    `cannot write role "${name}": a role with this name already exists`,
    { hint: 'Run `lanyard scheduler acl role list` for the existing roles.' },
  );
