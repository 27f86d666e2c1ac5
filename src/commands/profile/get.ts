import { arg, command } from '../../command/command.ts';
import { notFound } from '../../errors.ts';
import { fields, strong } from '../../output/document.ts';
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
    return {
      data: { name, active: name === configuration.active, ...profile },
      document: [
        fields([
          ['name', [strong(name)]],
          ['active', name === configuration.active ? 'yes' : 'no'],
          ...(dev?.instance === undefined ? [] : ([['created by', 'lanyard dev']] as const)),
          ...settingRows(profile),
        ]),
      ],
    };
  },
});
