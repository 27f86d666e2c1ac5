import type { Json } from '../../../wire/json.ts';
import { EncryptedStorage } from '../../core/store/encrypted-storage.ts';
import { encryptionWithKey } from '../../core/store/encryption.ts';
import type { Storage } from '../../core/store/storage.ts';
import { SecretsError } from '../errors.ts';

/** Maximum size of a stored value, in characters of JSON: writing more at once would block other requests. */
const maxValueLength = 2 * 1024 * 1024;

/**
 * A storage whose values are all encrypted in the underlying one.
 * @throws EmbeddedError data: a value cannot be decrypted; the message contains its key
 */
export function openBarrier(base: Storage, key: Uint8Array, random: (length: number) => Uint8Array): Storage {
  return EncryptedStorage.openSync(base, {
    encryption: encryptionWithKey(key, random),
    prefixes: [''],
    nameOf: (name) => name,
    format: 'text',
    beforeWrite(value) {
      if (remainingLength(value, maxValueLength) >= 0) return;
      throw new SecretsError(413, `value is too large to be stored: more than ${maxValueLength} bytes`);
    },
  });
}

/** The remaining room after a value; stops below zero without reading the rest. */
function remainingLength(value: Json, length: number): number {
  if (typeof value === 'string') return length - value.length - 2;
  if (typeof value !== 'object' || value === null) return length - 2;
  let remaining = length - 2;
  const isList = Array.isArray(value);
  for (const [name, each] of Object.entries(value)) {
    remaining = remainingLength(each, remaining - (isList ? 1 : name.length + 4));
    if (remaining < 0) break;
  }
  return remaining;
}
