import { command, passWarnings } from '../../../command.ts';
import { isNothing, settle } from '../../../errors.ts';
import { code, text } from '../../../output/document.ts';
import { mountFlag, pathArg, versionedAt } from '../place.ts';

export default command({
  description: 'Deletes the metadata and all versions permanently.',
  examples: ['lanyard kv metadata delete secret/app/db'],
  service: 'secrets',
  writes: true,
  readsFirst: true,
  args: { path: pathArg },
  flags: { mount: mountFlag },
  async run({ args, flags }, ctx) {
    const secrets = await ctx.api.secrets();
    const { mount, path, name } = await versionedAt(secrets, args.path, flags.mount);
    await ctx.io.confirm(`Delete ${name} and all of its versions? This cannot be undone.`);
    const answer = await settle(
      () => secrets.deleteKvMetadata({ mount, path }),
      async () => {
        try {
          await secrets.readKvMetadata({ mount, path });
          return { done: false, found: 'the secret still exists' };
        } catch (error) {
          return { done: isNothing(error), found: 'the secret could not be read' };
        }
      },
    );
    passWarnings(ctx.io, answer?.body);
    return {
      data: answer?.body ?? null,
      document: [text('Deleted ', code(name), ' and all of its versions.')],
    };
  },
});
