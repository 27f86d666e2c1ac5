import { arg, command, flag } from '../../../command/command.ts';
import { emptied, givenFields, unsetFields, unsetFlagFor } from '../../../command/object-flags.ts';
import type { Messages } from '../../../io/io.ts';
import { registryRole } from '../../../objects/registry-acl.ts';
import { compact } from '../../../wire/objects.ts';
import { changedFields, type Fields, writableFields } from '../lib/fields.ts';
import {
  checkName,
  dcFlag,
  describeMissing,
  describeMissingLink,
  describeTakenName,
  findRole,
  findToPut,
  whereShared,
} from '../lib/find.ts';
import { grantFields, roleFlags, withoutGrants } from '../lib/grants.ts';
import { confirmKept, putResult, writeIfChanged } from '../lib/put-result.ts';

const silent = { warn: () => undefined };

export default command({
  description:
    'Creates the role or updates the given fields; other fields are unchanged. --policy replaces all policies, --add-policy and --remove-policy change some; "" empties a list. The registry has no check-and-set for roles: of two concurrent updates, the last one wins.',
  examples: [
    'lanyard acl role put ops --policy deploy --service-identity web --description "Operators"',
    'lanyard acl role put ops --add-policy global-management',
    'lanyard acl role put ops --remove-policy global-management --dry-run',
  ],
  service: 'registry',
  writes: 'after reads',
  returnsList: () => true,
  args: { role: arg.text('ROLE', 'name of the role, or ID of an existing one', { completes: 'acl-role' }) },
  flags: {
    ...roleFlags,
    unset: unsetFlagFor(registryRole),
    name: flag.name('NAME', 'new name of the role'),
    dc: dcFlag,
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
    const newName = String(after.Name);
    const written = await writeIfChanged(
      'role',
      { current, after },
      () =>
        (current ? registry.updateRole({ ...after, id: current.ID }) : registry.createRole(after))
          .catch(describeTakenName('role', newName))
          .catch(describeMissing('role', newName))
          .catch(describeMissingLink),
      () => findRole(registry, newName, where),
    );
    if (current && written !== current)
      await confirmKept(
        `role "${newName}"`,
        async () => writableFields(await findRole(registry, current.ID, where)),
        (found) => change(found, silent),
      );
    return putResult('role', { current, written, after }, ctx.output);
  },
});
