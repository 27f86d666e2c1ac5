import * as s from '../../../core/schema/types.ts';
import { storeResource } from '../../kv/secret-store.ts';
import { changedSettings, settingInput, shownSettings, showSettings } from '../../kv/settings.ts';

export const config = storeResource({
  summary: 'Read or change the settings of the mount, for all keys.',
  fields: settingInput,
  returns: { read: s.object(shownSettings) },
  read: (store) => ({ data: showSettings(store.settings()) }),
  write: (store, { input }) =>
    store.saveSettings({ ...store.settings(), ...changedSettings(input, 'mount') }),
});
