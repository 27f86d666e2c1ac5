import type { Json } from '../../../../wire/json.ts';
import * as s from '../../../core/schema/types.ts';
import { badRequest } from '../../errors.ts';
import { deleteVersions, destroyVersions, type Secret, undeleteVersions } from '../../kv/secret.ts';
import { type SecretStore, storeResource } from '../../kv/secret-store.ts';
import type { Settings } from '../../kv/settings.ts';
import type { Resource } from '../../resource.ts';

export const deletion = versionsResource(
  'Delete versions; they can be undeleted.',
  'No version number provided',
  (secret, numbers, { now }) => deleteVersions(secret, numbers, now),
);

export const undeletion = versionsResource(
  'Undelete versions.',
  'No version number provided',
  (secret, numbers, { mount, now }) => undeleteVersions(secret, numbers, mount, now),
);

export const destruction = versionsResource(
  'Permanently delete the data of versions.',
  'no version number provided',
  destroyVersions,
);

interface VersionsContext {
  readonly mount: Settings;
  readonly now: number;
}

/** Version numbers and keys that do not exist are skipped. */
function versionsResource(
  summary: string,
  missingMessage: string,
  update: (secret: Secret, numbers: readonly number[], context: VersionsContext) => Secret,
): Resource<SecretStore> {
  return storeResource({
    summary,
    fields: {
      versions: s.required(s.converted(s.list(s.integer(), 'The numbers of the versions.'), versionNumbers)),
    },
    async write(store, { input: { versions: numbers }, now }, key) {
      if (numbers.length === 0) throw badRequest(missingMessage);
      const secret = store.get(key);
      if (!secret) return store.whenDurable();
      await store.save(key, update(secret, numbers, { mount: store.settings(), now: now.getTime() }));
      return undefined;
    },
  });
}

/** An array, or one comma-separated text. @throws Error that says what was expected */
function versionNumbers(value: Json): number[] {
  const parts = typeof value === 'string' ? value.split(',').filter((part) => part.trim() !== '') : [value];
  return parts.flat().map((part) => {
    const number = typeof part === 'string' && /^\s*\d+\s*$/.test(part) ? Number(part) : part;
    if (typeof number === 'bigint') return Number(number);
    if (typeof number === 'number' && Number.isInteger(number)) return number;
    throw new Error('expected a list of integers');
  });
}
