import { arg, command, passWarnings } from '../../../command.ts';
import { settle, usage } from '../../../errors.ts';
import { code, text } from '../../../output/document.ts';
import { mountAt } from '../place.ts';
import { areSet, settingFlags, settingsFrom } from '../settings.ts';

export default command({
  description: 'Settings that are not specified are unchanged.',
  examples: ['lanyard kv config put secret --max-versions 20 --cas-required true'],
  service: 'secrets',
  writes: true,
  readsFirst: true,
  args: { mount: arg.text('MOUNT', 'mount path of the engine, such as secret') },
  flags: settingFlags,
  async run({ args, flags }, ctx) {
    const settings = settingsFrom(flags);
    if (Object.keys(settings).length === 0) throw usage('nothing to write: specify a setting');
    const secrets = await ctx.api.secrets();
    const mount = await mountAt(secrets, args.mount);
    const answer = await settle(
      () => secrets.writeKvConfig({ mount, ...settings }),
      async () => {
        const there = (await secrets.readKvConfig({ mount })).body.data;
        return { done: areSet(settings, there), found: 'the stored configuration differs' };
      },
    );
    passWarnings(ctx.io, answer?.body);
    return {
      data: answer?.body ?? null,
      document: [text('Updated the configuration of ', code(`${mount}/`), '.')],
    };
  },
});
