import type { Json } from '../../../wire/json.ts';
import type { JsonObject } from '../../core/http/fields.ts';
import type { Change, Storage } from '../../core/store/storage.ts';
import { namesBelow } from '../model/names-below.ts';
import { addVersion, type Secret, type Version } from './secret.ts';
import { defaultSettings, type Settings } from './settings.ts';

/**
 * The data of a version 2 mount: its settings, the metadata of each key, and each version's data separately.
 *
 * A write is visible immediately and durable when it resolves. Code that reads, decides and calls a method
 * here without awaiting in between is therefore atomic: no two changes are based on the same state.
 */
export class SecretStore {
  readonly #storage: Storage;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  settings(): Settings {
    return (this.#storage.get('config') as Settings | undefined) ?? defaultSettings;
  }

  async saveSettings(settings: Settings): Promise<void> {
    await this.#storage.write([{ key: 'config', value: { ...settings } }]);
  }

  get(key: string): Secret | undefined {
    return this.#storage.get(secretKey(key)) as Secret | undefined;
  }

  names(directory: string): string[] {
    const prefix = secretKey(directory);
    return namesBelow(prefix, this.#storage.keys(prefix));
  }

  data(key: string, version: Version): { [key: string]: Json } {
    return this.#storage.get(dataKey(key, version)) as { [key: string]: Json };
  }

  /** Writes a new version; returns it, and the updated key. */
  async add(key: string, previous: Secret, data: JsonObject, now: Date): Promise<[Secret, Version]> {
    const { secret, version, dropped } = addVersion(previous, this.settings(), now.getTime());
    const content: Change = { key: dataKey(key, version), value: { ...data } };
    await this.#storage.write([putSecret(key, secret), content, ...removeData(key, dropped)]);
    return [secret, version];
  }

  /** Saves the metadata of a key; deletes the data of destroyed versions. */
  async save(key: string, secret: Secret): Promise<void> {
    const destroyed = secret.versions.filter((version) => version.destroyed);
    await this.#storage.write([putSecret(key, secret), ...removeData(key, destroyed)]);
  }

  /** Removes a key and all its versions. */
  async remove(key: string): Promise<void> {
    const versions = this.get(key)?.versions ?? [];
    await this.#storage.write([{ key: secretKey(key) }, ...removeData(key, versions)]);
  }

  /** Waits until everything now visible is durable: a response that nothing changed relies on it. */
  async whenDurable(): Promise<undefined> {
    await this.#storage.write([]);
  }
}

const secretKey = (key: string): string => `metadata/${key}`;

const dataKey = (key: string, { number }: Version): string => `data/${number}/${key}`;

function putSecret(key: string, secret: Secret): Change {
  return { key: secretKey(key), value: { ...secret } as unknown as Json };
}

function removeData(key: string, versions: readonly Version[]): Change[] {
  return versions.map((version) => ({ key: dataKey(key, version) }));
}
