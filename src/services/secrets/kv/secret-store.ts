import type { JsonObject } from '../../../wire/json.ts';
import { mapInSlices } from '../../core/in-slices.ts';
import * as s from '../../core/schema/types.ts';
import type { Change, Storage } from '../../core/store/storage.ts';
import { checkTables, tableOf } from '../../core/store/table.ts';
import { writeInSlices } from '../../core/store/write-in-slices.ts';
import { tableNamesBelow } from '../model/names-below.ts';
import { resourcesOf } from '../resource.ts';
import { addVersion, newSecret, type Secret, secretSchema, type Version } from './secret.ts';
import { defaultSettings, type Settings, settingsSchema } from './settings.ts';

const settings = tableOf('config', settingsSchema);
const secrets = tableOf('metadata/', secretSchema);
const contents = tableOf('data/', s.map(s.json()));

/**
 * The data of a version 2 mount: its settings, the metadata of each key, and each version's data separately.
 *
 * A write is visible immediately and durable when it resolves. Code that reads, decides and calls a method
 * here without awaiting in between is therefore atomic: no two changes are based on the same state.
 */
export class SecretStore {
  readonly #storage: Storage;

  constructor(storage: Storage) {
    checkTables(storage, [settings, secrets, contents]);
    this.#storage = storage;
  }

  settings(): Settings {
    return settings.get(this.#storage, '') ?? defaultSettings;
  }

  async saveSettings(changed: Settings): Promise<void> {
    await this.#storage.write([settings.put('', changed)]);
  }

  get(key: string): Secret | undefined {
    return secrets.get(this.#storage, key);
  }

  keysBelow(directory: string): Promise<string[]> {
    return mapInSlices(secrets.keys(this.#storage, directory), (key) => key.slice(directory.length));
  }

  names(directory: string): Promise<string[]> {
    return tableNamesBelow(this.#storage, secrets, directory);
  }

  data(key: string, version: Version): JsonObject {
    return contents.get(this.#storage, contentKey(key, version)) ?? {};
  }

  /** Writes a new version; returns it, and the updated key. */
  async add(key: string, previous: Secret, data: JsonObject, now: Date): Promise<[Secret, Version]> {
    const { secret, version, dropped } = addVersion(previous, this.settings(), now.getTime());
    const content = contents.put(contentKey(key, version), data);
    await this.#storage.write([secrets.put(key, secret), content, ...removeData(key, dropped)]);
    return [secret, version];
  }

  firstVersion(key: string, data: JsonObject, now: Date): Change[] {
    const created = newSecret(now.getTime());
    const { secret, version } = addVersion(created, this.settings(), now.getTime());
    const oldest = version.number;
    return [secrets.put(key, { ...secret, oldest }), contents.put(contentKey(key, version), data)];
  }

  /** Saves the metadata of a key; deletes the data of destroyed versions. */
  async save(key: string, secret: Secret): Promise<void> {
    const destroyed = secret.versions.filter((version) => version.destroyed);
    await this.#storage.write([secrets.put(key, secret), ...removeData(key, destroyed)]);
  }

  async remove(key: string): Promise<void> {
    const versions = this.get(key)?.versions ?? [];
    await writeInSlices(this.#storage, [secrets.remove(key), ...removeData(key, versions)]);
  }

  /** Waits until everything now visible is durable: a response that nothing changed relies on it. */
  async whenDurable(): Promise<undefined> {
    await this.#storage.write([]);
  }
}

const contentKey = (key: string, { number }: Version): string => `${number}/${key}`;

function removeData(key: string, versions: readonly Version[]): Change[] {
  return versions.map((version) => contents.remove(contentKey(key, version)));
}

export const storeResource = resourcesOf<SecretStore>();
