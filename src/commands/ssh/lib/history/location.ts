import { usage } from '../../../../errors.ts';

/** Where a record is: below a prefix of keys of the registry, or below a path of a key-value engine. */
export interface RecordLocation {
  readonly store: 'registry' | 'secrets';
  /** A prefix of keys, or a mount and a path below it; without slashes at its ends. */
  readonly path: string;
}

/** The location as users write it. */
export const locationText = ({ store, path }: RecordLocation): string => `${store}:${path}`;

/** Reads a location: `registry:PREFIX` or `secrets:MOUNT/PATH`. @throws LanyardError usage: another form */
export function parseRecordLocation(text: string): RecordLocation {
  const [, store, given = ''] = /^(registry|secrets):(.*)$/s.exec(text) ?? [];
  const path = given.replace(/^\/+|\/+$/g, '');
  const isBelowMount = store !== 'secrets' || path.includes('/');
  if ((store === 'registry' || store === 'secrets') && path !== '' && isBelowMount) return { store, path };
  throw usage(
    `invalid location "${text}" of the record: expected registry:PREFIX or secrets:MOUNT/PATH, such as registry:ssh/record`,
  );
}
