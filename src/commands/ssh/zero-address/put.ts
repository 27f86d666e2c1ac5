import { arg, command, passWarnings } from '../../../command.ts';
import { settle } from '../../../errors.ts';
import { text } from '../../../output/document.ts';
import { mountFlag, mountOf } from '../shared.ts';

export default command({
  description: 'Replaces the list. The CIDR blocks of these roles no longer apply.',
  examples: ['lanyard ssh zero-address put otp emergency'],
  service: 'secrets',
  writes: true,
  args: { roles: arg.rest('ROLE', 'role names', 1) },
  flags: { mount: mountFlag },
  async run({ args, flags }, ctx) {
    const mount = mountOf(flags);
    const roles = args.roles.flatMap((part) => part.split(',')).filter((name) => name !== '');
    const secrets = await ctx.api.secrets();
    const answer = await settle(
      () => secrets.putZeroAddress({ mount, roles: roles.join(',') }),
      async () => {
        const there = (await secrets.readZeroAddress({ mount })).body.data.roles ?? [];
        return {
          done: there.length === roles.length && roles.every((name) => there.includes(name)),
          found: `the current roles are ${there.join(', ')}`,
        };
      },
    );
    passWarnings(ctx.io, answer?.body);
    return {
      data: answer?.body ?? null,
      document: [text(`Zero-address roles: ${roles.join(', ')}.`)],
    };
  },
});
