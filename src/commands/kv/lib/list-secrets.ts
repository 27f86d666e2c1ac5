import type { SecretsClient } from '../../../api/secrets.ts';
import { isForbidden, type LanyardError, listOrEmpty } from '../../../errors.ts';
import { mapConcurrently } from '../../../wire/concurrently.ts';
import { resolveSecretPath, type SecretPath, version1Path } from './secret-path.ts';

/** The secrets below a directory. */
export interface SecretNames {
  /** Relative to the directory, sorted. */
  readonly names: readonly string[];
  /** Directories that the token may not list, relative, with a slash at the end; the directory itself is `''`. */
  readonly forbidden: readonly string[];
  /** The error of the first of them. */
  readonly denial: LanyardError | undefined;
}

/** A directory, which may be a mount. @param path slashes at the end are ignored. */
export const resolveDirectory = (
  secrets: SecretsClient,
  path: string,
  mount: string | undefined,
): Promise<SecretPath> => resolveSecretPath(secrets, path.replace(/\/+$/, ''), mount);

/** The path to list: version 2 has its keys below `metadata`. */
export function directoryPath(directory: SecretPath): string {
  if (directory.version === 1) return version1Path(directory);
  return joined(directory.mount, 'metadata', directory.path);
}

/** A secret below a directory. @param name relative to it. */
export const secretIn = (directory: SecretPath, name: string): SecretPath => ({
  ...directory,
  path: joined(directory.path, name),
  name: joined(directory.name, name),
});

/** All secrets below a directory, read with bounded concurrency. */
export async function listSecrets(secrets: SecretsClient, directory: SecretPath): Promise<SecretNames> {
  const forbidden: string[] = [];
  let denial: LanyardError | undefined;
  const namesIn = async (folder: string): Promise<readonly string[]> => {
    const path = directoryPath(secretIn(directory, folder.replace(/\/$/, '')));
    try {
      const { body } = await listOrEmpty(secrets.list({ path }));
      return (body.data.keys ?? []).map((key) => folder + key);
    } catch (error) {
      if (!isForbidden(error)) throw error;
      denial ??= error;
      forbidden.push(folder);
      return [];
    }
  };
  const names: string[] = [];
  for (let folders: readonly string[] = ['']; folders.length > 0; ) {
    const found = (await mapConcurrently(folders, namesIn)).flat();
    folders = found.filter((name) => name.endsWith('/'));
    names.push(...found.filter((name) => !name.endsWith('/')));
  }
  return { names: names.sort(), forbidden: forbidden.sort(), denial };
}

const joined = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join('/');
