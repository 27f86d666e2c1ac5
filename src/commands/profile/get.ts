import { arg, command } from '../../command/command.ts';
import { notFound } from '../../errors.ts';
import { fieldsResult, strong } from '../../output/document.ts';
import { requireProfile, settingRows } from './lib/settings.ts';

export default command({
  description: 'Stored tokens are listed, but their values are never shown.',
  examples: ['lanyard profile get', 'lanyard profile get dev -o json'],
  args: {
    name: arg.optional('NAME', 'profile to show (default: the current one)', { completes: 'profile' }),
  },
  async run({ args }, ctx) {
    const configuration = await ctx.profile.read();
    const name = args.name ?? ctx.profile.name ?? configuration.active;
    if (name === undefined)
      throw notFound('no profile is active', {
        hint: 'Run `lanyard profile use NAME` to set the active profile.',
      });
    const { dev, ...profile } = requireProfile(configuration, name);
    const active = name === configuration.active;
    return fieldsResult({ name, active, ...profile }, [
      ['name', strong(name)],
      ['active', active ? 'yes' : 'no'],
      ['created by', dev?.instance === undefined ? undefined : 'lanyard dev'],
      ...settingRows(profile),
    ]);
  },
});
