import { conflict, type LanyardError, usage } from '../errors.ts';
import type { StateDocument } from './documents.ts';
import type { Draft, PruneOptions } from './draft.ts';
import { guardOf, identityText, type Kind, type Services } from './kind.ts';
import { findKind } from './kinds.ts';
import { splitMark } from './marks.ts';
import type { PlanWarning } from './operations.ts';
import { memberId, objectId } from './order.ts';
import type { Member, SetRecord } from './record.ts';
import type { StateSet } from './set.ts';

interface Pruned {
  readonly operations: readonly Draft[];
  readonly warnings: readonly PlanWarning[];
}

/**
 * The deletions of members that no file states any more. An object is deleted only if the record has it, its mark
 * agrees (where its kind can carry one), and the record allows it.
 *
 * @throws LanyardError usage: the files are not the complete set, the set has no record, or too many objects would be
 * deleted; an error of a list that could not be read completely; conflict: a list is empty that should not be.
 */
export async function pruneOperations(
  set: StateSet,
  documents: readonly StateDocument[],
  record: SetRecord | undefined,
  options: PruneOptions,
  services: Services,
): Promise<Pruned> {
  if (options.refusal !== undefined) throw refused(options.refusal);
  if (set.record === undefined) throw refused('the set has no record');
  if (documents.length === 0 && !options.all) throw refused('the files state no objects');
  if (!record) return { operations: [], warnings: [] };
  const stated = new Set(documents.map(({ kind, identity }) => objectId(kind, identity)));
  const gone = record.members.filter((member) => !stated.has(memberId(member)));
  const existing = await listKinds(record.members, services);
  const operations: Draft[] = [];
  const warnings: PlanWarning[] = [];
  for (const member of gone) {
    const kind = findKind(member.kind);
    if (!kind) {
      warnings.push({
        code: 'unknown-kind',
        message: `cannot prune ${member.kind} ${member.key}: unknown kind`,
      });
      continue;
    }
    if (!existing.get(kind.name)?.has(identityText(member))) continue;
    const outcome = await pruneMember(set, kind, member, services);
    if ('warning' in outcome) warnings.push(outcome.warning);
    else if (outcome.operation) operations.push(outcome.operation);
  }
  const max = options.max ?? set.prune.max;
  if (operations.length > max)
    throw refused(
      `${operations.length} objects would be deleted, and at most ${max} may be`,
      'Use --prune-max N.',
    );
  if (operations.length > 0 && operations.length === record.members.length && !options.all)
    throw refused('all members of the set would be deleted', 'Use --prune-all if you mean it.');
  return { operations: operations.sort(byLevel), warnings };
}

const refused = (cause: string, hint = 'Nothing was changed.'): LanyardError =>
  usage(`cannot prune: ${cause}`, { hint });

/** The objects of every kind that the record has members of. An incomplete list forbids pruning. */
async function listKinds(
  members: readonly Member[],
  services: Services,
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const lists = new Map<string, ReadonlySet<string>>();
  for (const name of new Set(members.map(({ kind }) => kind))) {
    const kind = findKind(name);
    if (!kind) continue;
    const known = members.filter((member) => member.kind === name);
    const listed = new Set((await kind.list(services, known)).map(identityText));
    if (listed.size === 0)
      throw conflict(`cannot prune: the list of ${name} is empty, but the set has objects of this kind`, {
        hint: 'Nothing was changed. Check that this is the right service and that the token may list them.',
      });
    lists.set(name, listed);
  }
  return lists;
}

async function pruneMember(
  set: StateSet,
  kind: Kind,
  member: Member,
  services: Services,
): Promise<{ readonly warning: PlanWarning } | { readonly operation: Draft | undefined }> {
  const identity = { scope: member.scope, key: member.key };
  const label = `${kind.name} ${kind.label?.(identity) ?? member.key}`;
  const keep = (code: string, why: string) => ({ warning: { code, message: `${label} is kept: ${why}` } });
  if (set.prune.kinds && !set.prune.kinds.includes(kind.name))
    return keep('not-prunable', 'not in spec.prune.kinds');
  const found = await kind.read(services, identity);
  if (!found) return { operation: undefined };
  if (kind.isBuiltIn?.(identity, found)) return keep('built-in', 'it is built in');
  if (member.deletion !== 'allow') return keep('protected', 'metadata.deletion was not "allow"');
  const { spec, mark } = splitMark(kind, found.spec);
  if (kind.mark && mark?.id !== set.id)
    return keep(mark ? 'foreign' : 'mark-lost', mark ? `it belongs to set ${mark.id}` : 'it lost its mark');
  if (member.uid !== undefined && found.uid !== undefined && member.uid !== found.uid)
    return keep('recreated', 'it was created again by somebody else');
  const live = { ...found, spec };
  const guard = guardOf(kind, found, 'delete');
  return {
    operation: { kind, identity, action: 'delete', live, unset: [], changes: [], guard, reason: 'pruned' },
  };
}

const byLevel = (one: Draft, other: Draft): number => levelOfDraft(one) - levelOfDraft(other);

const levelOfDraft = ({ kind, identity, live }: Draft): number =>
  typeof kind.level === 'number' ? kind.level : kind.level(identity, live?.spec ?? {});
