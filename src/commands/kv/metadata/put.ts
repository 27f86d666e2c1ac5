import { command } from '../../../command/command.ts';
import { changesOf, flagsOf, unsetFlagFor } from '../../../command/object-flags.ts';
import { usage } from '../../../errors.ts';
import { kvMetadata } from '../../../objects/kv-settings.ts';
import { writtenResult } from '../../../output/diff.ts';
import { changeSettings } from '../lib/mount-settings.ts';
import { mountFlag, pathArg, requireVersionedSecret } from '../lib/secret-path.ts';

export default command({
  description:
    'Changes the given settings; others are unchanged. Custom metadata is replaced. Metadata is not secret.',
  examples: ['lanyard kv metadata put secret/app/db --max-versions 5 --custom-metadata owner=ops'],
  service: 'secrets',
  writes: 'after reads',
  returnsList: () => true,
  args: { path: pathArg },
  flags: {
    ...flagsOf(kvMetadata),
    unset: unsetFlagFor(kvMetadata),
    mount: mountFlag,
  },
  async run({ args, flags }, ctx) {
    const metadata = changesOf(kvMetadata, flags);
    if (Object.keys(metadata).length === 0)
      throw usage('nothing to write: specify a setting or --custom-metadata K=V');
    const secrets = await ctx.api.secrets();
    const { mount, path, name } = await requireVersionedSecret(secrets, args.path, flags.mount);
    const written = await changeSettings(
      () => metadata,
      () => secrets.writeKvMetadata({ mount, path, ...metadata }),
      () => secrets.readKvMetadata({ mount, path }),
      ctx.output,
    );
    return writtenResult('metadata of', name, { path: name }, written);
  },
});
