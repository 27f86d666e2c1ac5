import { command, flag, passWarnings } from '../../../command.ts';
import { settle, usage } from '../../../errors.ts';
import { code, text } from '../../../output/document.ts';
import { mountFlag, pathArg, versionedAt } from '../place.ts';
import { areSet, settingFlags, settingsFrom } from '../settings.ts';

export default command({
  description:
    'Settings that are not specified are unchanged; custom metadata is replaced. Metadata is not secret.',
  examples: ['lanyard kv metadata put secret/app/db --max-versions 5 --custom-metadata owner=ops'],
  service: 'secrets',
  writes: true,
  readsFirst: true,
  args: { path: pathArg },
  flags: {
    ...settingFlags,
    customMetadata: flag.map('K=V', 'custom metadata, replaces the existing; repeatable'),
    mount: mountFlag,
  },
  async run({ args, flags }, ctx) {
    const { customMetadata } = flags;
    const metadata = {
      ...settingsFrom(flags),
      ...(customMetadata ? { custom_metadata: { ...customMetadata } } : {}),
    };
    if (Object.keys(metadata).length === 0)
      throw usage('nothing to write: specify a setting or --custom-metadata K=V');
    const secrets = await ctx.api.secrets();
    const { mount, path, name } = await versionedAt(secrets, args.path, flags.mount);
    const answer = await settle(
      () => secrets.writeKvMetadata({ mount, path, ...metadata }),
      async () => {
        const there = (await secrets.readKvMetadata({ mount, path })).body.data;
        return { done: areSet(metadata, there), found: 'the stored metadata differs' };
      },
    );
    passWarnings(ctx.io, answer?.body);
    return { data: answer?.body ?? null, document: [text('Updated the metadata of ', code(name), '.')] };
  },
});
