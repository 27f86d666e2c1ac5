import { flag } from '../../command.ts';
import { same } from '../../output/changes.ts';
import { parseDuration } from '../../wire/duration.ts';
import type { KvSettings } from '../../wire/secrets.ts';

/** What can be set for a mount, and for one secret. */
export const settingFlags = {
  maxVersions: flag.integer(
    'N',
    'versions that are kept; of secret and mount, the one that keeps more counts; 0: as the other, or the service, says',
  ),
  casRequired: flag.choice(['true', 'false'], 'whether every write must name the current version (--cas)'),
  deleteVersionAfter: flag.duration('delete a version this long after it was written; 0s: never'),
} as const;

interface Given {
  readonly maxVersions: number | undefined;
  readonly casRequired: 'true' | 'false' | undefined;
  readonly deleteVersionAfter: string | undefined;
}

export const settingsFrom = (flags: Given): KvSettings => ({
  ...(flags.maxVersions === undefined ? {} : { max_versions: flags.maxVersions }),
  ...(flags.casRequired === undefined ? {} : { cas_required: flags.casRequired === 'true' }),
  ...(flags.deleteVersionAfter === undefined ? {} : { delete_version_after: flags.deleteVersionAfter }),
});

/** Are the settings that were sent those that are there? Durations come back in another form. */
export const areSet = (sent: object, there: Readonly<Record<string, unknown>>): boolean =>
  Object.entries(sent).every(([name, value]) =>
    name === 'delete_version_after'
      ? parseDuration(String(value)) === parseDuration(String(there[name]))
      : same(value, there[name]),
  );
