import { arg, command, flag } from '../../../command/command.ts';
import { readParameters } from '../../../command/consistency-flags.ts';
import { usage } from '../../../errors.ts';
import { listResult } from '../../../output/document.ts';
import { orEmpty, readFlags } from '../lib/kv.ts';

export default command({
  description:
    'PREFIX matches the start of keys: "app" also finds "apple". A name that ends in the separator represents all keys below it.',
  examples: [
    'lanyard registry kv list',
    'lanyard registry kv list app/',
    'lanyard registry kv list app/ --recursive -o json',
  ],
  service: 'registry',
  args: {
    prefix: arg.optional('PREFIX', 'key prefix (default: all keys)', { completes: 'registry-key' }),
  },
  flags: {
    recursive: flag.boolean('list every key'),
    separator: flag.name('TEXT', 'separator of names (default /)'),
    ...readFlags,
  },
  async run({ args, flags }, ctx) {
    if (flags.recursive && flags.separator !== undefined)
      throw usage('--separator cannot be combined with --recursive');
    const separator = flags.recursive ? undefined : (flags.separator ?? '/');
    const parameters = { ...readParameters(flags), separator };
    const registry = await ctx.api.registry();
    const keys = (await orEmpty(registry.listKeys({ prefix: args.prefix ?? '', ...parameters }))) ?? [];
    return listResult(keys, 'No keys. Run `lanyard registry kv put` to write one.', { KEY: (key) => key });
  },
});
