import type { SecretsClient } from '../../api/secrets.ts';
import { arg, command, flag, passWarnings } from '../../command.ts';
import { isNothing } from '../../errors.ts';
import { mountFlag, type Place, placeOf, plainPath } from './place.ts';
import { keysView } from './views.ts';

/** Directories listed concurrently. */
const width = 8;

export default command({
  description:
    'Names that end in a slash are directories. Without PATH it lists the mount "secret", or that of --mount.',
  examples: ['lanyard kv list secret/app', 'lanyard kv list --recursive secret'],
  service: 'secrets',
  args: { path: arg.optional('PATH', 'mount and directory, such as secret/app') },
  flags: {
    recursive: flag.boolean('list all secrets below the path, with full paths'),
    mount: mountFlag,
  },
  async run({ args, flags }, ctx) {
    const top = (args.path ?? (flags.mount === undefined ? 'secret' : '')).replace(/\/$/, '');
    const secrets = await ctx.api.secrets();
    const place = await placeOf(secrets, top, flags.mount);
    if (flags.recursive) {
      const keys = await keysBelow(place, top === '' ? '' : `${top}/`, secrets);
      return { data: { keys }, rows: keys, document: keysView(keys) };
    }
    try {
      const { body } = await secrets.list({ path: directoryPath(place) });
      passWarnings(ctx.io, body);
      const keys = body.data.keys ?? [];
      return { data: body, payload: body.data, rows: keys, document: keysView(keys) };
    } catch (error) {
      // An empty list is a 404 without a message.
      if (!isNothing(error)) throw error;
      return { data: { data: { keys: [] } }, payload: { keys: [] }, rows: [], document: keysView([]) };
    }
  },
});

/** The path to list: version 2 has its keys below `metadata`. */
function directoryPath(place: Place): string {
  if (place.version === 1) return plainPath(place);
  return [place.mount, 'metadata', place.path].filter((part) => part !== '').join('/');
}

/** Every secret below a directory, sorted, each with `prefix`. */
async function keysBelow(place: Place, prefix: string, secrets: SecretsClient): Promise<string[]> {
  const keysIn = async (directory: string): Promise<string[]> => {
    const path = [place.path, directory.replace(/\/$/, '')].filter((part) => part !== '').join('/');
    try {
      const { keys } = (await secrets.list({ path: directoryPath({ ...place, path }) })).body.data;
      return (keys ?? []).map((key) => directory + key);
    } catch (error) {
      if (isNothing(error)) return [];
      throw error;
    }
  };
  const found: string[] = [];
  const directories = [''];
  while (directories.length > 0) {
    const listed = await Promise.all(directories.splice(0, width).map(keysIn));
    for (const key of listed.flat()) (key.endsWith('/') ? directories : found).push(key);
  }
  return found.sort().map((key) => prefix + key);
}
