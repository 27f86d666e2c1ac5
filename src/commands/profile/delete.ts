import { arg, command } from '../../command.ts';
import { code, text } from '../../output/document.ts';
import { serviceNames } from '../../wire/services.ts';
import { profileNamed, readConfiguration } from './shared.ts';

export default command({
  description: 'Its stored tokens are forgotten here; they are not revoked at the services.',
  args: { name: arg.text('NAME', 'the profile', { completes: 'profile' }) },
  flags: {},
  async run({ args }, ctx) {
    profileNamed(await readConfiguration(ctx), args.name);
    await ctx.io.confirm(`Delete the profile "${args.name}" and its stored tokens?`);
    await (await ctx.profiles()).change((current) => {
      profileNamed(current, args.name);
      const { active, ...rest } = current;
      return {
        ...rest,
        ...(active === undefined || active === args.name ? {} : { active }),
        profiles: Object.fromEntries(Object.entries(current.profiles).filter(([name]) => name !== args.name)),
      };
    });
    const credentials = await ctx.credentials();
    for (const service of serviceNames) await credentials.delete(args.name, service);
    return {
      data: { deleted: args.name },
      document: [text('The profile ', code(args.name), ' is deleted.')],
    };
  },
});
