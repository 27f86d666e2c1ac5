import { arg, command } from '../../../command/command.ts';
import { confirmDelete, isNotFound } from '../../../errors.ts';
import { code, text } from '../../../output/document.ts';
import { describeMissing, findRole, whereShared, writeDcFlag } from '../lib/find.ts';

export default command({
  description: 'Tokens that are linked to the role lose its permissions.',
  examples: ['lanyard acl role delete ops', 'lanyard acl role delete ops --yes'],
  service: 'registry',
  writes: true,
  readsFirst: true,
  args: { role: arg.text('ROLE', 'name or ID of the role', { completes: { live: 'acl-role' } }) },
  flags: { dc: writeDcFlag },
  async run({ args, flags }, ctx) {
    const registry = await ctx.api.registry();
    const where = await whereShared('roles', flags, ctx);
    const { ID: id, Name } = await findRole(registry, args.role, where);
    await ctx.input.confirm(
      `Delete role "${Name}" (${id})? Tokens lose its permissions. This cannot be undone.`,
    );
    await confirmDelete(
      () => registry.deleteRole({ id }).catch(describeMissing('role', args.role)),
      () => registry.readRole({ id, ...where }),
      'the role',
      isNotFound,
    );
    return { data: { ID: id, Name }, document: [text('Deleted role ', code(Name), '.')] };
  },
});
