import type { SecretsClient } from '../../../../api/secrets.ts';
import { mapConcurrently } from '../../../../wire/concurrently.ts';
import type { SecretPath } from '../secret-path.ts';
import { type Pairs, readState } from '../secret-state.ts';

/** The data of versions that are not the newest; empty for a version without data (null). */
export const earlierData = (
  secrets: SecretsClient,
  at: SecretPath,
  versions: readonly number[],
): Promise<readonly Pairs[]> =>
  mapConcurrently(versions, async (version) => (await readState(secrets, at, version)).pairs ?? {});
