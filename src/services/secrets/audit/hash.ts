import { createHmac } from 'node:crypto';
import type { Json } from '../../../wire/json.ts';
import { yieldToEventLoop } from '../../core/yield-to-event-loop.ts';

/** Replaces a text in an audit log. */
export type Hash = (text: string) => string;

/** The hash of the products: keyed with the salt of the device, so that equal texts have equal hashes. */
export const saltedHash =
  (salt: string): Hash =>
  (text) =>
    `hmac-sha256:${createHmac('sha256', salt).update(text).digest('hex')}`;

const sliceMs = 5;

/** Hashes the texts in a value, except in fields with these names; yields to the event loop. */
export async function hashTexts(value: Json, hash: Hash, plainNames: ReadonlySet<string>): Promise<Json> {
  let sliceEnd = performance.now() + sliceMs;
  async function hashed(each: Json): Promise<Json> {
    if (typeof each === 'string') return hash(each);
    if (typeof each !== 'object' || each === null) return each;
    if (performance.now() > sliceEnd) {
      await yieldToEventLoop();
      sliceEnd = performance.now() + sliceMs;
    }
    if (Array.isArray(each)) {
      const items: Json[] = [];
      for (const item of each) items.push(await hashed(item));
      return items;
    }
    const members: [string, Json][] = [];
    for (const [name, member] of Object.entries(each))
      members.push([name, plainNames.has(name) ? member : await hashed(member)]);
    return Object.fromEntries(members);
  }
  return hashed(value);
}
