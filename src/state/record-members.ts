import { insteadOf, LanyardError } from '../errors.ts';
import { mapConcurrently } from '../wire/concurrently.ts';
import { compact } from '../wire/objects.ts';
import { statedPointers } from './compare.ts';
import type { OperationResult } from './execute.ts';
import type { JsonObject, Live, Services } from './kind.ts';
import { findKind } from './kinds.ts';
import { digestOf, type Origins, originOf, placeOf, recordKey } from './members.ts';
import { canonicalText } from './normalize.ts';
import type { Operation, Plan } from './operations.ts';
import { memberId, objectId } from './order.ts';
import type { Member } from './record.ts';
import { undoOf } from './undo-guard.ts';

/** The member that an object is after its operation. Undefined: the operation does not make it one. */
export function memberOf(
  { kind, identity, action, document, nextMark }: Operation,
  live: Live | undefined,
  { known, origins }: { readonly known: Member | undefined; readonly origins: Origins },
): Member | undefined {
  if (!document || action === 'delete' || action === 'blocked' || action === 'unknown') return undefined;
  if (action === 'none' && !live) return undefined;
  const undo = undoOf(document.metadata);
  if (undo?.owner !== undefined) return undefined;
  const deletion = document.metadata.deletion ?? (kind.isProtected ? 'protect' : 'allow');
  return {
    kind: kind.name,
    scope: identity.scope,
    key: identity.key,
    ...compact({
      origin: originOf(origins, kind.service),
      uid: live && (live.uid ?? known?.uid),
      digest: live && digestOf(kind, live),
    }),
    stated: undo ? undo.stated : statedPointers(kind.schema, document.spec),
    deletion: deletion === 'allow' ? 'allow' : 'protect',
    ...compact({
      rotation: nextMark?.rotation || undefined,
      version: document.metadata.values === 'unmanaged' ? live?.version || undefined : undefined,
    }),
  };
}

/** Whether a record need not be written for a member. */
export const isSameMember = (one: Member | undefined, other: Member | undefined): boolean =>
  one !== undefined && other !== undefined && textOf(one) === textOf(other);

const textOf = ({ origin = {}, ...member }: Member): string =>
  canonicalText({ ...member, origin } as unknown as JsonObject);

/**
 * The members before an apply: those of the record that still exist, also of other clusters, and those that the plan
 * adds.
 */
export function allMembers({ record, operations, missing, members: here, origins }: Plan): readonly Member[] {
  const members = new Map<string, Member>();
  for (const member of record?.members ?? []) {
    const key = recordKey(member);
    if (!missing.has(key)) members.set(key, member);
  }
  for (const operation of operations) {
    const known = here.get(objectId(operation.kind, operation.identity));
    const member = memberOf(operation, operation.live, { known, origins });
    if (!member) continue;
    // It may have been recorded with another address.
    if (known) members.delete(recordKey(known));
    members.set(recordKey(member), known ? untilDone(known, member) : member);
  }
  return [...members.values()];
}

/**
 * A member before its operation is done. After an interruption, the fields that only the earlier files stated still get
 * their defaults back, and write-only fields are still sent.
 */
function untilDone(known: Member, { rotation: _next, ...member }: Member): Member {
  return {
    ...member,
    stated: [...new Set([...known.stated, ...member.stated])],
    ...compact({ rotation: known.rotation }),
  };
}

/** The members after an apply: without those that were deleted, and with the IDs of those that were created. */
export function remainingMembers(
  members: readonly Member[],
  { record, operations, members: here, origins }: Plan,
  results: readonly OperationResult[],
): readonly Member[] {
  const idOf = ({ kind, identity }: Operation): string => objectId(kind, identity);
  const outcomes = new Map(results.map((result) => [idOf(result.operation), result]));
  const unchanged = new Map(
    operations.filter(({ action }) => action === 'none').map((operation) => [idOf(operation), operation]),
  );
  const before = new Map((record?.members ?? []).map((member) => [recordKey(member), member]));
  return members.flatMap((member): readonly Member[] => {
    const id = memberId(member);
    const result = outcomes.get(id);
    const known = here.get(id);
    const place = placeOf(member, origins);
    const isSame = place === 'here' || (place === 'byUid' && result?.operation.live?.uid === member.uid);
    // A member of another cluster may have the same name.
    if (!isSame && known !== member) return [member];
    const operation = unchanged.get(id);
    if (operation) return [memberOf(operation, operation.live, { known, origins }) ?? member];
    if (!result || result.status === 'unknown') return [member];
    if (result.operation.action === 'delete') return result.status === 'done' ? [] : [member];
    if (result.status === 'done') {
      const earlier = result.operation.action === 'create' ? undefined : known;
      const next = result.live && memberOf(result.operation, result.live, { known: earlier, origins });
      return next || !isReleased(result.operation) ? [next ?? member] : [];
    }
    // Nothing was written to it: what the record had of it before is still right.
    const old = known ?? before.get(recordKey(member));
    return old ? [old] : [];
  });
}

/** Whether an undo returns the object to its previous owner. */
const isReleased = ({ document }: Operation): boolean =>
  document !== undefined && undoOf(document.metadata)?.owner !== undefined;

const isKnown = (error: unknown): boolean => error instanceof LanyardError;

/** Members with the IDs that reading an object does not show. Those that cannot be read have none. */
export async function withUids(
  members: readonly Member[],
  { operations, origins }: Pick<Plan, 'operations' | 'origins'>,
  results: readonly OperationResult[],
  services: Services,
): Promise<readonly Member[]> {
  const done = results.flatMap(({ status, operation }) => (status === 'done' ? [operation] : []));
  const unchanged = operations.filter(({ action }) => action === 'none');
  const ids = new Set([...done, ...unchanged].map(({ kind, identity }) => objectId(kind, identity)));
  return mapConcurrently(members, async (member) => {
    const kind = findKind(member.kind);
    const isUnknown = member.uid === undefined && ids.has(memberId(member));
    if (!kind?.readUid || !isUnknown || placeOf(member, origins) !== 'here') return member;
    const uid = await kind.readUid(services, member).catch(insteadOf(isKnown, undefined));
    return uid === undefined ? member : { ...member, uid };
  });
}
