import { type Answer, HttpRefusal } from '../../http/service.ts';
import type { Call } from '../http/call.ts';
import { demand } from '../http/demand.ts';
import { unsignedOf } from '../http/parameters.ts';
import { read, readLong, written } from '../http/read.ts';
import {
  type Content,
  casDeleteEntry,
  casEntry,
  deleteEntry,
  deleteTree,
  entryAnswer,
  entryOf,
  lockEntry,
  maxValueBytes,
  setEntry,
  unlockEntry,
} from '../state/kv.ts';
import { sessionOf } from '../state/sessions.ts';
import { listEntries, listKeys } from './kv-list.ts';

/**
 * Reads one key, all below a prefix (`recurse`), or their names (`keys`, with `separator`)
 * (docs/protocol/registry.md#key-value-store).
 */
export function getKey(call: Call): Promise<Answer> {
  const { authority, params, request } = call;
  const { query } = request;
  const key = params.key ?? '';
  if (query.has('keys')) return readLong(call, 'kv', () => listKeys(call, key));
  if (query.has('recurse')) return readLong(call, 'kv', () => listEntries(call, key));
  if (key === '') throw new HttpRefusal(400, 'Missing key name');
  demand(authority, 'key:read', key);
  return read(call, ['kv'], (view) => {
    const entry = entryOf(view, key);
    if (!entry) return { status: 404 };
    const index = entry.ModifyIndex;
    if (query.has('raw')) return { bytes: Buffer.from(entry.Value, 'base64'), index };
    return { value: [entryAnswer(key, entry)], index };
  });
}

/** Writes a key: as it is, with check-and-set, or with a session's lock. Answers whether it was done. */
export async function putKey(call: Call): Promise<Answer> {
  const { authority, registry, request } = call;
  const key = keyOf(call);
  refuseConflicts(call, ['cas', 'acquire', 'release']);
  demand(authority, 'key:write', key);
  const index = unsignedOf(request, 'cas');
  const Flags = unsignedOf(request, 'flags') ?? 0;
  const bytes = await request.bytes();
  if (bytes.length > maxValueBytes) throw tooLarge(bytes.length);
  const content: Content = { Value: Buffer.from(bytes).toString('base64'), Flags };
  const acquire = request.query.get('acquire');
  const release = request.query.get('release');
  if (acquire !== null && registry.state.lockDelayed(key)) return written(call, false);
  const done = await registry.state.change((draft) => {
    if (index !== undefined) return casEntry(draft, key, content, Number(index));
    if (acquire !== null) {
      if (!sessionOf(draft, acquire)) throw new HttpRefusal(500, invalidSession(acquire));
      return lockEntry(draft, key, content, acquire);
    }
    if (release !== null) return unlockEntry(draft, key, content, release);
    return setEntry(draft, key, content);
  });
  return written(call, done !== undefined);
}

/** Deletes a key, with check-and-set, or all below a prefix. Answers whether it was done. */
export async function deleteKey(call: Call): Promise<Answer> {
  const { authority, params, registry, request } = call;
  refuseConflicts(call, ['recurse', 'cas']);
  if (request.query.has('recurse')) {
    const prefix = params.key ?? '';
    if (!authority.mayWriteBelow(prefix)) {
      throw new HttpRefusal(403, authority.denial('key:write', prefix));
    }
    await registry.state.change((draft) => deleteTree(draft, prefix));
    return written(call, true);
  }
  const key = keyOf(call);
  demand(authority, 'key:write', key);
  const index = unsignedOf(request, 'cas');
  const done = await registry.state.change((draft) => {
    if (index !== undefined) return casDeleteEntry(draft, key, Number(index));
    deleteEntry(draft, key);
    return true;
  });
  return written(call, done);
}

/** Why a session cannot hold a lock. */
export function invalidSession(id: string): string {
  return id === '' ? 'missing session' : `invalid session "${id}"`;
}

function keyOf({ params }: Call): string {
  if (!params.key) throw new HttpRefusal(400, 'Missing key name');
  return params.key;
}

function refuseConflicts({ request }: Call, flags: readonly string[]): void {
  const given = flags.filter((flag) => request.query.has(flag));
  if (given.length > 1) throw new HttpRefusal(400, `Conflicting flags: ${given.join('&')}`);
}

function tooLarge(bytes: number): HttpRefusal {
  return new HttpRefusal(
    413,
    `Request body(${bytes} bytes) too large, max size: ${maxValueBytes} bytes. See the limits of the key-value store`,
  );
}
