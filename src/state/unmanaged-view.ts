import { type Block, bad, code, type Document, dim, strong, text, warn } from '../output/document.ts';
import { countText } from '../output/humanize.ts';
import { compact } from '../wire/objects.ts';
import { labelOf, objectLabel } from './kind.ts';
import { errorLine } from './operations.ts';
import type { PlanSection } from './plan-items.ts';
import { byKind, type Unmanaged, type UnmanagedScan, type Unread } from './unmanaged.ts';

/** What no file states, as data: two fields of a plan. No values. */
export function unmanagedData({ kinds, found, otherSets, ignored, unread }: UnmanagedScan) {
  return {
    unmanaged: found.map(({ kind, identity, reason, items }) => ({
      id: { kind: kind.name, scope: identity.scope, key: identity.key },
      reason,
      ...compact({ items: items.length === 0 ? undefined : items }),
    })),
    scan: {
      kinds: kinds.map(({ name }) => name),
      otherSets: [...otherSets].sort().map(([id, objects]) => ({ id, objects })),
      ignored,
      unread: unread.map(({ kind, identity, error }) => ({
        kind: kind.name,
        ...compact({ scope: identity?.scope, key: identity?.key }),
        error: { kind: error.kind, message: error.message },
      })),
    },
  };
}

/** How many names of a kind are shown, if several kinds are. */
const maxNames = 10;

const notes: { readonly [Reason in Unmanaged['reason']]: string | undefined } = {
  'not-stated': undefined,
  'not-pruned': 'member of the set; --prune deletes it',
  'copied-mark': 'has the mark of the set, but is not a member',
  'other-entries': undefined,
  'unmanaged-values': 'values: unmanaged',
  'changed-values': 'changed since the last apply',
};

/** A section below a plan: objects and names that no file states, by kind, and a line that counts them. */
export function unmanagedDocument(scan: UnmanagedScan): Document {
  const groups = [...byKind(scan.found)];
  const max = groups.length > 1 ? maxNames : Number.POSITIVE_INFINITY;
  return [
    text(''),
    ...groups.flatMap(([kind, found]) => {
      const objects = found.filter(isObject);
      const inside = found.filter((each) => !isObject(each));
      return [
        ...section(`${kind.name}: ${countText(objects.length, 'object')} in no file`, objects, max),
        ...section(
          `${kind.name}: ${countText(inside.length, 'object')} with more than the files state`,
          inside,
          max,
        ),
      ];
    }),
    ...scan.unread.map(unreadLine),
    summaryLine(scan),
  ];
}

const isObject = ({ reason }: Unmanaged): boolean =>
  reason === 'not-stated' || reason === 'not-pruned' || reason === 'copied-mark';

function section(title: string, found: readonly Unmanaged[], max: number): readonly Block[] {
  if (found.length === 0) return [];
  const hidden = Math.max(found.length - max, 0);
  return [
    text(warn('?'), ' ', title),
    ...found.slice(0, found.length - hidden).map(nameLine),
    ...(hidden > 0 ? [text('    ', dim(`… ${hidden} more; use --kind or -o json to see all`))] : []),
  ];
}

function nameLine(unmanaged: Unmanaged): Block {
  const { name, items, note } = nameParts(unmanaged);
  return text('    ', code(name), items, dim(note));
}

function nameParts({ kind, identity, reason, items }: Unmanaged) {
  const note = notes[reason];
  return {
    name: oneLine(labelOf(kind, identity) || kind.name),
    items: items.length === 0 ? '' : `: ${items.join(', ')}`,
    note: note === undefined ? '' : ` (${note})`,
  };
}

/** The same for Markdown. */
export const unmanagedSections = ({ found, unread }: UnmanagedScan): readonly PlanSection[] => [
  ...[...byKind(found)].map(([{ name: kind }, ofKind]) => ({
    title: `Unmanaged: \`${kind}\``,
    items: ofKind.map(nameParts).map(({ name, items, note }) => `${name}${items}${note}`),
  })),
  ...(unread.length === 0 ? [] : [{ title: 'Unmanaged: unknown', items: unread.map(unreadText) }]),
];

const oneLine = (name: string): string => name.replaceAll('\n', '\\n');

/** `cannot list secrets.policy: permission denied` */
export const unreadText = ({ kind, identity, error }: Unread): string =>
  identity
    ? `cannot read ${oneLine(objectLabel({ kind, identity }))}: ${errorLine(error)}`
    : `cannot list ${kind.name}: ${errorLine(error)}`;

const unreadLine = (unread: Unread): Block => text(bad('?'), ' ', unreadText(unread));

/** `Unmanaged: 3 objects in no file, 1 object with more than its file states. 12 objects of other sets.` */
function summaryLine({ found, otherSets, ignored, unread }: UnmanagedScan): Block {
  const objects = found.filter(isObject).length;
  const inside = found.length - objects;
  const others = [...otherSets.values()].reduce((sum, count) => sum + count, 0);
  const parts = [
    objects === 0 ? 'no objects' : countText(objects, 'object'),
    ...(inside > 0 ? [`${countText(inside, 'object')} with more than the files state`] : []),
    ...(unread.length > 0 ? [`${unread.length} unknown`] : []),
  ];
  const notes = [
    ...(others > 0 ? [` ${countText(others, 'object')} of other sets.`] : []),
    ...(ignored > 0 ? [` ${ignored} ignored.`] : []),
  ];
  return text(strong('Unmanaged: '), `${parts.join(', ')}.`, ...notes);
}
