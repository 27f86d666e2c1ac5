import { invalidSessionMessage } from '../handlers/kv.ts';
import {
  casDeleteEntry,
  casEntry,
  deleteEntry,
  deleteTree,
  type Entry,
  entryKeys,
  entryOf,
  entryView,
  lockEntry,
  setEntry,
  unlockEntry,
} from '../model/kv.ts';
import { sessionOf } from '../model/sessions.ts';
import { requirePermission } from '../require-permission.ts';
import { InvalidOperation, OperationFailure, staleIndexError } from './failure.ts';
import type { KvOperation } from './operation.ts';
import type { OperationParts } from './parts.ts';

/** Its results, and nothing for other work. */
type Verb = (parts: OperationParts, operation: KvOperation) => Iterable<object | undefined>;

const emptyEntry: Entry = { LockIndex: 0, Flags: 0, Value: '', CreateIndex: 0, ModifyIndex: 0 };

const verbs: Readonly<Record<string, Verb>> = {
  set: withPermission('key:write', ({ transaction }, { key, ...rest }) =>
    entryResults(key, setEntry(transaction, key, contentOf(rest))),
  ),
  cas: withPermission('key:write', ({ transaction }, { key, index, ...rest }) => {
    const entry = casEntry(transaction, key, contentOf(rest), index);
    if (!entry) throw staleIndexError(`set key "${key}"`);
    return entryResults(key, entry);
  }),
  lock: withPermission('key:write', ({ transaction, isLockDelayed }, { key, session, ...rest }) => {
    if (isLockDelayed(key)) throw new InvalidOperation(`failed to lock key "${key}" due to lock delay`);
    if (!sessionOf(transaction, session)) throw new OperationFailure(invalidSessionMessage(session));
    const entry = lockEntry(transaction, key, contentOf(rest), session);
    if (!entry) throw new OperationFailure(`failed to lock key "${key}", lock is already held`);
    return entryResults(key, entry);
  }),
  unlock: withPermission('key:write', ({ transaction }, { key, session, ...rest }) => {
    if (session === '') throw new OperationFailure(invalidSessionMessage(session));
    const entry = unlockEntry(transaction, key, contentOf(rest), session);
    if (entry) return entryResults(key, entry);
    throw new OperationFailure(
      `failed to unlock key "${key}", lock isn't held, or is held by another session`,
    );
  }),
  delete: withPermission('key:write', ({ transaction }, { key }) => {
    deleteEntry(transaction, key);
    return [];
  }),
  'delete-cas': withPermission('key:write', ({ transaction }, { key, index }) => {
    if (!casDeleteEntry(transaction, key, index)) throw staleIndexError(`delete key "${key}"`);
    return [];
  }),
  'delete-tree': ({ transaction, permissions }, { key }) => {
    if (!permissions.canWritePrefix(key))
      throw new InvalidOperation(permissions.denialMessage('key:write', key));
    return deleteTree(transaction, key);
  },
  get(parts, { key }) {
    if (!entryOf(parts.transaction, key)) throw new OperationFailure(`key "${key}" doesn't exist`);
    return readVisible(parts, [key]);
  },
  'get-or-empty': (parts, { key }) => readVisible(parts, [key]),
  'get-tree': (parts, { key: prefix }) => readVisible(parts, entryKeys(parts.transaction, prefix)),
  'check-index': withPermission('key:read', ({ transaction }, { key, index }) => {
    const entry = entryOf(transaction, key);
    if (!entry) throw new OperationFailure(`failed to check index, key "${key}" doesn't exist`);
    if (entry.ModifyIndex === index) return entryResults(key, entry);
    throw new OperationFailure(
      `failed index check for key "${key}", current modify index ${entry.ModifyIndex} != ${index}`,
    );
  }),
  'check-session': withPermission('key:read', ({ transaction }, { key, session }) => {
    const entry = entryOf(transaction, key);
    if (!entry) throw new OperationFailure(`failed to check session, key "${key}" doesn't exist`);
    const { Session = '' } = entry;
    if (Session === session) return entryResults(key, entry);
    throw new OperationFailure(
      `failed session check for key "${key}", current session "${Session}" != "${session}"`,
    );
  }),
  'check-not-exists': withPermission('key:write', ({ transaction }, { key }) => {
    if (entryOf(transaction, key)) throw new OperationFailure(`key "${key}" exists`);
    return [];
  }),
};

/** Applies one operation on keys. @returns its results, which are to be iterated over. @throws HttpError */
export function applyKvOperation(
  parts: OperationParts,
  operation: KvOperation,
): Iterable<object | undefined> {
  if (operation.key === '' && operation.verb !== 'delete-tree')
    throw new InvalidOperation('Must provide key');
  const verb = Object.hasOwn(verbs, operation.verb) ? verbs[operation.verb] : undefined;
  if (!verb) throw new InvalidOperation(`unknown KV operation: ${operation.verb}`);
  return verb(parts, operation);
}

/** The entries of keys, without those that the caller may not read. */
function* readVisible(
  { transaction, permissions, onHidden }: OperationParts,
  keys: readonly string[],
): Generator<object | undefined> {
  for (const key of keys) {
    const isVisible = permissions.allows('key:read', key);
    if (!isVisible) onHidden();
    yield isVisible ? kvResult(key, entryOf(transaction, key) ?? emptyEntry, true) : undefined;
  }
}

function withPermission(permission: 'key:read' | 'key:write', verb: Verb): Verb {
  return (parts, operation) => {
    requirePermission(parts.permissions, permission, operation.key);
    return verb(parts, operation);
  };
}

function contentOf({ value, flags }: Pick<KvOperation, 'value' | 'flags'>) {
  return { Value: value, Flags: flags };
}

const entryResults = (key: string, entry: Entry): readonly object[] => [kvResult(key, entry, false)];

function kvResult(key: string, entry: Entry, withValue: boolean): object {
  return { KV: entryView(key, entry, withValue) };
}
