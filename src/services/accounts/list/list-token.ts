import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { Change, Storage } from '../../core/store/storage.ts';
import { invalidField } from '../errors.ts';
import { retentionMs } from '../model/change-log.ts';

export interface Position {
  /** `all`: the resources by creation; `changes`: the resources changed after `since`. */
  readonly phase: 'all' | 'changes';
  readonly since: number;
  /** The last change when the phase began; later ones belong to the next phase. */
  readonly startSequence: number;
  /** The key of the last examined entry; empty: none yet. */
  readonly afterKey: string;
  /** Milliseconds since the epoch: the beginning of the phase. */
  readonly startedAt: number;
}

const secretKey = 'list-token-key';
const macBytes = 16;

/** The key that signs list tokens; stored, so that a list survives a restart. */
export function listTokenKeyChange(storage: Storage, random: (length: number) => Uint8Array): Change[] {
  if (storage.get(secretKey) !== undefined) return [];
  return [{ key: secretKey, value: Buffer.from(random(32)).toString('base64') }];
}

/** An unforgeable token that is valid for the same query only. */
export function listToken(storage: Storage, queryKey: string, position: Position): string {
  const { phase, since, startSequence, afterKey, startedAt } = position;
  const payload = Buffer.from(JSON.stringify([phase, since, startSequence, afterKey, startedAt]));
  return Buffer.concat([macOf(storage, queryKey, payload), payload]).toString('base64url');
}

/** @throws InvalidFieldsError 400: invalid, of another query, or too old */
export function positionOf(storage: Storage, queryKey: string, token: string, now: Date): Position {
  const bytes = Buffer.from(token, 'base64url');
  const payload = bytes.subarray(macBytes);
  const mac = bytes.subarray(0, macBytes);
  if (mac.length < macBytes || !timingSafeEqual(mac, macOf(storage, queryKey, payload)))
    throw invalidField('list_token', 'This is not a list token of this list; begin without one.');
  const [phase, since, startSequence, afterKey, startedAt] = JSON.parse(payload.toString());
  if (startedAt < now.getTime() - retentionMs)
    throw invalidField('list_token', 'This list token has expired; begin without one.');
  return { phase, since, startSequence, afterKey, startedAt };
}

function macOf(storage: Storage, queryKey: string, payload: Buffer): Buffer {
  const key = Buffer.from(String(storage.get(secretKey)), 'base64');
  const queryDigest = createHash('sha256').update(queryKey).digest();
  return createHmac('sha256', key).update(queryDigest).update(payload).digest().subarray(0, macBytes);
}
