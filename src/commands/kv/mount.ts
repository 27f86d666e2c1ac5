import { isDeniedByPolicy, isHiddenMount } from '../../api/conditions.ts';
import type { SecretsClient } from '../../api/secrets.ts';
import { LanyardError, notFound } from '../../errors.ts';

/** A mount, as the service tells of it. */
type Told = Awaited<ReturnType<SecretsClient['findMount']>>['body']['data'];

/** What a path leads to. */
interface Found {
  /** The namespaces that the path begins with, with a slash at the end; empty where the service looked by itself. */
  readonly namespace: string;
  readonly mount: Told;
}

/**
 * Asks the service which mount a path is below, once. A namespace at the beginning of a path is the same as one in the
 * header (docs/protocol/common.md#namespaces); where the service does not look into it, the leading parts of the path
 * are tried as one, as long as the service confirms them.
 *
 * @returns undefined: the service does not know the question.
 * @throws LanyardError not found: there is no mount on the way, and the token may see those there are; forbidden,
 * after one request where the service does not know the token.
 */
export async function findMount(secrets: SecretsClient, path: string): Promise<Found | undefined> {
  try {
    return { namespace: '', mount: (await secrets.findMount({ path })).body.data };
  } catch (error) {
    const isKnownToken = isHiddenMount(error) || isDeniedByPolicy(error);
    if (!isRefusal(error) || (error.status === 403 && !isKnownToken)) throw error;
    const { found, deepest } = await lookBelow(secrets, path);
    if (found) return found;
    if (error.status === 404) return undefined;
    throw (await isMounted(secrets, deepest, path)) ? error : noMount(deepest, path);
  }
}

const isRefusal = (error: unknown): error is LanyardError =>
  error instanceof LanyardError && (error.status === 403 || error.status === 404);

/** Looks in the namespaces that a path may begin with, until there is no such namespace. */
async function lookBelow(
  secrets: SecretsClient,
  path: string,
): Promise<{ readonly found?: Found; readonly deepest: string }> {
  const parts = path.split('/');
  let deepest = '';
  for (let count = 1; count < parts.length; count += 1) {
    const namespace = parts.slice(0, count).join('/');
    try {
      const { body } = await secrets.findMountIn({ namespace, path: parts.slice(count).join('/') });
      return { found: { namespace: `${namespace}/`, mount: body.data }, deepest };
    } catch (error) {
      if (!isRefusal(error)) throw error;
      if (!isHiddenMount(error)) break;
      deepest = `${namespace}/`;
    }
  }
  return { deepest };
}

/** May there be a mount on the way? Only a token that may see all mounts of a namespace can tell that there is none. */
async function isMounted(secrets: SecretsClient, namespace: string, path: string): Promise<boolean> {
  try {
    const { data } = (await secrets.listMounts({ path: `${namespace}sys/mounts` })).body;
    const rest = `${path.slice(namespace.length)}/`;
    return Object.keys(data).some((mount) => rest.startsWith(mount));
  } catch (error) {
    if (error instanceof LanyardError) return true;
    throw error;
  }
}

function noMount(namespace: string, path: string): LanyardError {
  const first = path.slice(namespace.length).split('/', 1).join();
  return notFound(`there is no key-value engine at ${namespace}${first}/`, {
    service: 'secrets',
    hint: `"lanyard secrets read ${namespace}sys/mounts" shows what is mounted.`,
  });
}
