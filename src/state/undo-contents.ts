import { mapConcurrently } from '../wire/concurrently.ts';
import { type Draft, type PlanOptions, removedFields } from './draft.ts';
import { type Identity, type JsonObject, type Kind, objectLabel, type Services } from './kind.ts';
import { kinds } from './kinds.ts';
import { objectId } from './order.ts';
import { undoOf } from './undo-guard.ts';

/** Kinds whose deletion deletes what is in them, also what others wrote since the apply. */
const containers: ReadonlySet<string> = new Set(['secrets.mount', 'secrets.auth-method']);

/** The IDs of what contains an object, by `objectId`. */
export const containersOf = (kind: Kind, identity: Identity, spec: JsonObject): readonly string[] =>
  (kind.references?.(identity, spec) ?? [])
    .filter((reference) => containers.has(reference.kind))
    .map((reference) => objectId({ name: reference.kind }, reference.identity));

/** Unblocks the deletions of objects that a service cannot delete, where what contains them is deleted too. */
export function deleteWithContainers(
  drafts: readonly Draft[],
  options: Pick<PlanOptions, 'showsSecrets'>,
): readonly Draft[] {
  const deleted = new Set(
    drafts.flatMap(({ kind, identity, action }) => (action === 'delete' ? [objectId(kind, identity)] : [])),
  );
  return drafts.map((draft): Draft => {
    const { kind, identity, action, live, document, reason } = draft;
    if (action !== 'blocked' || !live || document?.metadata.ensure !== 'absent') return draft;
    if (reason === undefined || kind.obstacle?.('delete', live.spec, live) !== reason) return draft;
    if (!containersOf(kind, identity, live.spec).some((id) => deleted.has(id))) return draft;
    const changes = removedFields(kind, live, options);
    return { ...draft, desired: {}, changes, action: 'delete', reason: 'ensure: absent' };
  });
}

/** Blocks the deletions of an undo that would delete objects which the apply did not create. */
export async function keepContents(
  drafts: readonly Draft[],
  { adopt }: Pick<PlanOptions, 'adopt'>,
  services: Services,
): Promise<readonly Draft[]> {
  const isUndone = ({ kind, action, document }: Draft): boolean =>
    containers.has(kind.name) &&
    action === 'delete' &&
    document !== undefined &&
    undoOf(document.metadata) !== undefined;
  if (adopt || !drafts.some(isUndone)) return drafts;
  const known = new Set(drafts.map(({ kind, identity }) => objectId(kind, identity)));
  const lists = await mapConcurrently(
    kinds.filter(({ service, references }) => service === 'secrets' && references),
    async (kind) => (await kind.list(services)).map((identity) => ({ kind, identity })),
  );
  const others = lists.flat().filter(({ kind, identity }) => !known.has(objectId(kind, identity)));
  return drafts.map((draft) => {
    if (!isUndone(draft)) return draft;
    const id = objectId(draft.kind, draft.identity);
    const found = others.find(({ kind, identity }) =>
      kind.references?.(identity, {}).some((each) => objectId({ name: each.kind }, each.identity) === id),
    );
    return found
      ? {
          ...draft,
          action: 'blocked',
          reason: `has ${objectLabel(found)}, which the apply did not create; use --adopt`,
        }
      : draft;
  });
}
