import { usage } from '../errors.ts';
import type { StateDocument } from './documents.ts';
import { type Identity, identityText, type Kind, labelOf } from './kind.ts';
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
  return new Map(
    documents.map((document) => {
      const { kind: itself, identity, spec } = document;
      const references = [
        ...(itself.references?.(identity, spec) ?? []),
        ...documents.flatMap(({ kind, identity: other }) =>
          itself.follows?.(identity, { kind: kind.name, identity: other })
            ? [{ kind: kind.name, identity: other }]
            : [],
        ),
      ];
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
  const needs = dependencies(documents);
  const sortText = ({ kind, identity }: StateDocument): string => `${kind.name} ${labelOf(kind, identity)}`;
  const sorted = [...documents].sort((one, other) => {
    const levels = levelOf(one) - levelOf(other);
    return levels !== 0 ? levels : sortText(one) < sortText(other) ? -1 : 1;
  });
  const ordered: StateDocument[] = [];
  const states = new Map<StateDocument, 'open' | 'done'>();
  const visit = (document: StateDocument): void => {
    const state = states.get(document);
    if (state === 'done') return;
    if (state === 'open')
      throw usage(
        `references form a cycle through ${document.kind.name} ${labelOf(document.kind, document.identity)}`,
        {
          details: [formatPosition(document.source)],
          hint: 'Nothing was sent.',
        },
      );
    states.set(document, 'open');
    for (const other of needs.get(document) ?? []) visit(other);
    states.set(document, 'done');
    ordered.push(document);
  };
  for (const document of sorted) visit(document);
  return ordered;
}
