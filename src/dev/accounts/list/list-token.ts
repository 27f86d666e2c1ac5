import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { Change, PagedStorage } from '../../storage.ts';
import { badField } from '../http/refusals.ts';
import { memory } from '../state/journal.ts';

/** Where a list goes on. */
export interface Position {
  /** `all`: the resources by their creation; `changes`: what happened after the change `since`. */
  readonly phase: 'all' | 'changes';
  readonly since: number;
  /** The last change when the phase began: what comes later is of the next one. */
  readonly began: number;
  /** The place of the last one that was looked at; empty: none yet. */
  readonly after: string;
  /** Milliseconds of the epoch: when the phase began. */
  readonly at: number;
}

const secretKey = 'list-token-key';
const macBytes = 16;

/** The key that list tokens are sealed with, so that a list outlives a restart; made when there is none. */
export function sealingChange(storage: PagedStorage, random: (length: number) => Uint8Array): Change[] {
  if (storage.get(secretKey) !== undefined) return [];
  return [{ key: secretKey, value: Buffer.from(random(32)).toString('base64') }];
}

/** A token that nobody else can make, and that is good for the same question only. */
export function listToken(storage: PagedStorage, question: string, position: Position): string {
  const { phase, since, began, after, at } = position;
  const text = Buffer.from(JSON.stringify([phase, since, began, after, at]));
  return Buffer.concat([macOf(storage, question, text), text]).toString('base64url');
}

/** @throws FieldRefusal 400: not a token of ours, one of another question, or one that is too old */
export function positionOf(storage: PagedStorage, question: string, token: string, now: Date): Position {
  const bytes = Buffer.from(token, 'base64url');
  const text = bytes.subarray(macBytes);
  const mac = bytes.subarray(0, macBytes);
  if (mac.length < macBytes || !timingSafeEqual(mac, macOf(storage, question, text)))
    throw badField('list_token', 'This is not a list token of this list; begin without one.');
  const [phase, since, began, after, at] = JSON.parse(text.toString());
  if (at < now.getTime() - memory)
    throw badField('list_token', 'This list token has expired; begin without one.');
  return { phase, since, began, after, at };
}

function macOf(storage: PagedStorage, question: string, text: Buffer): Buffer {
  const key = Buffer.from(String(storage.get(secretKey)), 'base64');
  const asked = createHash('sha256').update(question).digest();
  return createHmac('sha256', key).update(asked).update(text).digest().subarray(0, macBytes);
}
