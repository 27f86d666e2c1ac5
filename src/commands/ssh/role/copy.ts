import { arg, command, flag } from '../../../command/command.ts';
import { conflict } from '../../../errors.ts';
import { writtenChanges, writtenResult } from '../../../output/diff.ts';
import { mountFlag } from '../lib/mount.ts';
import { shownRole } from '../lib/role-fields.ts';
import { readRoleFields, roleExists, writeRoleFields } from '../lib/write-role.ts';

export default command({
  description:
    'Copies all fields that the service returns, including fields that this version does not know. Fails if the target exists; the service has no check-and-set for roles, so a target that is created at the same time is replaced.',
  examples: [
    'lanyard ssh role copy deploy deploy-test',
    'lanyard ssh role copy deploy deploy --to-mount ssh-next',
  ],
  service: 'secrets',
  writes: 'after reads',
  returnsList: () => true,
  args: {
    source: arg.text('SOURCE', 'role to copy', { completes: 'ssh-role' }),
    target: arg.text('TARGET', 'name of the new role'),
  },
  flags: {
    toMount: flag.name('PATH', 'mount path of the target (default: as --mount)', {
      completes: 'ssh-mount',
    }),
    mount: mountFlag,
  },
  async run({ args, flags }, ctx) {
    const secrets = await ctx.api.secrets();
    const { mount, toMount = mount } = flags;
    const target = { mount: toMount, role: args.target };
    const source = await readRoleFields(secrets, { mount, role: args.source });
    if (await roleExists(secrets, target))
      throw conflict(
        `cannot copy role "${args.source}": role "${args.target}" already exists in ${toMount}/`,
        {
          service: 'secrets',
          hint: `Run \`lanyard ssh role edit ${args.target} --mount ${toMount}\` to change it.`,
        },
      );
    const stored = await writeRoleFields(secrets, target, source, ctx);
    const written = writtenChanges(undefined, shownRole(stored));
    return writtenResult('role', args.target, { name: args.target }, written);
  },
});
