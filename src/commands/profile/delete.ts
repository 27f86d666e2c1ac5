import { arg, command } from '../../command/command.ts';
import { code, textResult } from '../../output/document.ts';
import { serviceNames } from '../../wire/services.ts';
import { requireProfile } from './lib/settings.ts';

export default command({
  description: 'The stored tokens are removed from this machine, but not revoked at the services.',
  examples: ['lanyard profile delete dev'],
  changes: ['profiles', 'tokens'],
  args: { name: arg.text('NAME', 'profile to delete', { completes: 'profile' }) },
  async run({ args }, ctx) {
    requireProfile(await ctx.profile.read(), args.name);
    await ctx.input.confirm(`Delete profile "${args.name}" and its stored tokens? This cannot be undone.`);
    // The tokens first: as long as they exist, the profile exists and the command can be retried.
    const tokens = serviceNames.map((service) => ({ service, token: undefined }));
    await ctx.profile.tokens.saveAll(args.name, tokens, (current) => {
      requireProfile(current, args.name);
      const { active, ...rest } = current;
      return {
        ...rest,
        ...(active === undefined || active === args.name ? {} : { active }),
        profiles: Object.fromEntries(Object.entries(current.profiles).filter(([name]) => name !== args.name)),
      };
    });
    return textResult({ deleted: args.name }, 'Deleted profile ', code(args.name), '.');
  },
});
