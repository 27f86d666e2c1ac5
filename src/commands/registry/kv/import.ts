import { arg, command, flag } from '../../../command/command.ts';
import { partiallyAppliedError, usage } from '../../../errors.ts';
import { textResult } from '../../../output/document.ts';
import { countText } from '../../../output/humanize.ts';
import { formatJson, type Json } from '../../../wire/json.ts';
import { compact, isObject } from '../../../wire/objects.ts';
import { maxValueSize, writeDatacenterFlag } from '../lib/kv.ts';

/** Operations of a transaction: 128 on Consul, 64 on the embedded registry. */
const maxOperations = 64;
/** Bytes of a transaction, below the 512 KiB that Consul accepts. */
const maxSize = 500 * 1024;

export default command({
  description:
    'FILE is a JSON array as "registry kv export" and "consul kv export" write it; it is checked before any request. Existing keys are replaced, others are unchanged. Up to 64 keys are written in one transaction, so after an error some may be written: run the same command again.',
  examples: ['lanyard registry kv import app.json', 'lanyard registry kv import app.json --prefix copy/'],
  service: 'registry',
  writes: true,
  args: { file: arg.text('FILE|-', 'JSON file, or standard input', { completes: 'file' }) },
  flags: {
    prefix: flag.name('TEXT', 'text to put before each key'),
    dc: writeDatacenterFlag,
  },
  async run({ args, flags }, ctx) {
    const { name, entries } = await ctx.input.readListFile(args.file);
    const keys = entries.map(({ value, line }) => importedKey(value, `${name}, line ${line}`, flags.prefix));
    const problems = keys.flatMap(({ problem }) => problem ?? []);
    if (problems.length > 0)
      throw usage(`invalid file ${name}; nothing was written`, { details: problems.slice(0, 20) });
    const transactions = splitIntoTransactions(keys.map(({ operation }) => formatJson(operation)));
    const dc = compact({ dc: flags.dc });
    const registry = await ctx.api.registry();
    let written = 0;
    await ctx.output.sequentially(transactions, async (operations) => {
      try {
        await registry.applyTransaction({ content: `[${operations.join()}]`, ...dc });
      } catch (error) {
        throw partiallyAppliedError(error, written === 0 ? [] : [`${countText(written, 'key')} written`]);
      }
      written += operations.length;
    });
    return textResult({ keys: keys.length }, `Wrote ${countText(keys.length, 'key')}.`);
  },
});

interface ImportedKey {
  readonly operation?: Json;
  readonly problem?: string;
}

function importedKey(value: Json, place: string, prefix = ''): ImportedKey {
  if (!isObject(value)) return { problem: `${place}: expected an object with key, flags and value` };
  const { key, flags = 0, value: content = '', ...rest } = value;
  const [unknown] = Object.keys(rest).filter((field) => field !== 'namespace' && field !== 'partition');
  if (unknown !== undefined) return { problem: `${place}: unknown field ${JSON.stringify(unknown)}` };
  if (typeof key !== 'string' || key === '') return { problem: `${place}: key: expected a string` };
  const isCount = typeof flags === 'bigint' || (typeof flags === 'number' && Number.isSafeInteger(flags));
  if (!isCount || flags < 0) return { problem: `${place}: flags: expected a number from 0 to 2^64-1` };
  const bytes = typeof content === 'string' ? Buffer.from(content, 'base64') : undefined;
  if (bytes?.toString('base64') !== content) return { problem: `${place}: value: expected base64` };
  if (bytes.length > maxValueSize)
    return {
      problem: `${place}: the value has ${bytes.length} bytes; the registry accepts at most ${maxValueSize}`,
    };
  return { operation: { KV: { Verb: 'set', Key: `${prefix}${key}`, Value: content, Flags: flags } } };
}

/** Groups of operations, each as large as a transaction may be. */
function splitIntoTransactions(operations: readonly string[]): string[][] {
  const groups: string[][] = [];
  let size = 0;
  for (const operation of operations) {
    const group = groups.at(-1);
    if (group && group.length < maxOperations && size + operation.length < maxSize) {
      group.push(operation);
      size += operation.length + 1;
    } else {
      groups.push([operation]);
      size = operation.length;
    }
  }
  return groups;
}
