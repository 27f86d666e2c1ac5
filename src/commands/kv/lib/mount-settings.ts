import { flag, type Values } from '../../../cli/command.ts';
import { isEqual } from '../../../output/diff.ts';
import { parseDuration } from '../../../wire/duration.ts';
import { compact } from '../../../wire/objects.ts';
import type { KvSettings } from '../../../wire/secrets.ts';

export const settingFlags = {
  maxVersions: flag.integer('N', 'versions to keep; the larger of secret and mount applies (0: inherit)'),
  casRequired: flag.choice(['true', 'false'], 'require --cas for every write'),
  deleteVersionAfter: flag.duration('age at which versions are deleted (0s: never)'),
} as const;

export const mountSettings = (flags: Values<typeof settingFlags>): KvSettings =>
  compact({
    max_versions: flags.maxVersions,
    cas_required: flags.casRequired && flags.casRequired === 'true',
    delete_version_after: flags.deleteVersionAfter,
  });

/** Whether the stored settings equal those sent. Durations are returned in another notation. */
export const hasSettings = (sent: object, existing: Readonly<Record<string, unknown>>): boolean =>
  Object.entries(sent).every(([name, value]) =>
    name === 'delete_version_after'
      ? parseDuration(String(value)) === parseDuration(String(existing[name]))
      : isEqual(value, existing[name]),
  );
