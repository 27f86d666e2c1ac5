import { isRejectedRules } from '../../../../api/conditions/scheduler.ts';
import { command, flag } from '../../../../command/command.ts';
import { changesOf, flagsOf, unsetFlagFor } from '../../../../command/object-flags.ts';
import { confirmWrite, describeAs, unlessNotFound, usage } from '../../../../errors.ts';
import { schedulerPolicy } from '../../../../objects/scheduler-acl.ts';
import { isEqual, writtenChanges, writtenResult } from '../../../../output/diff.ts';
import { compact } from '../../../../wire/objects.ts';
import { changedFields, writableFields } from '../../lib/fields.ts';
import { jobForm, jobOf } from '../../lib/job.ts';
import { findPolicy, policyArg } from '../../lib/policies.ts';
import { readRules, requireValid, rulesFlags } from '../../lib/read-rules.ts';

export default command({
  description:
    'Fields that are not given are unchanged; the rules are checked first, with line and column of each error. A job of --job has the policy by its workload identity, without a token. The scheduler has no check-and-set for policies: of two concurrent updates, the last one wins.',
  examples: [
    'lanyard scheduler acl policy put web --rules @web-policy.hcl --description "Web variables"',
    'lanyard scheduler acl policy put web --job default/web',
    'lanyard scheduler acl policy put ops --rules \'namespace "*" { policy = "write" }\'',
  ],
  service: 'scheduler',
  writes: 'after reads',
  returnsList: () => true,
  args: { policy: policyArg },
  flags: {
    ...rulesFlags,
    ...flagsOf(schedulerPolicy),
    job: flag.name(jobForm, 'job that has the policy without a token, with %2F for a slash in a name'),
    unset: unsetFlagFor(schedulerPolicy),
  },
  async run({ args: { policy: name }, flags }, ctx) {
    const { rules, noCheck, job, ...fields } = flags;
    if (noCheck && rules === undefined) throw usage('--no-check requires --rules');
    const given = { ...fields, ...compact({ job: job === undefined ? undefined : jobOf(job) }) };
    const change = {
      ...changesOf(schedulerPolicy, given),
      ...(rules === undefined ? {} : { Rules: await rulesOf(rules, noCheck, ctx) }),
    };
    const scheduler = await ctx.api.scheduler();
    const read = () => findPolicy(scheduler, name);
    const found = await unlessNotFound(read().then((body) => ({ body })));
    if (!found && rules === undefined)
      throw usage(`--rules is required: policy "${name}" does not exist`, { hint: 'Nothing was written.' });
    const before = found && writableFields(found);
    const after = changedFields({ ...before, Name: name }, change);
    if (!before || !isEqual(before, after))
      await confirmWrite(
        () => scheduler.writePolicy({ ...after, name, Name: name }).catch(describeRejectedRules),
        async () => ({
          done: isEqual(writableFields(await read()), after),
          found: 'the stored policy differs',
        }),
      );
    return writtenResult('policy', name, { Name: name }, writtenChanges(before, after));
  },
});

/** The rules of `--rules`. @throws LanyardError usage: unreadable, or (unless `noCheck`) invalid */
async function rulesOf(
  given: string,
  noCheck: boolean,
  ctx: Parameters<typeof readRules>[2],
): Promise<string> {
  const rules = await readRules(given, '--rules', ctx);
  if (!noCheck)
    requireValid(
      rules,
      rules.name === '--rules',
      'Nothing was sent. Use --no-check for rules that only a newer scheduler knows.',
    );
  return rules.text;
}

/** Rules that only the service rejects: its message is the detail. */
const describeRejectedRules = describeAs(
  isRejectedRules,
  'failure',
  'cannot write policy: the scheduler rejected the rules (400)',
  { hint: 'Nothing was written.' },
);
