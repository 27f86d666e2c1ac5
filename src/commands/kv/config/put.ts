import { arg, command } from '../../../command/command.ts';
import { changesOf, flagsOf, unsetFlagFor } from '../../../command/object-flags.ts';
import { usage } from '../../../errors.ts';
import { kvConfig } from '../../../objects/kv-settings.ts';
import { writtenResult } from '../../../output/diff.ts';
import { changeSettings } from '../lib/mount-settings.ts';
import { requireVersionedMount } from '../lib/secret-path.ts';

export default command({
  description: 'Changes the given settings; others are unchanged.',
  examples: ['lanyard kv config put secret --max-versions 20 --cas-required true'],
  service: 'secrets',
  writes: 'after reads',
  returnsList: () => true,
  args: { mount: arg.text('MOUNT', 'mount path of the engine, such as secret') },
  flags: { ...flagsOf(kvConfig), unset: unsetFlagFor(kvConfig) },
  async run({ args, flags }, ctx) {
    const settings = changesOf(kvConfig, flags);
    if (Object.keys(settings).length === 0) throw usage('nothing to write: specify a setting');
    const secrets = await ctx.api.secrets();
    const mount = await requireVersionedMount(secrets, args.mount);
    const written = await changeSettings(
      () => settings,
      () => secrets.writeKvConfig({ mount, ...settings }),
      () => secrets.readKvConfig({ mount }),
      ctx.output,
    );
    return writtenResult('configuration of', `${mount}/`, { mount: `${mount}/` }, written);
  },
});
