import type { SecretsClient } from '../../../api/secrets.ts';
import type { Json } from '../../../wire/json.ts';
import { describeMissingSecret, type SecretPath, version1Path } from './secret-path.ts';

export type Pairs = Readonly<Record<string, Json>>;

/** The current pairs, and in version 2 the number of the version. */
export interface State {
  readonly pairs: Pairs;
  readonly version: number | undefined;
}

/** A secret at one time. */
export interface SecretState {
  /** The complete response; some of its fields differ in each response. */
  readonly body: BodyOf<'readKv'> | BodyOf<'readKv1'>;
  /** Null: a version without data. */
  readonly pairs: Pairs | null;
  /** Of an engine of version 2. */
  readonly metadata: BodyOf<'readKv'>['data']['metadata'] | undefined;
}

export type BodyOf<Name extends keyof SecretsClient> = Awaited<ReturnType<SecretsClient[Name]>>['body'];

/** @param version undefined: the latest, or the only one of an engine of version 1. */
export async function readState(
  secrets: SecretsClient,
  location: SecretPath,
  version?: number,
): Promise<SecretState> {
  if (location.version === 1) {
    const { body } = await secrets.readKv1({ path: version1Path(location) });
    return { body, pairs: body.data as Pairs, metadata: undefined };
  }
  const { body } = await secrets.readKv({ mount: location.mount, path: location.path, version });
  const { data, metadata } = body.data;
  return { body, pairs: data as Pairs | null, metadata };
}

/** Reads a secret. @throws LanyardError not found. */
export async function readSecret(secrets: SecretsClient, secretPath: SecretPath): Promise<State> {
  const reading = readState(secrets, secretPath);
  const { pairs, metadata } = await reading.catch(describeMissingSecret(secretPath));
  return { pairs: pairs ?? {}, version: metadata?.version };
}
