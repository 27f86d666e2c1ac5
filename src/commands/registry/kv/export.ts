import { headersOf, mayOmitObjects } from '../../../api/filtered-results.ts';
import type { ServiceResponse } from '../../../api/http/response.ts';
import { arg, command, flag } from '../../../command/command.ts';
import { readParameters } from '../../../command/consistency-flags.ts';
import type { Context } from '../../../command/context.ts';
import { LanyardError } from '../../../errors.ts';
import { code, raw, textResult } from '../../../output/document.ts';
import { countText } from '../../../output/humanize.ts';
import { formatJson } from '../../../wire/json.ts';
import { orEmpty, readFlags } from '../lib/kv.ts';

export default command({
  description:
    'Uses the format of "consul kv export": a JSON array of key, flags and value (in base64), which "registry kv import" and "consul kv import" read. Fails if the token has no permission to read some of the keys, unless --allow-partial is given.',
  examples: ['lanyard registry kv export app/ > app.json'],
  service: 'registry',
  changes: ['files'],
  args: {
    prefix: arg.optional('PREFIX', 'key prefix (default: all keys)', { completes: 'registry-key' }),
  },
  flags: {
    out: flag.name('FILE', 'file to write, of mode 0600 (default: standard output)', { completes: 'file' }),
    force: flag.boolean('overwrite FILE'),
    allowPartial: flag.boolean('export only the keys that the token has permission to read'),
    ...readFlags,
  },
  async run({ args, flags }, ctx) {
    const parameters = readParameters(flags);
    if (flags.out !== undefined) await ctx.files.checkWritable([{ path: flags.out, replace: flags.force }]);
    const registry = await ctx.api.registry();
    const read = registry.readKeys({ prefix: args.prefix ?? '', ...parameters });
    const entries = await orEmpty(flags.allowPartial ? read : complete(read, ctx));
    const exported = entries.map(({ Key, Flags, Value }) => ({ key: Key, flags: Flags, value: Value ?? '' }));
    const content = `${formatJson(exported, 2)}\n`;
    if (flags.out === undefined) return { data: exported, rows: exported, document: [raw(content)] };
    await ctx.files.write([{ path: flags.out, content, replace: flags.force }]);
    const written = { file: flags.out, keys: exported.length };
    return textResult(written, `Wrote ${countText(exported.length, 'key')} to `, code(flags.out), '.');
  },
});

type Responding<Response> = Promise<Response & Pick<ServiceResponse<unknown>, 'headers'>>;

/** @throws LanyardError forbidden: the token cannot read some keys, or no token was sent. */
async function complete<Response>(reading: Responding<Response>, ctx: Context): Responding<Response> {
  const check = async (headers: ServiceResponse<unknown>['headers']): Promise<void> => {
    if (await mayOmitObjects(headers, ctx.api))
      throw new LanyardError(
        'forbidden',
        'cannot export keys: the token has no permission to read some of them',
        {
          service: 'registry',
          hint: 'Use a token that can read all of them, or add --allow-partial to export the others.',
        },
      );
  };
  try {
    const response = await reading;
    await check(response.headers);
    return response;
  } catch (error) {
    await check(headersOf(error));
    throw error;
  }
}
