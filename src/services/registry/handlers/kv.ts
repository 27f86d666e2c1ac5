import { HttpError } from '../../core/http/http-service.ts';
import * as s from '../../core/schema/types.ts';
import { blockingQuery, writeResponse } from '../blocking-query.ts';
import { type Call, operations, readOperations } from '../call.ts';
import {
  type Content,
  casDeleteEntry,
  casEntry,
  deleteEntry,
  deleteTree,
  entryOf,
  entryView,
  flags,
  keyValue,
  lockEntry,
  maxValueBytes,
  setEntry,
  unlockEntry,
} from '../model/kv.ts';
import { sessionOf } from '../model/sessions.ts';
import { cas, presenceFlag, written } from '../read-parameters.ts';
import { requirePermission } from '../require-permission.ts';
import { listEntries, listKeys } from './kv-list.ts';

const operation = operations('Key-value store');
const readOperation = readOperations('Key-value store');

const binary = { type: 'string', description: 'The value, any bytes.', format: 'binary' };
const lock = (description: string) => s.optional(s.string(description));

/** Reads one key, all below a prefix, or their names (docs/protocol/registry.md#key-value-store). */
export const getKey = readOperation('getKey', 'Read a key, or list keys', {
  description:
    'One entry in an array; all entries with the prefix (`recurse`); their names (`keys`); or the value (`raw`).',
  query: {
    raw: presenceFlag('Respond with the value.'),
    recurse: presenceFlag('All entries with this prefix.'),
    keys: presenceFlag('Only the names of the keys with this prefix.'),
    separator: s.string('With `keys`: the names up to this text after the prefix.'),
  },
  responses: {
    200: {
      body: s.either(s.list(keyValue), s.list(s.string())),
      content: { type: 'text/plain', schema: binary },
      headers: 'query',
    },
    404: { description: 'There is no such key.', headers: 'query' },
  },
  handle(call) {
    const { permissions, params } = call;
    const { raw, recurse, keys, separator } = call.query();
    const key = params.key ?? '';
    if (keys) return blockingQuery(call, ['kv'], (view) => listKeys(call, view, key, separator), true);
    if (recurse) return blockingQuery(call, ['kv'], (view) => listEntries(call, view, key), true);
    if (key === '') throw new HttpError(400, 'Missing key name');
    requirePermission(permissions, 'key:read', key);
    return blockingQuery(call, ['kv'], (view) => {
      const entry = entryOf(view, key);
      if (!entry) return { status: 404 };
      const index = entry.ModifyIndex;
      if (raw) return { bytes: Buffer.from(entry.Value, 'base64'), index };
      return { value: [entryView(key, entry)], index };
    });
  },
});

/** Writes a key: unconditionally, with check-and-set, or with a session's lock. Responds whether it was written. */
export const putKey = operation('putKey', 'Write a key', {
  description: 'At most one of `cas`, `acquire` and `release`. A value has at most 512 KiB.',
  query: {
    flags,
    cas,
    acquire: lock('Lock the key with this session.'),
    release: lock('Release the lock of this session.'),
  },
  content: { type: 'application/octet-stream', schema: binary },
  isBodyOptional: true,
  returns: written,
  async handle(call) {
    const { permissions, registry, request } = call;
    const key = requireKey(call);
    rejectConflictingFlags(call, ['cas', 'acquire', 'release']);
    requirePermission(permissions, 'key:write', key);
    const { cas: index, flags: Flags, acquire, release } = call.query();
    const bytes = await request.bytes();
    if (bytes.length > maxValueBytes) throw valueTooLarge(bytes.length);
    const content: Content = { Value: Buffer.from(bytes).toString('base64'), Flags };
    if (acquire !== undefined && registry.state.isLockDelayed(key)) return writeResponse(call, false);
    const result = await registry.state.update((transaction) => {
      if (index !== undefined) return casEntry(transaction, key, content, Number(index));
      if (acquire !== undefined) {
        if (!sessionOf(transaction, acquire))
          throw new HttpError(500, `raft apply failed: ${invalidSessionMessage(acquire)}`);
        return lockEntry(transaction, key, content, acquire);
      }
      if (release === '') throw new HttpError(500, `raft apply failed: ${invalidSessionMessage(release)}`);
      if (release !== undefined) return unlockEntry(transaction, key, content, release);
      return setEntry(transaction, key, content);
    });
    return writeResponse(call, result !== undefined);
  },
});

/** Deletes a key, with check-and-set, or all keys with a prefix. Responds whether they were deleted. */
export const deleteKey = operation('deleteKey', 'Delete a key', {
  query: { recurse: presenceFlag('Delete all keys with this prefix.'), cas },
  returns: written,
  async handle(call) {
    const { permissions, params, registry } = call;
    rejectConflictingFlags(call, ['recurse', 'cas']);
    const { recurse, cas: index } = call.query();
    if (recurse) {
      const prefix = params.key ?? '';
      if (!permissions.canWritePrefix(prefix))
        throw new HttpError(403, permissions.denialMessage('key:write', prefix));
      await registry.state.updateInSlices((transaction) => deleteTree(transaction, prefix));
      return writeResponse(call, true);
    }
    const key = requireKey(call);
    requirePermission(permissions, 'key:write', key);
    const result = await registry.state.update((transaction) => {
      if (index !== undefined) return casDeleteEntry(transaction, key, Number(index));
      deleteEntry(transaction, key);
      return true;
    });
    return writeResponse(call, result);
  },
});

/** Why a session cannot hold a lock. */
export function invalidSessionMessage(id: string): string {
  return id === '' ? 'missing session' : `invalid session "${id}"`;
}

function requireKey({ params }: Call): string {
  if (!params.key) throw new HttpError(400, 'Missing key name');
  return params.key;
}

function rejectConflictingFlags({ request }: Call, flags: readonly string[]): void {
  const present = flags.filter((flag) => request.query.has(flag));
  if (present.length > 1) throw new HttpError(400, `Conflicting flags: ${present.join('&')}`);
}

function valueTooLarge(bytes: number): HttpError {
  return new HttpError(
    413,
    `Request body(${bytes} bytes) too large, max size: ${maxValueBytes} bytes. See the limits of the key-value store`,
  );
}
