import { compact } from '../wire/objects.ts';
import { holdsSecret, merge, statedPointers, without, withoutWriteOnly } from './compare.ts';
import { apiVersion } from './documents.ts';
import { generatedFields, isRotated } from './draft.ts';
import { exportSpec } from './export-spec.ts';
import type { JsonObject, Kind, Live, NotRestored } from './kind.ts';
import { markText } from './marks.ts';
import { isChange, type Operation, type Plan } from './operations.ts';
import { objectId } from './order.ts';
import type { Member } from './record.ts';
import { containersOf } from './undo-contents.ts';
import { allFields, changedFields, fieldsBefore, isSet, writeOnlySecrets } from './undo-fields.ts';
import { fieldAt, stateDigest, type Undo } from './undo-guard.ts';

/** What takes an operation back. */
export interface UndoneOperation {
  readonly operation: Operation;
  /** Undefined: nothing can be taken back. */
  readonly document: JsonObject | undefined;
  /** What the document does not restore. */
  readonly notRestored: NotRestored | undefined;
}

export interface UndoContext {
  readonly plan: Plan;
  /** The file is encrypted, and has the values of secrets. */
  readonly hasSecrets: boolean;
  /** Whether the service keeps the values that the operation replaces or deletes. */
  readonly keepsValues: (operation: Operation) => boolean;
}

/**
 * What takes an operation back.
 *
 * @param after the object that the operation left; undefined: not known.
 * @returns undefined: it changes nothing that can be taken back.
 */
export function undoOperation(
  operation: Operation,
  after: Live | undefined,
  context: UndoContext,
): UndoneOperation | undefined {
  const { action } = operation;
  if (!isChange(operation) || action === 'adopt') return undefined;
  const limit = limitOf(operation, after, context);
  if (limit?.isAll) return { operation, document: undefined, notRestored: limit };
  if (action === 'create')
    return { operation, document: removal(operation, after, context), notRestored: limit };
  const undone = action === 'delete' ? recreation(operation, context) : reversal(operation, after, context);
  return undone && { operation, ...undone, notRestored: limit ?? undone.notRestored };
}

/** What cannot be restored because of the kind. */
function limitOf(
  operation: Operation,
  after: Live | undefined,
  { plan }: UndoContext,
): NotRestored | undefined {
  const { kind, action, live, identity, desired = {} } = operation;
  if (action !== 'create' && action !== 'update' && action !== 'delete') return undefined;
  const isNew = (id: string): boolean =>
    plan.operations.some((other) => other.action === 'create' && objectId(other.kind, other.identity) === id);
  if (action === 'create' && kind.obstacle?.('delete', after?.spec ?? predicted(operation), undefined))
    return containersOf(kind, identity, desired).some(isNew)
      ? undefined
      : { what: 'the state before its creation', isAll: true };
  // What goes with an object that the undo deletes needs nothing of its own.
  const isInNew = (kind.references?.(identity, desired) ?? []).some((reference) =>
    isNew(objectId({ name: reference.kind }, reference.identity)),
  );
  if (action === 'create' && isInNew) return undefined;
  return kind.notRestored?.({
    action,
    before: live?.spec ?? {},
    after: after?.spec ?? (action === 'delete' ? {} : predicted(operation)),
    isRotated: isRotated(operation),
  });
}

/** The fields that an operation stores, as far as the file states them. */
function predicted({ kind, live, desired = {}, unset, document }: Operation): JsonObject {
  const stated = withoutWriteOnly(kind.schema, desired);
  const merged = merge(kind.schema, live?.spec ?? {}, stated, document?.metadata.mergeKeys === true);
  const statedNow = new Set(statedPointers(kind.schema, desired));
  return without(
    merged,
    unset.filter((pointer) => !statedNow.has(pointer)),
  );
}

/** The document that deletes a new object. */
function removal(operation: Operation, after: Live | undefined, context: UndoContext): JsonObject {
  const { kind, desired = {}, resolved = new Set() } = operation;
  const generated = generatedFields(kind, desired);
  const fields = statedPointers(kind.schema, desired).filter(
    (pointer) => !generated.includes(pointer) && (context.hasSecrets || !isBelow(pointer, resolved)),
  );
  const undo = { change: 'create', ...stateAfter(operation, after, fields, context) };
  return documentOf(operation, { ensure: 'absent', undo }, keyFields(kind, after?.spec ?? desired));
}

const isBelow = (pointer: string, others: Iterable<string>): boolean =>
  [...others].some((other) => other === pointer || other.startsWith(`${pointer}/`));

/** The fields that name an object whose key is made of them. */
const keyFields = ({ keyOf }: Kind, spec: JsonObject): JsonObject => (keyOf ? spec : {});

/** The document that creates a deleted object again; without one where its values are unknown. */
function recreation(
  operation: Operation,
  context: UndoContext,
): Pick<UndoneOperation, 'document' | 'notRestored'> {
  const { kind, live } = operation;
  const shows = showsSecrets(operation, context);
  const { spec, withheld, unknown } = exportSpec(kind.schema, live?.spec ?? {}, {
    existing: undefined,
    secretValue: (_path, value) => (shows ? value : undefined),
  });
  const undo = { change: 'delete', ...ownership(operation, context) };
  const deletion = memberOf(operation, context)?.deletion;
  const metadata = { ...compact({ deletion }), ...literals(operation, shows) };
  if (withheld.length > 0 && context.keepsValues(operation)) {
    const valuesVersion = Number(live?.version);
    return {
      document: documentOf(operation, { ...metadata, undo: { ...undo, valuesVersion } }, {}),
      notRestored: undefined,
    };
  }
  const lost = [...withheld, ...unknown].map((path) => path.join('.'));
  if (withheld.length > 0 && kind.holdsSecrets)
    return { document: undefined, notRestored: { what: 'its values, which are secrets', isAll: true } };
  const unreturned = writeOnlySecrets(kind.schema);
  const notRestored =
    lost.length + unreturned.length > 0 ? { what: [...lost, ...unreturned].join(', ') } : undefined;
  return { document: documentOf(operation, { ...metadata, undo }, spec), notRestored };
}

/** The document that changes the fields of an object back; undefined: none of them changed. */
function reversal(
  operation: Operation,
  after: Live | undefined,
  context: UndoContext,
): Pick<UndoneOperation, 'document' | 'notRestored'> | undefined {
  const { kind, live, resolved = new Set() } = operation;
  const before = live?.spec ?? {};
  const fields = changedFields(kind, before, after?.spec ?? predicted(operation));
  const rotated = isRotated(operation) ? writeOnlySecrets(kind.schema) : [];
  if (fields.length === 0)
    return rotated.length === 0
      ? undefined
      : { document: undefined, notRestored: { what: rotated.join(', '), isAll: true } };
  const shows = showsSecrets(operation, context);
  const isHidden = (pointer: string): boolean =>
    !context.hasSecrets &&
    ((holdsSecret(fieldAt(kind.schema, before, pointer).schema) && !shows) || isBelow(pointer, resolved));
  const wanted = fields.filter((pointer) => !isSet(kind, before, pointer) || !isHidden(pointer));
  const hidden = fields.filter((pointer) => !wanted.includes(pointer));
  const visible = fields.filter((pointer) => !isHidden(pointer));
  const guard = {
    change: 'update',
    ...stateAfter(operation, after, visible, context),
    ...ownership(operation, context),
  };
  const deletion = memberOf(operation, context)?.deletion;
  if (hidden.length > 0 && context.keepsValues(operation)) {
    const undo = { ...guard, valuesVersion: Number(live?.version) };
    return {
      document: documentOf(operation, { ...compact({ deletion }), undo }, {}),
      notRestored: undefined,
    };
  }
  const { spec, unset } = fieldsBefore(
    kind,
    before,
    kind.canonicalSpec ? allFields(kind, before, hidden, fields) : wanted,
  );
  const isEmpty = wanted.length === 0;
  const metadata = {
    ...compact({ deletion }),
    ...literals(operation, shows),
    ...(isEmpty && { values: 'unmanaged' }),
    undo: { ...guard, ...(unset.length > 0 && { unset }) },
  };
  const lost = [
    ...hidden.map((pointer) => fieldAt(kind.schema, before, pointer).names.join('.')),
    ...rotated,
  ];
  return {
    document: documentOf(
      operation,
      metadata,
      isEmpty ? keyFields(kind, before) : { ...keyFields(kind, before), ...spec },
    ),
    notRestored: lost.length > 0 ? { what: `the previous ${lost.join(', ')}` } : undefined,
  };
}

/** The values of the object may be in the file. */
const showsSecrets = ({ document }: Operation, { hasSecrets }: UndoContext): boolean =>
  hasSecrets || document?.metadata.sensitive === false;

function literals({ document, kind }: Operation, shows: boolean): JsonObject {
  if (document?.metadata.sensitive === false) return { sensitive: false };
  return shows && holdsSecret(kind.schema) ? { allowLiteral: true } : {};
}

/** How the object is recognized after the apply. @param fields compared where only a part of it is known */
function stateAfter(
  operation: Operation,
  after: Live | undefined,
  fields: readonly string[],
  { hasSecrets }: UndoContext,
): Partial<Undo> {
  const { kind, live } = operation;
  const secrets = hasSecrets ? { hasSecrets } : {};
  if (after) {
    const uid = compact({ uid: after.uid });
    const isPlain = hasSecrets || (!holdsSecret(kind.schema) && (operation.resolved?.size ?? 0) === 0);
    if (after.version !== '' && !isPlain) return { version: after.version, ...uid };
    const version = after.version === '' ? {} : { version: after.version };
    const some = (operation.resolved?.size ?? 0) > 0 && !hasSecrets ? { fields } : {};
    const digest = stateDigest(kind.schema, after.spec, { ...some, hasSecrets });
    return { ...version, digest, ...some, ...uid, ...secrets };
  }
  // Each write of a secret is the next version.
  if (kind.versions && live && live.version !== '') return { version: String(Number(live.version) + 1) };
  return {
    digest: stateDigest(kind.schema, predicted(operation), { fields, hasSecrets }),
    fields,
    ...secrets,
  };
}

const memberOf = ({ kind, identity }: Operation, { plan }: UndoContext): Member | undefined =>
  plan.members.get(objectId(kind, identity));

/** To which set the object belonged, and what the record had of it. */
function ownership(operation: Operation, context: UndoContext): Partial<Undo> {
  const { mark } = operation;
  const { set } = context.plan;
  const member = memberOf(operation, context);
  if (mark && mark.id !== set.id) return { owner: markText(mark) };
  if (!mark && !member) return { owner: 'none' };
  return { stated: member?.stated ?? [] };
}

/** A document that names the object of an operation. */
function documentOf(operation: Operation, metadata: object, spec: JsonObject): JsonObject {
  const { kind, identity, live, document } = operation;
  const isNamed = kind.nameIs !== undefined && !kind.keyOf;
  const scope = Object.entries(identity.scope).filter(
    ([name, value]) => kind.scope.find((each) => each.name === name)?.default !== value,
  );
  const name = live?.name ?? document?.metadata.name ?? identity.key;
  return {
    apiVersion,
    kind: kind.name,
    metadata: { ...Object.fromEntries(scope), ...(isNamed && { name }), ...metadata } as JsonObject,
    ...(Object.keys(spec).length > 0 ? { spec } : {}),
  };
}
