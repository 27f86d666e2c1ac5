import { command, flag } from '../../../cli/command.ts';
import { notFound } from '../../../errors.ts';
import { binary, type Document, dim, raw, strong, table } from '../../../output/document.ts';
import { formatSize } from '../../../output/humanize.ts';
import {
  bytesOf,
  keyArg,
  orEmpty,
  type PlainEntry,
  plainEntry,
  readEntry,
  readFlags,
  readParameters,
  textOf,
} from '../lib/kv.ts';

export default command({
  description:
    'Prints the value: to a file or a pipe its exact bytes, without a line break. The other formats have all fields of the entry; a value that is not valid UTF-8 is in base64 in ValueBase64. With --recursive KEY is a prefix.',
  examples: [
    'lanyard registry kv get app/db/host',
    'lanyard registry kv get app/tls.crt > tls.crt',
    'lanyard registry kv get app/db/host --field ModifyIndex',
    'lanyard registry kv get app/ --recursive',
  ],
  service: 'registry',
  returnsList: ({ flags }) => flags.recursive,
  args: { key: keyArg },
  flags: { recursive: flag.boolean('all keys with the prefix KEY, with their values'), ...readFlags },
  async run({ args: { key }, flags }, ctx) {
    const parameters = readParameters(flags);
    const registry = await ctx.api.registry();
    if (flags.recursive) {
      const entries = (await orEmpty(registry.readKeys({ prefix: key, ...parameters }))).map(plainEntry);
      if (entries.length === 0 && key !== '') throw notFound(`no key begins with "${key}"`);
      return { data: entries, rows: entries, document: entriesView(entries) };
    }
    const entry = await readEntry(registry, key, parameters);
    const bytes = bytesOf(entry);
    const value = textOf(bytes);
    return {
      data: plainEntry(entry),
      document: [
        binary(bytes, value ?? `${formatSize(bytes.length)} of binary data; redirect the output to a file.`),
      ],
    };
  },
});

const entriesView = (entries: readonly PlainEntry[]): Document =>
  entries.length === 0
    ? [raw('')]
    : [
        table(
          ['KEY', { title: 'VALUE', mayOverflow: true }],
          entries.map(({ Key, Value }) => [[strong(Key)], Value ?? [dim('binary')]]),
        ),
      ];
