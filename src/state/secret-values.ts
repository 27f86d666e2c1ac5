import { isHiddenMount } from '../api/conditions/secrets.ts';
import type { SecretsClient } from '../api/secrets.ts';
import { isNotFound, usage } from '../errors.ts';
import type { Services } from './kind.ts';

/**
 * Reads the pairs of a secret, for a reference.
 *
 * @param path mount and path.
 * @throws LanyardError usage: it does not exist; any other error of the service.
 */
export async function readSecretPairs(
  path: string,
  services: Services,
): Promise<Readonly<Record<string, unknown>>> {
  const secrets = await services.secrets();
  const { body: found } = await secrets.findMount({ path }).catch(async (error: unknown) => {
    if (isHiddenMount(error) && (await isUnmounted(path, secrets)))
      throw usage(`the secret ${path} does not exist: nothing is mounted there`);
    throw error;
  });
  const mount = found.data.path.replace(/\/$/, '');
  try {
    if (found.data.options?.version !== '2') return (await secrets.readKv1({ path })).body.data;
    const { body } = await secrets.readKv({ mount, path: path.slice(mount.length + 1) });
    return body.data.data ?? {};
  } catch (error) {
    if (isNotFound(error)) throw usage(`the secret ${path} does not exist`);
    throw error;
  }
}

/** Whether no mount has the path; false: there is one, or the token may not list them. */
async function isUnmounted(path: string, secrets: SecretsClient): Promise<boolean> {
  const listed = await secrets.listMounts({ path: 'sys/mounts' }).catch(() => undefined);
  return listed !== undefined && !Object.keys(listed.body.data).some((mount) => path.startsWith(mount));
}
