import type { SecretsClient } from '../../api/secrets.ts';
import { arg, command, flag, showWarnings } from '../../command/command.ts';
import { listOrEmpty } from '../../errors.ts';
import { mapConcurrently } from '../../wire/concurrently.ts';
import { mountFlag, resolveSecretPath, type SecretPath, version1Path } from './lib/secret-path.ts';
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
      const keys = await listRecursively(secretPath, top === '' ? '' : `${top}/`, secrets);
      return { data: { keys }, rows: keys, document: keysView(keys) };
    }
    const { body } = await listOrEmpty(secrets.list({ path: directoryPath(secretPath) }));
    showWarnings(ctx.output, body);
    const keys = body.data.keys ?? [];
    return { data: body, payload: body.data, rows: keys, document: keysView(keys) };
  },
});

/** The path to list: version 2 has its keys below `metadata`. */
function directoryPath(secretPath: SecretPath): string {
  if (secretPath.version === 1) return version1Path(secretPath);
  return [secretPath.mount, 'metadata', secretPath.path].filter((part) => part !== '').join('/');
}

/** Every secret below a directory, sorted, each with `prefix`. */
async function listRecursively(
  secretPath: SecretPath,
  prefix: string,
  secrets: SecretsClient,
): Promise<string[]> {
  const keysIn = async (directory: string): Promise<string[]> => {
    const path = [secretPath.path, directory.replace(/\/$/, '')].filter((part) => part !== '').join('/');
    const { body } = await listOrEmpty(secrets.list({ path: directoryPath({ ...secretPath, path }) }));
    return (body.data.keys ?? []).map((key) => directory + key);
  };
  const found: string[] = [];
  for (let directories = ['']; directories.length > 0; ) {
    const keys = (await mapConcurrently(directories, keysIn)).flat();
    directories = keys.filter((key) => key.endsWith('/'));
    found.push(...keys.filter((key) => !key.endsWith('/')));
  }
  return found.sort().map((key) => prefix + key);
}
