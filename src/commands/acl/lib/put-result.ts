import { confirmWrite, insteadOf, isFailure, LanyardError } from '../../../errors.ts';
import type { Messages } from '../../../io/io.ts';
import { type Change, changesTable, diff, isEqual, writtenView } from '../../../output/diff.ts';
import type { Block } from '../../../output/document.ts';
import { isObject } from '../../../wire/objects.ts';
import { type Fields, writableFields } from './fields.ts';

interface Put {
  /** Before the write; undefined: it was created. */
  readonly current: object | undefined;
  /** What the service stored. */
  readonly written: object | undefined;
  /** What was sent. */
  readonly after: Fields;
}

/**
 * Creates an object, or replaces it if a field changes. After a lost response it is read back.
 *
 * @param noun the object in messages, as in `role`
 * @param others fields that are not compared, besides those that the service sets
 * @returns the stored object; `current` itself if nothing changes; undefined: the response has no body
 * @throws LanyardError unknown: the response was lost, and the stored object differs
 */
export async function writeIfChanged<Item extends object>(
  noun: string,
  { current, after }: { readonly current: Item | undefined; readonly after: Fields },
  write: () => Promise<{ readonly body: Item | undefined }>,
  read: () => Promise<Item>,
  others: readonly string[] = [],
): Promise<Item | undefined> {
  if (current && isEqual(writableFields(current, others), after)) return current;
  let found: Item | undefined;
  const response = await confirmWrite(write, async () => {
    found = await read();
    return { done: isEqual(writableFields(found, others), after), found: `the stored ${noun} differs` };
  });
  return response?.body ?? found;
}

/** The result of a write: what changed. Warns about fields that the service did not store. */
export function putResult(noun: string, { current, written, after }: Put, output: Pick<Messages, 'warn'>) {
  const stored = writableFields(written ?? after);
  warnAboutUnstored(noun, after, stored, output);
  const changes = current ? diff(writableFields(current), stored) : [];
  const { ID = null } = (written ?? {}) as { ID?: string };
  const name = String(stored.Name ?? '');
  return {
    data: { ID, Name: name, created: !current, changes },
    payload: changes,
    document: writtenView(noun, name, { created: !current, changes }, grantChangesTable),
  };
}

/**
 * Reads an updated object back: the registry has no check-and-set, so that another write at the same time may have
 * replaced this one.
 *
 * @param title the object, for messages: `role "ops"`.
 * @param change the fields of an object after the change that was asked for.
 * @throws LanyardError unknown: the change is gone.
 */
export async function confirmKept(
  title: string,
  read: () => Promise<Fields>,
  change: (found: Fields) => Fields,
): Promise<void> {
  // Not readable: the response to the write has confirmed it.
  const found = await read().catch(insteadOf(isFailure, undefined));
  if (found === undefined || isEqual(change(found), found)) return;
  throw new LanyardError('unknown', `cannot confirm the update of ${title}: another write has replaced it`, {
    service: 'registry',
    hint: 'Run the same command again.',
  });
}

/** The changed fields, with the names of linked policies and roles instead of their IDs. */
export const grantChangesTable = (changes: readonly Change[]): Block =>
  changesTable(
    changes.map(({ path, before, after }) => ({ path, before: namesIn(before), after: namesIn(after) })),
  );

const namesIn = (value: unknown): unknown =>
  Array.isArray(value) && value.every((link) => isObject(link) && 'ID' in link && 'Name' in link)
    ? value.map(({ Name }) => Name)
    : value;

/** Older registries ignore fields that they do not know. */
export function warnAboutUnstored(
  noun: string,
  sent: Fields,
  stored: Fields,
  output: Pick<Messages, 'warn'>,
): void {
  for (const name of Object.keys(sent))
    if (!Object.hasOwn(stored, name))
      output.warn(`the service registry did not store ${name} of the ${noun}`);
}
