import { isUnsupportedPath } from '../../../../api/conditions/secrets.ts';
import type { SecretsClient } from '../../../../api/secrets.ts';
import { hintFor, isEmptyListError, isForbidden, isNotFound } from '../../../../errors.ts';
import { caNotFoundError } from '../mount.ts';
import { issuerRotation } from './issuer-rotation.ts';
import { mountRotation } from './mount-rotation.ts';
import type { Rotation } from './types.ts';

/**
 * Reads the rotation of a mount.
 *
 * @throws LanyardError not found: no mount, no CA; conflict: a state that no rotation leaves; forbidden.
 */
export async function readRotation(secrets: SecretsClient, mount: string): Promise<Rotation> {
  const issuers = await secrets.listIssuers({ mount }).then(
    ({ body }) => body.data,
    (error: unknown) => {
      if (isEmptyListError(error)) throw caNotFoundError(mount, error);
      // In the middle of a switch the mount itself is absent.
      if (isUnsupportedPath(error) || isNotFound(error)) return undefined;
      return hintFor(isForbidden, `Use a token with the list capability for ${mount}/issuers.`)(error);
    },
  );
  return issuers ? issuerRotation(secrets, mount, issuers) : mountRotation(secrets, mount);
}
