import { command, flag, showWarnings } from '../../../cli/command.ts';
import { confirmWrite, usage } from '../../../errors.ts';
import { code, text } from '../../../output/document.ts';
import { compact } from '../../../wire/objects.ts';
import { hasSettings, mountSettings, settingFlags } from '../lib/mount-settings.ts';
import { mountFlag, pathArg, requireVersionedSecret } from '../lib/secret-path.ts';

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
    const metadata = compact({
      ...mountSettings(flags),
      custom_metadata: customMetadata && { ...customMetadata },
    });
    if (Object.keys(metadata).length === 0)
      throw usage('nothing to write: specify a setting or --custom-metadata K=V');
    const secrets = await ctx.api.secrets();
    const { mount, path, name } = await requireVersionedSecret(secrets, args.path, flags.mount);
    const response = await confirmWrite(
      () => secrets.writeKvMetadata({ mount, path, ...metadata }),
      async () => {
        const existing = (await secrets.readKvMetadata({ mount, path })).body.data;
        return { done: hasSettings(metadata, existing), found: 'the stored metadata differs' };
      },
    );
    showWarnings(ctx.output, response?.body);
    return { data: response?.body ?? null, document: [text('Updated the metadata of ', code(name), '.')] };
  },
});
