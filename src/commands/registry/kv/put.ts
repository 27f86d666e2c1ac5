import type { RegistryClient } from '../../../api/registry.ts';
import type { KvEntry } from '../../../api/registry-kv.ts';
import { arg, command, flag, type Values } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import { confirmWrite, conflict, readToKeep, usage } from '../../../errors.ts';
import { diff, type Written, writtenChanges, writtenView } from '../../../output/diff.ts';
import { compact } from '../../../wire/objects.ts';
import { casConflict } from '../lib/cas-conflict.ts';
import {
  bytesOf,
  checkKey,
  findEntry,
  keyArg,
  maxValueSize,
  readEntry,
  writeDatacenterFlag,
} from '../lib/kv.ts';

const maxFlags = 2n ** 64n - 1n;

const putFlags = {
  cas: flag.integer('N', 'write only if N is its ModifyIndex (0: must not exist)'),
  flags: flag.text('N', 'number for the application, up to 2^64-1'),
  base64: flag.boolean('the value is in base64'),
  acquire: flag.name('SESSION', 'lock the key with the session', { completes: 'registry-session' }),
  release: flag.name('SESSION', 'unlock the key', { completes: 'registry-session' }),
  dc: writeDatacenterFlag,
} as const;

export default command({
  description:
    'Flags of the key are unchanged unless --flags is given. Other users can see the command line: give secrets as @FILE or - (standard input, without its last line break).',
  examples: [
    'lanyard registry kv put app/db/host db1.example.com',
    'lanyard registry kv put app/tls.crt @tls.crt',
    'lanyard registry kv put app/leader "" --cas 0',
  ],
  service: 'registry',
  writes: 'after reads',
  args: { key: keyArg, value: arg.text('VALUE|@FILE|-', 'value, a file with its bytes, or standard input') },
  flags: putFlags,
  async run({ args: { key, value }, flags }, ctx) {
    checkKey(key);
    const { cas, acquire, release } = flags;
    if ([cas, acquire, release].filter((given) => given !== undefined).length > 1)
      throw usage('--cas, --acquire and --release cannot be combined');
    checkFlags(flags.flags);
    const content = await readValue(value, flags.base64, ctx);
    const registry = await ctx.api.registry();
    const written = await writeEntry(registry, { ...flags, key, content });
    return {
      data: {
        Key: key,
        /** Bytes. */
        Size: content.length,
        ...written,
      },
      document: writtenView('key', key, written),
    };
  },
});

interface Put extends Values<typeof putFlags> {
  readonly key: string;
  readonly content: Buffer;
}

const maxAttempts = 20;

/** Writes a key. Flags that are not given are kept: with check-and-set, unless the write is about a lock. */
async function writeEntry(registry: RegistryClient, put: Put): Promise<Written> {
  const { key, content, flags, acquire, release } = put;
  const dc = compact({ dc: put.dc });
  for (let attempt = 1; ; attempt += 1) {
    const before = await readExisting(registry, put);
    const kept = flags === undefined && before?.Flags ? before : undefined;
    const isGuarded = kept !== undefined && (put.cas ?? acquire ?? release) === undefined;
    const cas = isGuarded ? Number(kept.ModifyIndex) : put.cas;
    const request = { key, content, flags: flags ?? kept?.Flags?.toString(), cas, acquire, release, ...dc };
    const response = await confirmWrite(
      () => registry.writeKey(request),
      async () => {
        const found = await findEntry(registry, key, dc);
        const isWritten =
          found !== undefined &&
          bytesOf(found).equals(content) &&
          (acquire === undefined || found.Session === acquire) &&
          (release === undefined || found.Session !== release);
        return { done: isWritten, found: 'the stored value differs' };
      },
    );
    if (response?.body !== false) return changesOf(before, content, request.flags);
    if (isGuarded && attempt < maxAttempts) continue;
    if (cas !== undefined) throw await casConflict(`key "${key}"`, cas, () => findEntry(registry, key, dc));
    throw conflict(
      acquire === undefined
        ? `key "${key}" is not locked by session ${release}`
        : `key "${key}" is locked by another session, or its lock was released a moment ago`,
      { hint: 'Nothing was changed.' },
    );
  }
}

/** The key before the write; undefined: it does not exist; null: it cannot be read, and its flags are given. */
async function readExisting(registry: RegistryClient, { key, flags, dc }: Put) {
  return readToKeep(readEntry(registry, key, compact({ dc })), {
    title: `key "${key}"`,
    hint: 'Use a token with the permission key:read, or give the flags of the key with --flags.',
    isReplaced: flags !== undefined,
  });
}

/** What changed; the value may be a secret, and is hidden. */
function changesOf(before: KvEntry | null | undefined, content: Buffer, flags = '0'): Written {
  if (!before) return writtenChanges(before, {});
  const hidden = { path: ['Value'], before: '<redacted>', after: '<redacted>' };
  const entryFlags = (given: bigint) => ({ Flags: given.toString() });
  return {
    created: false,
    changes: [
      ...(bytesOf(before).equals(content) ? [] : [hidden]),
      ...diff(entryFlags(BigInt(before.Flags ?? 0)), entryFlags(BigInt(flags))),
    ],
  };
}

function checkFlags(given: string | undefined): void {
  if (given === undefined || (/^\d{1,20}$/.test(given) && BigInt(given) <= maxFlags)) return;
  throw usage(`invalid --flags "${given}": expected a number from 0 to 18446744073709551615`);
}

async function readValue(given: string, isBase64: boolean, ctx: Context): Promise<Buffer> {
  const bytes =
    given === '-' || given.startsWith('@')
      ? Buffer.from(await ctx.input.readExact(given, 'the value'))
      : Buffer.from(given);
  const value = given === '-' ? withoutLineBreak(bytes) : bytes;
  const content = isBase64 ? decoded(value.toString('latin1').trim()) : value;
  if (content.length > maxValueSize)
    throw usage(`the value has ${content.length} bytes; the registry accepts at most ${maxValueSize}`);
  return content;
}

function withoutLineBreak(bytes: Buffer): Buffer {
  if (bytes.at(-1) !== 10) return bytes;
  return bytes.subarray(0, bytes.at(-2) === 13 ? -2 : -1);
}

function decoded(value: string): Buffer {
  const bytes = Buffer.from(value, 'base64');
  if (bytes.toString('base64') !== value) throw usage('invalid VALUE: expected base64');
  return bytes;
}
