import { command, flag } from '../../../command/command.ts';
import { unsetFlagOf, withUnset } from '../../../command/unset-flag.ts';
import { usage } from '../../../errors.ts';
import { writtenView } from '../../../output/diff.ts';
import { compact } from '../../../wire/objects.ts';
import { changeSettings, mountSettings, settingFlags } from '../lib/mount-settings.ts';
import { mountFlag, pathArg, requireVersionedSecret } from '../lib/secret-path.ts';

const fieldFlags = {
  ...settingFlags,
  customMetadata: flag.map('K=V', 'custom metadata, replaces the existing; repeatable'),
};

export default command({
  description:
    'Changes the given settings; others are kept. Custom metadata is replaced. Metadata is not secret.',
  examples: ['lanyard kv metadata put secret/app/db --max-versions 5 --custom-metadata owner=ops'],
  service: 'secrets',
  writes: true,
  readsFirst: true,
  returnsList: () => true,
  args: { path: pathArg },
  flags: {
    ...fieldFlags,
    unset: unsetFlagOf(fieldFlags),
    mount: mountFlag,
  },
  async run({ args, flags: given }, ctx) {
    const flags = withUnset(given, fieldFlags);
    const { customMetadata } = flags;
    const metadata = compact({
      ...mountSettings(flags),
      custom_metadata: customMetadata && { ...customMetadata },
    });
    if (Object.keys(metadata).length === 0)
      throw usage('nothing to write: specify a setting or --custom-metadata K=V');
    const secrets = await ctx.api.secrets();
    const { mount, path, name } = await requireVersionedSecret(secrets, args.path, flags.mount);
    const written = await changeSettings(
      metadata,
      () => secrets.writeKvMetadata({ mount, path, ...metadata }),
      () => secrets.readKvMetadata({ mount, path }),
      ctx.output,
    );
    return {
      data: { path: name, ...written },
      payload: written.changes,
      document: writtenView('metadata of', name, written),
    };
  },
});
