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
    // The tokens first: while they are there, there is a profile by which to try again.
    const tokens = serviceNames.map((service) => ({ service, token: undefined }));
    await ctx.tokens.keep(args.name, tokens, (current) => {
      profileNamed(current, args.name);
      const { active, ...rest } = current;
      return {
        ...rest,
        ...(active === undefined || active === args.name ? {} : { active }),
        profiles: Object.fromEntries(Object.entries(current.profiles).filter(([name]) => name !== args.name)),
      };
    });
    return {
      data: { deleted: args.name },
      document: [text('The profile ', code(args.name), ' is deleted.')],
    };
  },
});
