import { type EngineRequest, SecretsError } from '../../engine.ts';
import { versionsField } from '../../kv/json-object.ts';
import { deleteVersions, destroyVersions, type Secret, undeleteVersions } from '../../kv/secret.ts';
import type { SecretStore } from '../../kv/secret-store.ts';
import type { Settings } from '../../kv/settings.ts';

/** Operations on versions by number: the paths `delete/`, `undelete/` and `destroy/`. */

export const handleDelete = versionsHandler('No version number provided', (secret, numbers, { now }) =>
  deleteVersions(secret, numbers, now),
);

export const handleUndelete = versionsHandler(
  'No version number provided',
  (secret, numbers, { mount, now }) => undeleteVersions(secret, numbers, mount, now),
);

export const handleDestroy = versionsHandler('no version number provided', destroyVersions);

interface VersionsContext {
  readonly mount: Settings;
  readonly now: number;
}

/** Version numbers and keys that do not exist are skipped. */
function versionsHandler(
  missingMessage: string,
  update: (secret: Secret, numbers: readonly number[], context: VersionsContext) => Secret,
) {
  return async (store: SecretStore, { data, now }: EngineRequest, key: string): Promise<undefined> => {
    const numbers = versionsField(data);
    if (numbers.length === 0) throw new SecretsError(400, missingMessage);
    const secret = store.get(key);
    if (!secret) return store.whenDurable();
    await store.save(key, update(secret, numbers, { mount: store.settings(), now: now.getTime() }));
  };
}
