import { arg, command } from '../../command.ts';
import { code, text } from '../../output/document.ts';
import { profileNamed } from './shared.ts';

export default command({
  args: { name: arg.text('NAME', 'the profile', { completes: 'profile' }) },
  flags: {},
  async run({ args }, ctx) {
    await (await ctx.profiles()).change((current) => {
      profileNamed(current, args.name);
      return { ...current, active: args.name };
    });
    return { data: { active: args.name }, document: [text('The profile ', code(args.name), ' is active.')] };
  },
});
