import { arg, command, showWarnings } from '../../../command/command.ts';
import { confirmWrite, readForChanges } from '../../../errors.ts';
import { writtenChanges, writtenResult } from '../../../output/diff.ts';
import { mountFlag } from '../lib/mount.ts';

export default command({
  description: 'Replaces the list. The CIDR blocks of these roles no longer apply.',
  examples: ['lanyard ssh zero-address put otp emergency'],
  service: 'secrets',
  writes: 'after reads',
  returnsList: () => true,
  args: { roles: arg.rest('ROLE', 'role names', 1, { completes: 'ssh-role' }) },
  flags: { mount: mountFlag },
  async run({ args, flags: { mount } }, ctx) {
    const roles = args.roles.flatMap((part) => part.split(',')).filter((name) => name !== '');
    const secrets = await ctx.api.secrets();
    const before = await readForChanges(secrets.readZeroAddress({ mount }));
    const response = await confirmWrite(
      () => secrets.putZeroAddress({ mount, roles: roles.join(',') }),
      async () => {
        const existing = (await secrets.readZeroAddress({ mount })).body.data.roles ?? [];
        return {
          done: existing.length === roles.length && roles.every((name) => existing.includes(name)),
          found: `the current roles are ${existing.join(', ')}`,
        };
      },
    );
    showWarnings(ctx.output, response?.body);
    const written = writtenChanges(before && { roles: before.body.data.roles ?? [] }, { roles });
    return writtenResult('zero-address configuration of', `${mount}/`, { mount: `${mount}/` }, written);
  },
});
