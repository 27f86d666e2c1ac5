import { arg, command, flag, showWarnings } from '../../command/command.ts';
import { listOrEmpty } from '../../errors.ts';
import { directoryPath, listSecrets } from './lib/list-secrets.ts';
import { mountFlag, resolveSecretPath } from './lib/secret-path.ts';
import { keysView } from './lib/views.ts';

export default command({
  description:
    'Names that end in a slash are directories. Without PATH it lists the mount "secret", or the mount of --mount.',
  examples: ['lanyard kv list secret/app', 'lanyard kv list --recursive secret'],
  service: 'secrets',
  args: { path: arg.optional('PATH', 'mount and directory, such as secret/app', { completes: 'kv-path' }) },
  flags: { recursive: flag.boolean('list all secrets below the path, with full paths'), mount: mountFlag },
  async run({ args, flags }, ctx) {
    const top = (args.path ?? (flags.mount === undefined ? 'secret' : '')).replace(/\/$/, '');
    const secrets = await ctx.api.secrets();
    const secretPath = await resolveSecretPath(secrets, top, flags.mount);
    if (flags.recursive) {
      const { names, denial } = await listSecrets(secrets, secretPath);
      if (denial) throw denial;
      const keys = names.map((name) => (top === '' ? name : `${top}/${name}`));
      return { data: { keys }, rows: keys, document: keysView(keys) };
    }
    const { body } = await listOrEmpty(secrets.list({ path: directoryPath(secretPath) }));
    showWarnings(ctx.output, body);
    const keys = body.data.keys ?? [];
    return { data: body, payload: body.data, rows: keys, document: keysView(keys) };
  },
});
