import { HttpError, type HttpResponse } from '../../core/http/http-service.ts';
import { blockingQuery, writeResponse } from '../blocking-query.ts';
import type { Call } from '../call.ts';
import {
  type Content,
  casDeleteEntry,
  casEntry,
  deleteEntry,
  deleteTree,
  entryOf,
  entryView,
  lockEntry,
  maxValueBytes,
  setEntry,
  unlockEntry,
} from '../model/kv.ts';
import { sessionOf } from '../model/sessions.ts';
import { unsignedParameter } from '../read-parameters.ts';
import { requirePermission } from '../require-permission.ts';
import { listEntries, listKeys } from './kv-list.ts';

/**
 * Reads one key, all below a prefix (`recurse`), or their names (`keys`, with `separator`)
 * (docs/protocol/registry.md#key-value-store).
 */
export function getKey(call: Call): Promise<HttpResponse> {
  const { permissions, params, request } = call;
  const { query } = request;
  const key = params.key ?? '';
  if (query.has('keys')) return blockingQuery(call, ['kv'], (view) => listKeys(call, view, key), true);
  if (query.has('recurse')) return blockingQuery(call, ['kv'], (view) => listEntries(call, view, key), true);
  if (key === '') throw new HttpError(400, 'Missing key name');
  requirePermission(permissions, 'key:read', key);
  return blockingQuery(call, ['kv'], (view) => {
    const entry = entryOf(view, key);
    if (!entry) return { status: 404 };
    const index = entry.ModifyIndex;
    if (query.has('raw')) return { bytes: Buffer.from(entry.Value, 'base64'), index };
    return { value: [entryView(key, entry)], index };
  });
}

/** Writes a key: unconditionally, with check-and-set, or with a session's lock. Responds whether it was written. */
export async function putKey(call: Call): Promise<HttpResponse> {
  const { permissions, registry, request } = call;
  const key = requireKey(call);
  rejectConflictingFlags(call, ['cas', 'acquire', 'release']);
  requirePermission(permissions, 'key:write', key);
  const index = unsignedParameter(request, 'cas');
  const Flags = unsignedParameter(request, 'flags') ?? 0;
  const bytes = await request.bytes();
  if (bytes.length > maxValueBytes) throw valueTooLarge(bytes.length);
  const content: Content = { Value: Buffer.from(bytes).toString('base64'), Flags };
  const acquire = request.query.get('acquire');
  const release = request.query.get('release');
  if (acquire !== null && registry.state.isLockDelayed(key)) return writeResponse(call, false);
  const result = await registry.state.update((transaction) => {
    if (index !== undefined) return casEntry(transaction, key, content, Number(index));
    if (acquire !== null) {
      if (!sessionOf(transaction, acquire))
        throw new HttpError(500, `raft apply failed: ${invalidSessionMessage(acquire)}`);
      return lockEntry(transaction, key, content, acquire);
    }
    if (release === '') throw new HttpError(500, `raft apply failed: ${invalidSessionMessage(release)}`);
    if (release !== null) return unlockEntry(transaction, key, content, release);
    return setEntry(transaction, key, content);
  });
  return writeResponse(call, result !== undefined);
}

/** Deletes a key, with check-and-set, or all keys with a prefix. Responds whether they were deleted. */
export async function deleteKey(call: Call): Promise<HttpResponse> {
  const { permissions, params, registry, request } = call;
  rejectConflictingFlags(call, ['recurse', 'cas']);
  if (request.query.has('recurse')) {
    const prefix = params.key ?? '';
    if (!permissions.canWritePrefix(prefix)) {
      throw new HttpError(403, permissions.denialMessage('key:write', prefix));
    }
    await registry.state.updateInSlices((transaction) => deleteTree(transaction, prefix));
    return writeResponse(call, true);
  }
  const key = requireKey(call);
  requirePermission(permissions, 'key:write', key);
  const index = unsignedParameter(request, 'cas');
  const result = await registry.state.update((transaction) => {
    if (index !== undefined) return casDeleteEntry(transaction, key, Number(index));
    deleteEntry(transaction, key);
    return true;
  });
  return writeResponse(call, result);
}

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
