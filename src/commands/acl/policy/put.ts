import { isInvalidRules } from '../../../api/conditions/registry.ts';
import { arg, command, flag } from '../../../command/command.ts';
import { changesOf, flagsOf, unsetFlagFor } from '../../../command/object-flags.ts';
import { LanyardError, usage } from '../../../errors.ts';
import { registryPolicy } from '../../../objects/registry-acl.ts';
import { compact } from '../../../wire/objects.ts';
import { changedFields, writableFields } from '../lib/fields.ts';
import {
  checkName,
  dcFlag,
  describeMissing,
  describeTakenName,
  findPolicy,
  findToPut,
  whereShared,
} from '../lib/find.ts';
import { putResult, writeIfChanged } from '../lib/put-result.ts';
import { readRules, rulesFlags } from '../lib/read-rules.ts';

export default command({
  description:
    'Fields that are not given are unchanged. The rules are checked first, with line and column of each error. The registry has no check-and-set for policies: of two concurrent updates, the last one wins.',
  examples: [
    'lanyard acl policy put deploy --rules \'key_prefix "app/" { policy = "write" }\'',
    'lanyard acl policy put deploy --rules @deploy.hcl --description "Deploy jobs"',
  ],
  service: 'registry',
  writes: 'after reads',
  returnsList: () => true,
  args: {
    policy: arg.text('POLICY', 'name of the policy, or ID of an existing one', { completes: 'acl-policy' }),
  },
  flags: {
    ...rulesFlags,
    ...flagsOf(registryPolicy),
    unset: unsetFlagFor(registryPolicy),
    name: flag.name('NAME', 'new name of the policy'),
    dc: dcFlag,
  },
  async run({ args, flags }, ctx) {
    if (flags.name !== undefined) checkName('policy', flags.name);
    if (flags.noCheck && flags.rules === undefined) throw usage('--no-check requires --rules');
    const change = compact({
      Name: flags.name,
      Rules: flags.rules === undefined ? undefined : await readRules(flags.rules, flags.noCheck, ctx),
      ...changesOf(registryPolicy, flags),
    });
    const registry = await ctx.api.registry();
    const where = await whereShared('policies', flags, ctx);
    const current = await findToPut('policy', args.policy, () => findPolicy(registry, args.policy, where));
    const before = writableFields(current ?? {});
    const after = changedFields({ Name: args.policy, ...before }, change);
    const name = String(after.Name);
    const written = await writeIfChanged(
      'policy',
      { current, after },
      () =>
        (current ? registry.updatePolicy({ ...after, id: current.ID }) : registry.createPolicy(after))
          .catch(describeTakenName('policy', name))
          .catch(describeMissing('policy', name))
          .catch(describeInvalidRules),
      () => findPolicy(registry, name, where),
    );
    return putResult('policy', { current, written, after }, ctx.output);
  },
});

/** Rules that only the service rejects: its message is the detail. */
function describeInvalidRules(error: unknown): never {
  if (!(error instanceof LanyardError) || !isInvalidRules(error)) throw error;
  throw new LanyardError('failure', 'cannot write policy: the service registry rejected the rules (500)', {
    ...error,
    hint: 'Nothing was written.',
  });
}
