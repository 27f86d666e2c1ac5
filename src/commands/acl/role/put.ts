import type { RegistryClient } from '../../../api/registry.ts';
import type { AclRole } from '../../../api/registry-acl.ts';
import type { InDatacenter } from '../../../api/registry-datacenter.ts';
import { arg, command, flag } from '../../../command/command.ts';
import { emptied, givenFields, unsetFields, unsetFlagFor } from '../../../command/object-flags.ts';
import { confirmWrite } from '../../../errors.ts';
import type { Messages } from '../../../io/io.ts';
import { registryRole } from '../../../objects/registry-acl.ts';
import { isEqual } from '../../../output/diff.ts';
import { compact } from '../../../wire/objects.ts';
import { areEqual, changedFields, type Fields, writableFields } from '../lib/fields.ts';
import {
  checkName,
  describeMissing,
  describeMissingLink,
  describeTakenName,
  findRole,
  findToPut,
  whereShared,
  writeDcFlag,
} from '../lib/find.ts';
import { grantFields, roleFlags, withoutGrants } from '../lib/grants.ts';
import { confirmKept, putResult } from '../lib/put-result.ts';

const silent = { warn: () => undefined };

export default command({
  description:
    'Creates the role or updates the given fields; other fields are kept. --policy replaces all policies, --add-policy and --remove-policy change some; "" empties a list. The registry has no check-and-set for roles: of two concurrent updates, the last one wins.',
  examples: [
    'lanyard acl role put ops --policy deploy --service-identity web --description "Operators"',
    'lanyard acl role put ops --add-policy global-management',
    'lanyard acl role put ops --remove-policy global-management --dry-run',
  ],
  service: 'registry',
  writes: true,
  readsFirst: true,
  returnsList: () => true,
  args: {
    role: arg.text('ROLE', 'name of the role, or ID of an existing one', { completes: { live: 'acl-role' } }),
  },
  flags: {
    ...roleFlags,
    unset: unsetFlagFor(registryRole),
    name: flag.name('NAME', 'new name of the role'),
    dc: writeDcFlag,
  },
  async run({ args, flags }, ctx) {
    if (flags.name !== undefined) checkName('role', flags.name);
    const { name, dc, ...given } = flags;
    const unset = emptied(unsetFields(registryRole, flags));
    const own = givenFields(withoutGrants(registryRole), flags);
    // Reads the values before any request: an invalid one is a usage error.
    grantFields({}, { ...given, removePolicy: undefined }, silent);
    const registry = await ctx.api.registry();
    const where = await whereShared('roles', { dc }, ctx);
    const current = await findToPut('role', args.role, () => findRole(registry, args.role, where));
    const before = writableFields(current ?? {});
    const change = (fields: Fields, output: Pick<Messages, 'warn'>): Fields =>
      changedFields(fields, {
        ...unset,
        ...compact({ Name: name }),
        ...own,
        ...grantFields({ ...fields, ...unset }, given, output),
      });
    const after = change({ Name: args.role, ...before }, ctx.output);
    const isWritten = !current || !isEqual(before, after);
    const written = isWritten ? await writeRole(registry, current, after, where) : current;
    if (current && isWritten)
      await confirmKept(
        `role "${after.Name}"`,
        async () => writableFields(await findRole(registry, current.ID, where)),
        (found) => change(found, silent),
      );
    return putResult('role', { current, written, after }, ctx.output);
  },
});

/** Creates or replaces a role. After a lost response it is read back. @returns what the service stored */
async function writeRole(
  registry: RegistryClient,
  current: AclRole | undefined,
  fields: Fields,
  where: InDatacenter,
): Promise<AclRole | undefined> {
  const name = String(fields.Name);
  let found: AclRole | undefined;
  const response = await confirmWrite(
    () =>
      (current ? registry.updateRole({ ...fields, id: current.ID }) : registry.createRole(fields))
        .catch(describeTakenName('role', name))
        .catch(describeMissing('role', name))
        .catch(describeMissingLink),
    async () => {
      found = await findRole(registry, name, where);
      return { done: areEqual(found, fields), found: 'the stored role differs' };
    },
  );
  return response?.body ?? found;
}
