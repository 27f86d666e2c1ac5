import { command } from '../../../../command/command.ts';
import { changesOf, unsetFlagFor } from '../../../../command/object-flags.ts';
import { confirmWrite, usage } from '../../../../errors.ts';
import { schedulerToken } from '../../../../objects/scheduler-acl.ts';
import { diff, isEqual, updatedResult } from '../../../../output/diff.ts';
import { changedFields, writableFields } from '../../lib/fields.ts';
import { changedGrants, changeFlags, checkGrants, warnOfMissingPolicies } from '../../lib/grants.ts';
import { describeMissingLink, describeMissingToken, findToken, tokenArg } from '../../lib/tokens.ts';

export default command({
  description:
    'Keeps the fields that are not given; --policy replaces all policies. Type, scope and expiration cannot be changed. The scheduler has no check-and-set for tokens: of two concurrent updates, the last one wins.',
  examples: [
    'lanyard scheduler acl token update deploy-job --add-policy read-logs',
    'lanyard scheduler acl token update 6a1253d2 --name "Deploy job" --dry-run',
  ],
  service: 'scheduler',
  writes: 'after reads',
  returnsList: () => true,
  args: { token: tokenArg },
  flags: { ...changeFlags, unset: unsetFlagFor(schedulerToken) },
  async run({ args, flags }, ctx) {
    const { policy, role, ...own } = flags;
    const stated = changesOf(schedulerToken, own);
    if (Object.keys({ ...stated, ...changedGrants({}, flags) }).length === 0)
      throw usage('nothing to change', { hint: 'Pass a flag for each field to change.' });
    for (const [name, values] of Object.entries({ policy, role }))
      if (values !== undefined && flags.unset.includes(name))
        throw usage(`--${name} cannot be combined with --unset ${name}`);
    const scheduler = await ctx.api.scheduler();
    const found = await findToken(scheduler, args.token);
    const accessor = found.AccessorID;
    const before = writableFields(found);
    const kept = { ...before, ...stated };
    const after = changedFields(kept, changedGrants(kept, flags));
    checkGrants(after);
    let stored = before;
    if (!isEqual(before, after)) {
      const known = before.Policies ?? [];
      const names = (after.Policies ?? []) as readonly string[];
      const added = names.filter((name) => !Array.isArray(known) || !known.includes(name));
      await warnOfMissingPolicies(scheduler, added, ctx);
      const response = await confirmWrite(
        () =>
          scheduler
            .updateToken({ ...after, accessor, AccessorID: accessor })
            .catch(describeMissingToken(args.token))
            .catch(describeMissingLink),
        async () => {
          stored = writableFields((await scheduler.readToken({ accessor })).body);
          return { done: isEqual(stored, after), found: 'the stored token differs' };
        },
      );
      if (response) stored = writableFields(response.body);
    }
    return updatedResult('token', accessor, { AccessorID: accessor }, diff(before, stored));
  },
});
