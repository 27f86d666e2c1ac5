import { arg, command, flag } from '../../../cli/command.ts';
import { code, raw, text } from '../../../output/document.ts';
import { formatJson } from '../../../wire/json.ts';
import { countText, orEmpty, readFlags, readParameters } from '../lib/kv.ts';

export default command({
  description:
    'The format is that of "consul kv export": a JSON array of key, flags and value (in base64), which "registry kv import" and "consul kv import" read.',
  examples: ['lanyard registry kv export app/ > app.json', 'lanyard registry kv export --out backup.json'],
  service: 'registry',
  args: {
    prefix: arg.optional('PREFIX', 'beginning of the keys (default: all)', {
      completes: { live: 'registry-key' },
    }),
  },
  flags: {
    out: flag.name('FILE', 'file to write, of mode 0600 (default: standard output)', { completes: 'file' }),
    force: flag.boolean('overwrite FILE'),
    ...readFlags,
  },
  async run({ args, flags }, ctx) {
    const parameters = readParameters(flags);
    if (flags.out !== undefined) await ctx.files.checkWritable([{ path: flags.out, replace: flags.force }]);
    const registry = await ctx.api.registry();
    const entries = await orEmpty(registry.readKeys({ prefix: args.prefix ?? '', ...parameters }));
    const exported = entries.map(({ Key, Flags, Value }) => ({ key: Key, flags: Flags, value: Value ?? '' }));
    const content = `${formatJson(exported, 2)}\n`;
    if (flags.out === undefined) return { data: exported, rows: exported, document: [raw(content)] };
    await ctx.files.write([{ path: flags.out, content, replace: flags.force }]);
    const written = { file: flags.out, keys: exported.length };
    return {
      data: written,
      document: [text(`Wrote ${countText(exported.length)} to `, code(flags.out), '.')],
    };
  },
});
