import type { Context } from '../../../../command/context.ts';
import { usage } from '../../../../errors.ts';
import type { Krl } from '../../../../ssh/krl/krl.ts';
import type { Source } from '../../../../watch/watch.ts';
import { type ListLocation, locationText } from './location.ts';

/** A list at its location. */
export interface StoredList {
  readonly krl: Krl;
  /** The list as sshd reads it. */
  readonly bytes: Buffer;
}

/** Changes a list; the same object: it has everything already. It may run several times. */
export type Edit = (krl: Krl) => Krl;

/** The result of a change. */
export interface ChangedList extends StoredList {
  readonly isChanged: boolean;
  /** There was no list at the location. */
  readonly isNew: boolean;
}

export interface ListStore {
  /** Undefined: no list exists. @throws LanyardError usage: it is damaged. */
  read(): Promise<StoredList | undefined>;
  /**
   * Changes the list with check-and-set: after a change by somebody else, `edit` gets the new list. Its version is one
   * higher after each change. A lost response is settled by reading back.
   *
   * @throws LanyardError usage: the list does not fit into the store, or the store has no check-and-set; unknown.
   */
  change(edit: Edit): Promise<ChangedList>;
  /** The bytes of the list, for a watch. */
  source(): Source<Buffer>;
}

/** What stores use. */
export type StoreContext = Pick<Context, 'api' | 'files' | 'ssh' | 'system'>;

/** Reads and writes lists in the form of a store. */
export interface ListCodec {
  /** A list in binary form, or in base64 (as text stores have it). @throws LanyardError usage: neither, damaged. */
  decode(content: Buffer): StoredList;
  /** The list after a change; undefined: it has everything already. */
  edited(before: Krl | undefined, edit: Edit): StoredList | undefined;
  readonly empty: Krl;
}

const maxVersion = 2n ** 64n - 1n;

export async function listCodec(location: ListLocation, { ssh, system }: StoreContext): Promise<ListCodec> {
  const { emptyKrl, isKrl, readKrl, writeKrl } = await ssh.revocation();
  const name = `the revocation list at ${locationText(location)}`;
  const decode = (content: Buffer): StoredList => {
    const bytes = isKrl(content) ? content : Buffer.from(content.toString('latin1').trim(), 'base64');
    return { krl: readKrl(bytes, name), bytes };
  };
  return {
    empty: emptyKrl,
    decode,
    edited: (before = emptyKrl, edit) => {
      const after = edit(before);
      if (after === before) return undefined;
      if (before.version === maxVersion) throw usage(`${name} has the highest version already`);
      const generated = BigInt(Math.floor(system.clock().getTime() / 1000));
      const krl = { ...after, version: before.version + 1n, generated };
      return { krl, bytes: writeKrl(krl) };
    },
  };
}
