import { command, showWarnings } from '../../../command/command.ts';
import { confirmDelete } from '../../../errors.ts';
import { code, textResult } from '../../../output/document.ts';
import { mountFlag, pathArg, requireVersionedSecret } from '../lib/secret-path.ts';

export default command({
  description: 'Also deletes the metadata. This cannot be undone.',
  examples: ['lanyard kv metadata delete secret/app/db'],
  service: 'secrets',
  writes: 'after reads',
  args: { path: pathArg },
  flags: { mount: mountFlag },
  async run({ args, flags }, ctx) {
    const secrets = await ctx.api.secrets();
    const { mount, path, name } = await requireVersionedSecret(secrets, args.path, flags.mount);
    await ctx.input.confirm(`Delete ${name} and all of its versions? This cannot be undone.`);
    const response = await confirmDelete(
      () => secrets.deleteKvMetadata({ mount, path }),
      () => secrets.readKvMetadata({ mount, path }),
      'the secret',
    );
    showWarnings(ctx.output, response?.body);
    return textResult(response?.body ?? null, 'Deleted ', code(name), ' and all of its versions.');
  },
});
