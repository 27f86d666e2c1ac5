import { command, passWarnings } from '../../../command.ts';
import { missing, mountFlag, pathArg, versionedAt } from '../place.ts';
import { metadataView } from '../views.ts';

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
    const place = await versionedAt(secrets, args.path, flags.mount);
    const { mount, path, name } = place;
    const { body } = await secrets.readKvMetadata({ mount, path }).catch(missing(place));
    passWarnings(ctx.io, body);
    return { data: body, payload: body.data, document: metadataView(name, body.data, ctx.clock()) };
  },
});
