import type { SecretsClient } from '../../../api/secrets.ts';
import { isForbidden, isNotFound } from '../../../errors.ts';
import type { Reading, Source } from '../../../watch/watch.ts';
import { formatJson } from '../../../wire/json.ts';
import type { Pairs } from './pairs.ts';
import { requireSecret, type SecretPath, version1Path } from './secret-path.ts';

/** A secret at one time. */
export interface SecretState {
  /** The complete response; some of its fields differ in each response. */
  readonly body: BodyOf<'readKv'> | BodyOf<'readKv1'>;
  /** Null: a version without data. */
  readonly pairs: Pairs | null;
  /** Of an engine of version 2. */
  readonly metadata: VersionMetadata | undefined;
}

type BodyOf<Name extends 'readKv' | 'readKv1'> = Awaited<ReturnType<SecretsClient[Name]>>['body'];
type VersionMetadata = BodyOf<'readKv'>['data']['metadata'];

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
          ? { value: await readState(secrets, location, undefined) }
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

/** @param version undefined: the latest, or the only one of an engine of version 1. */
export async function readState(
  secrets: SecretsClient,
  location: SecretPath,
  version: number | undefined,
): Promise<SecretState> {
  if (location.version === 1) {
    const { body } = await secrets.readKv1({ path: version1Path(location) });
    return { body, pairs: body.data as Pairs, metadata: undefined };
  }
  const { body } = await secrets.readKv({ mount: location.mount, path: location.path, version });
  const { data, metadata } = body.data;
  return { body, pairs: data as Pairs | null, metadata };
}
