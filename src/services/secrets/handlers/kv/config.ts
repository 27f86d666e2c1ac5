import type { SecretStore } from '../../kv/secret-store.ts';
import { readSettings, settingDescriptions, showSettings } from '../../kv/settings.ts';
import type { Resource } from '../../resource.ts';

/** The settings of the mount, for all keys. */
export const config: Resource<SecretStore> = {
  summary: 'Read or change the settings of the mount, for all keys.',
  fields: settingDescriptions,
  read: (store) => ({ data: showSettings(store.settings()) }),
  write: (store, { data }) => store.saveSettings({ ...store.settings(), ...readSettings(data, 'mount') }),
};
