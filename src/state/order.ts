import { usage } from '../errors.ts';
import type { StateDocument } from './documents.ts';
import { type Identity, identityText, type Kind, objectLabel } from './kind.ts';
import { formatPosition } from './problems.ts';
import type { Member } from './record.ts';

/** Names an object in maps. */
export const objectId = (kind: Pick<Kind, 'name'>, identity: Identity): string =>
  `${kind.name} ${identityText(identity)}`;

/** The same for a member of a record. */
export const memberId = ({ kind, scope, key }: Pick<Member, 'kind' | 'scope' | 'key'>): string =>
  objectId({ name: kind }, { scope, key });

/** The level of an object: lower ones exist first. */
export const levelOf = ({
  kind,
  identity,
  spec,
}: Pick<StateDocument, 'kind' | 'identity' | 'spec'>): number =>
  typeof kind.level === 'number' ? kind.level : kind.level(identity, spec);

/** The documents that each document refers to, among those given. */
export function dependencies(
  documents: readonly StateDocument[],
): ReadonlyMap<StateDocument, readonly StateDocument[]> {
  const byId = new Map(documents.map((document) => [objectId(document.kind, document.identity), document]));
  const all = documents.map(({ kind, identity }) => ({ kind: kind.name, identity }));
  return new Map(
    documents.map((document) => {
      const { kind: itself, identity, spec } = document;
      const { follows } = itself;
      const followed = follows ? all.filter((other) => follows(identity, other)) : [];
      const references = [...(itself.references?.(identity, spec) ?? []), ...followed];
      const found = references.flatMap(({ kind, identity }) => {
        const other = byId.get(objectId({ name: kind }, identity));
        return other && other !== document ? [other] : [];
      });
      return [document, found];
    }),
  );
}

/**
 * The documents in the order of creation: what a document refers to before it, else by level, kind and name.
 *
 * @throws LanyardError usage: references form a cycle.
 */
export function inOrder(documents: readonly StateDocument[]): readonly StateDocument[] {
  const { ordered, cycle } = sortDocuments(documents);
  if (cycle)
    throw usage(`references form a cycle through ${objectLabel(cycle)}`, {
      details: [formatPosition(cycle.source)],
      hint: 'Nothing was sent.',
    });
  return ordered;
}

/** A document whose references lead back to it; undefined: the documents can be ordered. */
export const findCycle = (documents: readonly StateDocument[]): StateDocument | undefined =>
  sortDocuments(documents).cycle;

function sortDocuments(documents: readonly StateDocument[]) {
  const needs = dependencies(documents);
  const sorted = [...documents].sort((one, other) => {
    const levels = levelOf(one) - levelOf(other);
    return levels !== 0 ? levels : objectLabel(one) < objectLabel(other) ? -1 : 1;
  });
  const ordered: StateDocument[] = [];
  const states = new Map<StateDocument, 'open' | 'done'>();
  let cycle: StateDocument | undefined;
  const visit = (document: StateDocument): void => {
    const state = states.get(document);
    if (state === 'open') cycle ??= document;
    if (state !== undefined) return;
    states.set(document, 'open');
    for (const other of needs.get(document) ?? []) visit(other);
    states.set(document, 'done');
    ordered.push(document);
  };
  for (const document of sorted) visit(document);
  return { ordered, cycle };
}
