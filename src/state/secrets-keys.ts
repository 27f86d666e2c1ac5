import type { SecretsClient } from '../api/secrets.ts';
import { insteadOf, isEmptyListError, LanyardError, listOrEmpty } from '../errors.ts';
import { isObject } from '../wire/objects.ts';
import type { Services } from './kind.ts';
import { checkedName, isKv, isVersioned, mountsOfType } from './secrets-mounts.ts';

/** A key of a key-value engine. */
export interface ListedKey {
  readonly mount: string;
  /** Below the mount, without a slash at its ends. */
  readonly path: string;
  readonly version: 1 | 2;
  /** The metadata of the key; undefined: version 1, or the service does not list it. */
  readonly metadata: Readonly<Record<string, unknown>> | undefined;
}

const concurrency = 8;

/** Every key of every mount of a version: all directories, sorted by mount. */
export async function allKeys(services: Services, version?: 2): Promise<readonly ListedKey[]> {
  const secrets = await services.secrets();
  const isWanted = version === 2 ? isVersioned : isKv;
  const versioned = new Set(await mountsOfType(services, isVersioned));
  const mounts = [...(await mountsOfType(services, isWanted))].sort();
  const found: ListedKey[] = [];
  for (const mount of mounts) found.push(...(await keysOf(secrets, mount, versioned.has(mount) ? 2 : 1)));
  return found;
}

async function keysOf(secrets: SecretsClient, mount: string, version: 1 | 2): Promise<readonly ListedKey[]> {
  const list = version === 2 ? await detailedList(secrets, mount) : plainList(secrets, mount);
  const found: ListedKey[] = [];
  const directories = [''];
  while (directories.length > 0) {
    const batch = directories.splice(0, concurrency);
    const lists = await Promise.all(
      batch.map(async (directory) => ({ directory, keys: await list(directory) })),
    );
    for (const { directory, keys } of lists)
      for (const [name, metadata] of keys) {
        const path = directory + checkedName(name, `${mount}/${directory}`);
        if (path.endsWith('/')) directories.push(path);
        else found.push({ mount, path, version, metadata });
      }
  }
  return found;
}

type Listed = readonly (readonly [string, ListedKey['metadata']])[];
type List = (directory: string) => Promise<Listed>;

const joined = (...parts: readonly string[]): string =>
  parts
    .map((part) => part.replace(/\/$/, ''))
    .filter((part) => part !== '')
    .join('/');

const plainList =
  (secrets: SecretsClient, root: string): List =>
  async (directory) => {
    const { data } = (await listOrEmpty(secrets.list({ path: joined(root, directory) }))).body;
    return (data.keys ?? []).map((name) => [name, undefined] as const);
  };

/**
 * Lists with the metadata of the keys, which shows the deleted ones (OpenBao); other products and tokens without
 * that permission list all names.
 */
async function detailedList(secrets: SecretsClient, mount: string): Promise<List> {
  const plain = plainList(secrets, `${mount}/metadata`);
  const detailed: List = async (directory) => {
    const { data } = (await secrets.list({ path: joined(mount, 'detailed-metadata', directory) })).body;
    const info = isObject(data.key_info) ? data.key_info : {};
    return (data.keys ?? []).map((name) => {
      const details = info[name];
      return [name, isObject(details) && details.versions !== undefined ? details : undefined] as const;
    });
  };
  try {
    const top = await detailed('');
    return (directory) =>
      directory === ''
        ? Promise.resolve(top)
        : detailed(directory).catch(insteadOf<Listed>(isEmptyListError, []));
  } catch (error) {
    if (!isUnsupported(error)) throw error;
    return plain;
  }
}

/** Also of an empty mount, which a plain list confirms. */
const isUnsupported = (error: unknown): boolean =>
  error instanceof LanyardError && [403, 404, 405].includes(error.status ?? 0);

/** Whether the latest version can be read; undefined: only reading it shows that. */
export function isReadable({ metadata }: Pick<ListedKey, 'metadata'>): boolean | undefined {
  if (metadata === undefined) return true;
  const latest = isObject(metadata.versions)
    ? metadata.versions[String(metadata.current_version)]
    : undefined;
  if (!isObject(latest) || latest.destroyed === true) return false;
  // Otherwise it is deleted, or will be at a later time.
  return latest.deletion_time === '' ? true : undefined;
}
