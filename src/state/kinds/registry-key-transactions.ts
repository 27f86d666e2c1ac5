import { isMissingKey } from '../../api/conditions/registry.ts';
import type { KvEntry } from '../../api/registry-kv.ts';
import { unlessNotFound } from '../../errors.ts';
import { formatJson, type Json } from '../../wire/json.ts';
import type { Services } from '../kind.ts';

/**
 * Keys that have no path: proxies and servers merge empty segments, and resolve `.` and `..`. They are in the body of
 * a transaction instead (docs/protocol/transactions.md).
 */
export const hasNoPath = (key: string): boolean =>
  /^\/|\/\/|(^|\/)\.\.?(\/|$)/.test(key) || /\p{Cc}/u.test(key);

const contentOf = (operation: { readonly [field: string]: Json }): string => formatJson([{ KV: operation }]);

/** @returns undefined: it does not exist. */
export async function readKeyByTransaction(services: Services, Key: string): Promise<KvEntry | undefined> {
  const reading = (await services.registry()).readTransaction({ content: contentOf({ Verb: 'get', Key }) });
  return (await unlessNotFound(reading, isMissingKey))?.Results?.[0]?.KV as KvEntry | undefined;
}

/** @param write `cas`: the index that is expected; 0: the key must not exist. @throws LanyardError conflict */
export async function writeKeyByTransaction(
  services: Services,
  Key: string,
  write: { readonly content: Buffer; readonly flags: Json; readonly cas: number },
): Promise<void> {
  const { content, flags: Flags, cas: Index } = write;
  const operation = { Verb: 'cas', Key, Value: content.toString('base64'), Flags, Index };
  await (await services.registry()).applyTransaction({ content: contentOf(operation) });
}

/** @throws LanyardError conflict */
export async function deleteKeyByTransaction(services: Services, Key: string, Index: number): Promise<void> {
  const operation = { Verb: 'delete-cas', Key, Index };
  await (await services.registry()).applyTransaction({ content: contentOf(operation) });
}
