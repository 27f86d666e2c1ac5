import * as v from 'valibot';
import { checked, checkedList, integer, onlyTrue } from './decode.ts';
import {
  type InDatacenter,
  operationBuilders,
  type Watched,
  watchedParameters,
} from './operation-builders.ts';

const { get, put, remove } = operationBuilders('registry');

const entrySchema = v.looseObject({
  Key: v.string(),
  /** In base64. */
  Value: v.nullable(v.string()),
  /** From 0 to 2^64-1. */
  Flags: integer,
  LockIndex: integer,
  Session: v.optional(v.string()),
  CreateIndex: integer,
  ModifyIndex: integer,
});

export type KvEntry = v.InferOutput<typeof entrySchema>;

export const kvEntries = checked(v.array(entrySchema));

/** Whether a write was applied: not if its check failed. */
const isApplied = checked(v.boolean());

interface Key {
  key: string;
}

interface Prefix {
  /** The beginning of keys; empty: all keys. */
  prefix: string;
}

const keyPath = '/v1/kv/{*key}';
const prefixPath = '/v1/kv/{*prefix}';

/** The key-value store of the registry (docs/protocol/registry.md#key-value-store). */
export const kvOperations = {
  readKey: get<Key & Watched>('read key', keyPath, { query: watchedParameters })(kvEntries),
  readKeys: get<Prefix & Watched>('read keys', prefixPath, {
    fixedQuery: [['recurse', '']],
    query: watchedParameters,
  })(kvEntries),
  /** With a separator: the keys up to its first occurrence after the prefix, each once. */
  listKeys: get<Prefix & Watched & { separator?: string }>('list keys', prefixPath, {
    fixedQuery: [['keys', '']],
    query: [...watchedParameters, 'separator'],
  })(checkedList(v.string())),
  writeKey: put<
    Key &
      InDatacenter & {
        content: Uint8Array | string;
        flags?: string;
        cas?: number;
        acquire?: string;
        release?: string;
      }
  >('write key', keyPath, {
    query: ['dc', 'flags', 'cas', 'acquire', 'release'],
    body: 'content',
    contentType: 'application/octet-stream',
    secretBody: true,
  })(isApplied),
  /** A new key whose value is no secret, so that messages do not hide its parts. `cas` is 0. */
  writePublicValue: put<Key & { content: string; cas: number }>('write key', keyPath, {
    query: ['cas'],
    body: 'content',
    contentType: 'application/octet-stream',
  })(isApplied),
  deleteKey: remove<Key & InDatacenter & { cas?: number }>('delete key', keyPath, { query: ['dc', 'cas'] })(
    isApplied,
  ),
  deleteKeys: remove<Prefix & InDatacenter>('delete keys', prefixPath, {
    fixedQuery: [['recurse', '']],
    query: ['dc'],
  })(onlyTrue),
} as const;
