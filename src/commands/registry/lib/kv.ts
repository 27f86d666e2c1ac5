import type { RegistryClient } from '../../../api/registry.ts';
import type { KvEntry } from '../../../api/registry-kv.ts';
import { arg, flag } from '../../../command/command.ts';
import { consistencyFlags } from '../../../command/consistency-flags.ts';
import { insteadOf, isEmptyListError, isNotFound, notFound, unlessNotFound, usage } from '../../../errors.ts';
import type { TransactionEntry } from '../../../wire/responses/registry.ts';

/** Bytes, the limit of Consul's default configuration. */
export const maxValueSize = 512 * 1024;

export const keyArg = arg.text('KEY', 'key, such as app/db/host', { completes: 'registry-key' });

export const readFlags = { ...consistencyFlags, dc: flag.datacenter('datacenter') } as const;

export const writeDatacenterFlag = flag.datacenter('datacenter');

/** An entry with its value in plain text, or in base64 in `ValueBase64` if it is not valid UTF-8. */
export interface PlainEntry extends Omit<TransactionEntry, 'Value' | 'Session'> {
  readonly Key: string;
  /** The value as text. */
  readonly Value?: string;
  /** A value that is not valid UTF-8, in base64. */
  readonly ValueBase64?: string;
  /** ID of the session that holds the lock. */
  readonly Session?: string | undefined;
  readonly [field: string]: unknown;
}

export const bytesOf = ({ Value }: Pick<KvEntry, 'Value'>): Buffer => Buffer.from(Value ?? '', 'base64');

export function plainEntry(entry: KvEntry): PlainEntry {
  const { Key, Value, ...rest } = entry;
  const value = textOf(bytesOf(entry));
  return { Key, ...(value === undefined ? { ValueBase64: Value ?? '' } : { Value: value }), ...rest };
}

/** The text of bytes; undefined: they are not valid UTF-8. */
export function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** @throws LanyardError not_found; usage: an empty key */
export async function readEntry(
  registry: RegistryClient,
  key: string,
  parameters: object = {},
): Promise<KvEntry> {
  checkKey(key);
  const entries = await unlessNotFound(registry.readKey({ key, ...parameters }), isEmptyListError);
  const entry = entries?.find(({ Key }) => Key === key);
  if (entry) return entry;
  throw notFound(`key "${key}" not found`, {
    hint: 'Run `lanyard registry kv list` for the existing keys.',
  });
}

/** An entry; undefined: the key does not exist. */
export const findEntry = (
  registry: RegistryClient,
  key: string,
  parameters: object,
): Promise<KvEntry | undefined> =>
  readEntry(registry, key, parameters).catch(insteadOf(isNotFound, undefined));

/** @throws LanyardError usage: empty */
export function checkKey(key: string): void {
  if (key === '') throw usage('invalid KEY "": expected a key, such as app/db/host');
}

/** The response of a list, empty if no key has the prefix (Consul 404). */
export const orEmpty = async <Body>(reading: Promise<{ readonly body: Body }>): Promise<Body | []> =>
  (await reading.catch(insteadOf(isEmptyListError, { body: [] as [] }))).body;
