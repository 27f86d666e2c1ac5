import type { Messages } from '../../../io/io.ts';
import { actionLine, type Change, changesTable, diff } from '../../../output/diff.ts';
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
    document: current
      ? [
          actionLine(noun, changes.length === 0 ? 'unchanged' : 'update', name),
          ...(changes.length === 0 ? [] : [grantChangesTable(changes)]),
        ]
      : [actionLine(noun, 'create', name)],
  };
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
