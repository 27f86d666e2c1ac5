import type { SecretsClient } from '../../../api/secrets.ts';
import { isForbidden, isNotFound } from '../../../errors.ts';
import type { Reading, Source } from '../../../watch/watch.ts';
import { formatJson } from '../../../wire/json.ts';
import { requireSecret, type SecretPath } from './secret-path.ts';
import { readState, type SecretState } from './secret-state.ts';

interface WhichSecret {
  readonly path: string;
  readonly mount: string | undefined;
  /** Undefined: the latest. */
  readonly version: number | undefined;
}

/**
 * Watches a secret. The engine has no blocking queries; in version 2 the data is read when the metadata shows another
 * version. A mount that does not exist is an absent secret.
 */
export function secretSource(
  secrets: SecretsClient,
  { path, mount, version }: WhichSecret,
): Source<SecretState> {
  let location: SecretPath | undefined;
  // The token may lack the permission to read metadata.
  let readsMetadata = true;
  let last: { readonly version: string; readonly reading: Reading<SecretState> } | undefined;
  const readNewVersion = async (found: SecretPath): Promise<Reading<SecretState>> => {
    const state = readsMetadata
      ? await versionState(secrets, found, version).catch((error: unknown) => {
          if (!isForbidden(error)) throw error;
          readsMetadata = false;
          return undefined;
        })
      : undefined;
    if (state !== undefined && last?.version === state) return last.reading;
    const reading = { value: await readState(secrets, found, version) };
    last = state === undefined ? undefined : { version: state, reading };
    return reading;
  };
  return {
    comparable: ({ body }) => body.data,
    read: async () => {
      try {
        location ??= await requireSecret(secrets, path, mount);
        return location.version === 1
          ? { value: await readState(secrets, location) }
          : await readNewVersion(location);
      } catch (error) {
        if (!isNotFound(error)) throw error;
        return { value: undefined };
      }
    },
  };
}

/** A text that differs if another version is current, or if the version was deleted, restored or destroyed. */
async function versionState(
  secrets: SecretsClient,
  { mount, path }: SecretPath,
  version: number | undefined,
): Promise<string> {
  const { current_version, custom_metadata, versions } = (await secrets.readKvMetadata({ mount, path })).body
    .data;
  const number = version ?? current_version;
  return formatJson([number, versions[number], custom_metadata]);
}
