import { findRevocation, readRevocable } from './check.ts';
import { describeEntry } from './describe.ts';
import { emptyKrl, entriesOf, missingEntries, presentEntries, withEntries, withoutEntries } from './krl.ts';
import { isKrl, readKrl } from './read.ts';
import { writeKrl } from './write.ts';

/** Key revocation lists of OpenSSH, as commands use them. */
export const revocation = {
  emptyKrl,
  isKrl,
  readKrl,
  writeKrl,
  entriesOf,
  withEntries,
  withoutEntries,
  missingEntries,
  presentEntries,
  readRevocable,
  findRevocation,
  describeEntry,
};

export type Revocations = typeof revocation;
