import { isInvalidRules } from '../../../api/conditions/registry.ts';
import type { RegistryClient } from '../../../api/registry.ts';
import type { AclPolicy } from '../../../api/registry-acl.ts';
import type { InDatacenter } from '../../../api/registry-datacenter.ts';
import { arg, command, flag } from '../../../command/command.ts';
import { changesOf, flagsOf, unsetFlagFor } from '../../../command/object-flags.ts';
import { confirmWrite, LanyardError, usage } from '../../../errors.ts';
import { registryPolicy } from '../../../objects/registry-acl.ts';
import { isEqual } from '../../../output/diff.ts';
import { compact } from '../../../wire/objects.ts';
import { areEqual, changedFields, type Fields, writableFields } from '../lib/fields.ts';
import {
  checkName,
  describeMissing,
  describeTakenName,
  findPolicy,
  findToPut,
  whereShared,
  writeDcFlag,
} from '../lib/find.ts';
import { putResult } from '../lib/put-result.ts';
import { readRules, rulesFlags } from '../lib/read-rules.ts';

export default command({
  description:
    'Fields that are not given are kept. The rules are checked first, with line and column of each error. The registry has no check-and-set for policies: of two concurrent updates, the last one wins.',
  examples: [
    'lanyard acl policy put deploy --rules \'key_prefix "app/" { policy = "write" }\'',
    'lanyard acl policy put deploy --rules @deploy.hcl --description "Deploy jobs"',
  ],
  service: 'registry',
  writes: true,
  readsFirst: true,
  returnsList: () => true,
  args: {
    policy: arg.text('POLICY', 'name of the policy, or ID of an existing one', {
      completes: { live: 'acl-policy' },
    }),
  },
  flags: {
    ...rulesFlags,
    ...flagsOf(registryPolicy),
    unset: unsetFlagFor(registryPolicy),
    name: flag.name('NAME', 'new name of the policy'),
    dc: writeDcFlag,
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
    const isWritten = !current || !isEqual(before, after);
    const written = isWritten ? await writePolicy(registry, current, after, where) : current;
    return putResult('policy', { current, written, after }, ctx.output);
  },
});

/** Creates or replaces a policy. After a lost response it is read back. @returns what the service responded */
async function writePolicy(
  registry: RegistryClient,
  current: AclPolicy | undefined,
  fields: Fields,
  where: InDatacenter,
): Promise<AclPolicy | undefined> {
  const name = String(fields.Name);
  let found: AclPolicy | undefined;
  const response = await confirmWrite(
    () =>
      (current ? registry.updatePolicy({ ...fields, id: current.ID }) : registry.createPolicy(fields))
        .catch(describeTakenName('policy', name))
        .catch(describeMissing('policy', name))
        .catch(describeInvalidRules),
    async () => {
      found = await findPolicy(registry, name, where);
      return { done: areEqual(found, fields), found: 'the stored policy differs' };
    },
  );
  return response?.body ?? found;
}

/** Rules that only the service rejects: its message is the detail. */
function describeInvalidRules(error: unknown): never {
  if (!(error instanceof LanyardError) || !isInvalidRules(error)) throw error;
  throw new LanyardError('failure', 'cannot write policy: the service registry rejected the rules (500)', {
    ...error,
    hint: 'Nothing was written.',
  });
}
