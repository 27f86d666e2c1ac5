import { mapConcurrently } from '../wire/concurrently.ts';
import type { Draft, PlanOptions } from './draft.ts';
import { objectLabel, type Services } from './kind.ts';
import { kinds } from './kinds.ts';
import { objectId } from './order.ts';
import { undoOf } from './undo-guard.ts';

/** Kinds whose deletion deletes what is in them, also what others wrote since the apply. */
const containers: ReadonlySet<string> = new Set(['secrets.mount', 'secrets.auth-method']);

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
