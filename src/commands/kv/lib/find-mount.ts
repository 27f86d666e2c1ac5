import { isDeniedByPolicy, isHiddenMount } from '../../../api/conditions/secrets.ts';
import type { SecretsClient } from '../../../api/secrets.ts';
import { insteadOf, LanyardError, notFound } from '../../../errors.ts';

type MountResponse = Awaited<ReturnType<SecretsClient['findMount']>>['body']['data'];

interface FoundMount {
  /** The namespaces at the start of the path, with a trailing slash; empty if the service resolved them. */
  readonly namespace: string;
  readonly mount: MountResponse;
}

/**
 * Finds the mount of a path. A namespace at the start of a path is equivalent to one in the header
 * (docs/protocol/common.md#namespaces); if the service does not resolve it, the leading parts of the path are tried as a
 * namespace as long as the service confirms them.
 *
 * @returns undefined: the service does not support the request.
 * @throws LanyardError not found: the mount does not exist, and the token may list mounts; forbidden, after one request
 * if the service does not know the token.
 */
export async function findMount(secrets: SecretsClient, path: string): Promise<FoundMount | undefined> {
  try {
    return { namespace: '', mount: (await secrets.findMount({ path })).body.data };
  } catch (error) {
    const isKnownToken = isHiddenMount(error) || isDeniedByPolicy(error);
    if (!isForbidden(error) || (error.status === 403 && !isKnownToken)) throw error;
    const { found, deepest } = await findMountBelow(secrets, path);
    if (found) return found;
    if (error.status === 404) return undefined;
    throw (await isMounted(secrets, deepest, path)) ? error : mountNotFoundError(deepest, path);
  }
}

/**
 * Whether the service itself denied the request: a 404 from a proxy does not mean that the service lacks the
 * endpoint.
 */
const isForbidden = (error: unknown): error is LanyardError =>
  error instanceof LanyardError && 'body' in error && (error.status === 403 || error.status === 404);

/** Tries the leading parts of a path as namespaces until one does not exist. */
async function findMountBelow(
  secrets: SecretsClient,
  path: string,
): Promise<{ readonly found?: FoundMount; readonly deepest: string }> {
  const parts = path.split('/');
  let deepest = '';
  for (let count = 1; count < parts.length; count += 1) {
    const namespace = parts.slice(0, count).join('/');
    try {
      const { body } = await secrets.findMountIn({ namespace, path: parts.slice(count).join('/') });
      return { found: { namespace: `${namespace}/`, mount: body.data }, deepest };
    } catch (error) {
      if (!isForbidden(error)) throw error;
      if (!isHiddenMount(error)) break;
      deepest = `${namespace}/`;
    }
  }
  return { deepest };
}

/** Whether a mount may exist: only a token that may list all mounts of a namespace can rule it out. */
async function isMounted(secrets: SecretsClient, namespace: string, path: string): Promise<boolean> {
  const isKnown = (error: unknown) => error instanceof LanyardError;
  const listing = secrets.listMounts({ path: `${namespace}sys/mounts` });
  const response = await listing.catch(insteadOf(isKnown, undefined));
  if (response === undefined) return true;
  const rest = `${path.slice(namespace.length)}/`;
  return Object.keys(response.body.data).some((mount) => rest.startsWith(mount));
}

function mountNotFoundError(namespace: string, path: string): LanyardError {
  const first = path.slice(namespace.length).split('/', 1).join();
  return notFound(`key-value engine not found at ${namespace}${first}/`, {
    service: 'secrets',
    hint: `Run \`lanyard secrets mount list${namespace === '' ? '' : ` -n ${namespace.slice(0, -1)}`}\` for the mounted engines.`,
  });
}
