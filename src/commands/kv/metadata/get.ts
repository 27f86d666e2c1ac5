import { command, showWarnings } from '../../../command/command.ts';
import { describeMissingSecret, mountFlag, pathArg, requireVersionedSecret } from '../lib/secret-path.ts';
import { metadataView } from '../lib/views.ts';

export default command({
  examples: [
    'lanyard kv metadata get secret/app/db',
    'lanyard kv metadata get secret/app/db --field current_version',
  ],
  service: 'secrets',
  args: { path: pathArg },
  flags: { mount: mountFlag },
  async run({ args, flags }, ctx) {
    const secrets = await ctx.api.secrets();
    const secretPath = await requireVersionedSecret(secrets, args.path, flags.mount);
    const { mount, path, name } = secretPath;
    const { body } = await secrets.readKvMetadata({ mount, path }).catch(describeMissingSecret(secretPath));
    showWarnings(ctx.output, body);
    return { data: body, payload: body.data, document: metadataView(name, body.data, ctx.system.clock()) };
  },
});
