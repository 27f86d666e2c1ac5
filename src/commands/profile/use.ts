import { arg, command } from '../../command/command.ts';
import { code, textResult } from '../../output/document.ts';
import { requireProfile } from './lib/settings.ts';

export default command({
  examples: ['lanyard profile use dev'],
  changes: ['profiles'],
  args: { name: arg.text('NAME', 'profile to use', { completes: 'profile' }) },
  async run({ args }, ctx) {
    await ctx.profile.change((current) => {
      requireProfile(current, args.name);
      return { ...current, active: args.name };
    });
    return textResult({ active: args.name }, 'Set the active profile to ', code(args.name), '.');
  },
});
