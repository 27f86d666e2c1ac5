import type { KvEntry } from '../../../api/registry-kv.ts';
import { command, flag } from '../../../command/command.ts';
import { readParameters } from '../../../command/consistency-flags.ts';
import { isWatching, watchFlags } from '../../../command/watch-flags.ts';
import { notFound } from '../../../errors.ts';
import { binary, type Document, dim, listTable, raw, strong } from '../../../output/document.ts';
import { formatSize } from '../../../output/humanize.ts';
import type { Result } from '../../../output/result.ts';
import { showChanges } from '../../../watch/show-changes.ts';
import {
  bytesOf,
  keyArg,
  orEmpty,
  type PlainEntry,
  plainEntry,
  readEntry,
  readFlags,
  textOf,
} from '../lib/kv.ts';
import { keySource, keysSource } from '../lib/sources.ts';

export default command({
  description:
    'A file or a pipe gets the exact bytes, without a line break. The other formats have all fields of the entry; a value that is not valid UTF-8 is in base64 in ValueBase64. With --recursive KEY is a prefix.',
  examples: [
    'lanyard registry kv get app/db/host',
    'lanyard registry kv get app/tls.crt > tls.crt',
    'lanyard registry kv get app/db/host --field ModifyIndex',
    'lanyard registry kv get app/ --recursive',
    'lanyard registry kv get app/db/host --watch',
  ],
  service: 'registry',
  returnsList: ({ flags }) => flags.recursive,
  args: { key: keyArg },
  flags: {
    recursive: flag.boolean('all keys with the prefix KEY, with their values'),
    ...readFlags,
    ...watchFlags,
  },
  async run({ args: { key }, flags }, ctx) {
    const parameters = readParameters(flags);
    if (isWatching(flags)) {
      const registry = await ctx.api.registry({ retries: 0 });
      return flags.recursive
        ? showChanges(ctx, keysSource(registry, key, parameters), flags, {
            result: entriesResult,
            absent: `no key begins with "${key}"`,
          })
        : showChanges(ctx, keySource(registry, key, parameters), flags, {
            result: entryResult,
            absent: `key "${key}" does not exist`,
          });
    }
    const registry = await ctx.api.registry();
    if (flags.recursive) {
      const entries = await orEmpty(registry.readKeys({ prefix: key, ...parameters }));
      if (entries.length === 0 && key !== '') throw notFound(`no key begins with "${key}"`);
      return entriesResult(entries);
    }
    return entryResult(await readEntry(registry, key, parameters));
  },
});

function entriesResult(found: readonly KvEntry[]): Result<readonly PlainEntry[]> {
  const entries = found.map(plainEntry);
  return { data: entries, rows: entries, document: entriesView(entries) };
}

function entryResult(entry: KvEntry): Result<PlainEntry> {
  const bytes = bytesOf(entry);
  const value = textOf(bytes);
  return {
    data: plainEntry(entry),
    document: [
      binary(bytes, value ?? `${formatSize(bytes.length)} of binary data; redirect the output to a file.`),
    ],
  };
}

const entriesView = (entries: readonly PlainEntry[]): Document => [
  entries.length === 0
    ? raw('')
    : listTable(entries, undefined, {
        KEY: ({ Key }) => [strong(Key)],
        VALUE: { cell: ({ Value }) => Value ?? [dim('binary')], mayOverflow: true },
      }),
];
