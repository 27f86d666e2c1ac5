import { arg, command } from '../../command.ts';
import { notFound } from '../../errors.ts';
import { fields, strong } from '../../output/document.ts';
import { profileNamed, readConfiguration, settingRows } from './shared.ts';

export default command({
  description: 'Without NAME, the active profile. Stored tokens are named, never shown.',
  args: { name: arg.optional('NAME', 'the profile', { completes: 'profile' }) },
  flags: {},
  async run({ args }, ctx) {
    const configuration = await readConfiguration(ctx);
    const name = args.name ?? ctx.profileName ?? configuration.active;
    if (name === undefined)
      throw notFound('no profile is active', { hint: '"lanyard profile use NAME" makes one active.' });
    const profile = profileNamed(configuration, name);
    return {
      data: { name, active: name === configuration.active, ...profile },
      document: [
        fields([
          ['name', [strong(name)]],
          ['active', name === configuration.active ? 'yes' : 'no'],
          ...settingRows(profile),
        ]),
      ],
    };
  },
});
