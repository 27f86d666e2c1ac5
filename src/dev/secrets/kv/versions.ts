import { type EngineRequest, Refusal } from '../engine.ts';
import { versionsField } from './members.ts';
import { deleteVersions, destroyVersions, type Secret, undeleteVersions } from './secret.ts';
import type { SecretStore } from './secret-store.ts';
import type { Settings } from './settings.ts';

/** Operations on versions by number: the paths `delete/`, `undelete/` and `destroy/`. */

export const deleteThese = acting('No version number provided', (secret, numbers, { now }) =>
  deleteVersions(secret, numbers, now),
);

export const undeleteThese = acting('No version number provided', (secret, numbers, { mount, now }) =>
  undeleteVersions(secret, numbers, mount, now),
);

export const destroyThese = acting('no version number provided', destroyVersions);

interface Circumstances {
  readonly mount: Settings;
  readonly now: number;
}

/** Version numbers and keys that do not exist are skipped. */
function acting(
  missing: string,
  act: (secret: Secret, numbers: readonly number[], circumstances: Circumstances) => Secret,
) {
  return async (store: SecretStore, { data, now }: EngineRequest, key: string): Promise<undefined> => {
    const numbers = versionsField(data);
    if (numbers.length === 0) throw new Refusal(400, missing);
    const secret = store.get(key);
    if (!secret) return store.settled();
    await store.save(key, act(secret, numbers, { mount: store.settings(), now: now.getTime() }));
  };
}
