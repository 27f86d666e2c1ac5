import { createHmac } from 'node:crypto';
import type { Json } from '../../../wire/json.ts';
import type { Storage } from '../../storage.ts';
import type { EngineParts } from '../engine.ts';
import { uuidOf } from '../uuid.ts';

/** What a one-time password is good for. */
export type Grant = {
  readonly ip: string;
  readonly username: string;
  readonly role_name: string;
};

const saltKey = 'otp-salt';
const saltBytes = 32;

/**
 * The one-time passwords of a mount. Only a keyed hash of each is kept, and passwords are found by it: neither
 * the storage nor the time of a search tells anything about them.
 */
export class OneTimePasswords {
  readonly #storage: Storage;
  readonly #random: EngineParts['random'];

  constructor({ storage, random }: EngineParts) {
    this.#storage = storage;
    this.#random = random;
  }

  /** Makes a password (a UUID) and an identifier for its revocation that does not tell it. */
  async make(grant: Grant): Promise<{ readonly password: string; readonly id: string }> {
    const kept = this.#salt();
    const salt = kept ?? Buffer.from(this.#random(saltBytes)).toString('hex');
    const password = uuidOf(this.#random(16));
    const id = hash(salt, password);
    await this.#storage.write([
      ...(kept === undefined ? [{ key: saltKey, value: salt }] : []),
      { key: keyOf(id), value: { ...grant } },
    ]);
    return { password, id };
  }

  /**
   * Takes a password: at once, so that of many who present it one succeeds; and durably before it answers, so that
   * it is not good again after a crash.
   *
   * @returns undefined when the password is unknown, used or revoked.
   */
  async take(password: string): Promise<Grant | undefined> {
    const salt = this.#salt();
    if (salt === undefined) return undefined;
    const key = keyOf(hash(salt, password));
    const grant = this.#storage.get(key) as Grant | undefined;
    if (grant === undefined) return undefined;
    await this.#storage.write([{ key }]);
    return grant;
  }

  /** @param id as `make` gave it; one of no password is revoked already. */
  async revoke(id: Json): Promise<void> {
    const key = keyOf(String(id));
    if (this.#storage.get(key) !== undefined) await this.#storage.write([{ key }]);
  }

  #salt(): string | undefined {
    return this.#storage.get(saltKey) as string | undefined;
  }
}

function keyOf(id: string): string {
  return `otp/${id}`;
}

function hash(salt: string, password: string): string {
  return createHmac('sha256', salt).update(password).digest('hex');
}
