import { flag } from '../../command.ts';
import { same } from '../../output/changes.ts';
import { parseDuration } from '../../wire/duration.ts';
import type { KvSettings } from '../../wire/secrets.ts';

/** Settings of a mount and of a secret. */
export const settingFlags = {
  maxVersions: flag.integer('N', 'versions to keep; the larger of secret and mount applies (0: inherit)'),
  casRequired: flag.choice(['true', 'false'], 'require --cas for every write'),
  deleteVersionAfter: flag.duration('age at which versions are deleted (0s: never)'),
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

/** Whether the stored settings equal those sent. Durations are returned in another notation. */
export const areSet = (sent: object, there: Readonly<Record<string, unknown>>): boolean =>
  Object.entries(sent).every(([name, value]) =>
    name === 'delete_version_after'
      ? parseDuration(String(value)) === parseDuration(String(there[name]))
      : same(value, there[name]),
  );
