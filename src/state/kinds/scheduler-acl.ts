import { isAccessControlOff } from '../../api/conditions/any.ts';
import { insteadOf } from '../../errors.ts';
import type { Json } from '../../wire/json.ts';
import { isObject } from '../../wire/objects.ts';
import type { Identity, JsonObject, Kind, Reference, Services } from '../kind.ts';
import { splitMark, withMark } from '../marks.ts';
import { requireCompleteLists } from './scheduler-lists.ts';

/** What policies, roles and tokens of the scheduler share (docs/protocol/scheduler.md#access-control). */

/** Bytes of a description or of the name of a token. */
export const maxTextBytes = 256;

export const mark = { type: 'text', field: 'Description' } as const;

/** The bytes that the mark of a set takes. */
const markBytes = Buffer.byteLength(
  String(withMark({ mark }, { Description: 'x' }, { id: 'x'.repeat(10), rotation: 0 }).Description).slice(1),
);

const maxDescriptionBytes = maxTextBytes - markBytes;

const hasRoomForMark = (description: Json | undefined): boolean =>
  typeof description !== 'string' || Buffer.byteLength(description) <= maxDescriptionBytes;

/** What is wrong with the name and the description of a policy or role. @param spec in the names of the wire */
export function nameAndDescriptionProblems(
  { key }: Identity,
  spec: JsonObject,
  noun: string,
): readonly string[] {
  return [
    ...(/^[a-zA-Z0-9-]{1,128}$/.test(key)
      ? []
      : [`invalid name of a ${noun}: expected 1 to 128 letters, digits and hyphens`]),
    ...(hasRoomForMark(spec.Description)
      ? []
      : [
          `Description is too long: at most ${maxDescriptionBytes} bytes, and ${markBytes} for the mark of the set`,
        ]),
  ];
}

/** Objects whose description has no room for the mark of a set. */
export const withoutRoomForMark: Required<Kind>['omitted'] = (spec) =>
  hasRoomForMark(splitMark({ mark }, spec).spec.Description)
    ? undefined
    : `with a description of more than ${maxDescriptionBytes} bytes`;

/** A complete list; empty if access control is off. @throws LanyardError forbidden: the list may be incomplete. */
export async function completeList<Item>(
  services: Services,
  what: string,
  list: () => Promise<readonly Item[]>,
): Promise<readonly Item[]> {
  await requireCompleteLists(services, `list ${what}`);
  return list().catch(insteadOf(isAccessControlOff, []));
}

/** The objects that a list refers to by texts, or by objects with a `Name`. */
export function namedObjects(kind: string, list: Json | undefined): readonly Reference[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((each): Reference[] => {
    const name = isObject(each) ? each.Name : each;
    return typeof name === 'string' ? [{ kind, identity: { scope: {}, key: name } }] : [];
  });
}
