import { arg, command, showWarnings } from '../../../cli/command.ts';
import { confirmWrite, usage } from '../../../errors.ts';
import { code, text } from '../../../output/document.ts';
import { hasSettings, mountSettings, settingFlags } from '../lib/mount-settings.ts';
import { requireVersionedMount } from '../lib/secret-path.ts';

export default command({
  description: 'Settings that are not specified are unchanged.',
  examples: ['lanyard kv config put secret --max-versions 20 --cas-required true'],
  service: 'secrets',
  writes: true,
  readsFirst: true,
  args: { mount: arg.text('MOUNT', 'mount path of the engine, such as secret') },
  flags: settingFlags,
  async run({ args, flags }, ctx) {
    const settings = mountSettings(flags);
    if (Object.keys(settings).length === 0) throw usage('nothing to write: specify a setting');
    const secrets = await ctx.api.secrets();
    const mount = await requireVersionedMount(secrets, args.mount);
    const response = await confirmWrite(
      () => secrets.writeKvConfig({ mount, ...settings }),
      async () => {
        const existing = (await secrets.readKvConfig({ mount })).body.data;
        return { done: hasSettings(settings, existing), found: 'the stored configuration differs' };
      },
    );
    showWarnings(ctx.output, response?.body);
    return {
      data: response?.body ?? null,
      document: [text('Updated the configuration of ', code(`${mount}/`), '.')],
    };
  },
});
