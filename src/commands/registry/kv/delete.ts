import type { RegistryClient } from '../../../api/registry.ts';
import type { InDatacenter } from '../../../api/registry-datacenter.ts';
import { command, flag } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import {
  confirmDelete,
  confirmWrite,
  insteadOf,
  isForbidden,
  isNotFound,
  notFound,
  usage,
} from '../../../errors.ts';
import { code, text, textResult } from '../../../output/document.ts';
import { countText } from '../../../output/humanize.ts';
import { compact } from '../../../wire/objects.ts';
import { casConflict } from '../lib/cas-conflict.ts';
import { checkKey, findEntry, keyArg, orEmpty, readEntry, writeDatacenterFlag } from '../lib/kv.ts';

export default command({
  description:
    'With --recursive KEY is a prefix: "app" also deletes "apple". The prompt shows the number of matching keys.',
  examples: [
    'lanyard registry kv delete app/db/host',
    'lanyard registry kv delete app/db/host --cas 42 --yes',
    'lanyard registry kv delete app/ --recursive',
  ],
  service: 'registry',
  writes: 'after reads',
  args: { key: keyArg },
  flags: {
    recursive: flag.boolean('delete all keys with the prefix KEY'),
    cas: flag.integer('N', 'delete only if N is the current ModifyIndex'),
    dc: writeDatacenterFlag,
  },
  async run({ args: { key }, flags: { recursive, cas, ...rest } }, ctx) {
    if (recursive && cas !== undefined) throw usage('--cas cannot be combined with --recursive');
    const dc = compact({ dc: rest.dc });
    const registry = await ctx.api.registry();
    if (recursive) return deleteKeys(registry, key, dc, ctx);
    checkKey(key);
    await ctx.input.confirm(`Delete key "${key}"? This cannot be undone.`);
    // The registry deletes a missing key successfully. A token that may delete a key may lack permission to read it.
    if (cas === undefined) await readEntry(registry, key, dc).catch(insteadOf(isForbidden, undefined));
    const response = await confirmDelete(
      () => registry.deleteKey({ key, cas, ...dc }),
      () => readEntry(registry, key, dc),
      'the key',
      isNotFound,
    );
    if (response?.body === false && cas !== undefined)
      throw await casConflict(`key "${key}"`, cas, () => findEntry(registry, key, dc));
    return textResult({ Key: key }, 'Deleted key ', code(key), '.');
  },
});

async function deleteKeys(registry: RegistryClient, prefix: string, dc: InDatacenter, ctx: Context) {
  const list = async () => (await orEmpty(registry.listKeys({ prefix, ...dc }))) ?? [];
  const keys = await list();
  if (keys.length === 0) throw notFound(`no key begins with "${prefix}"`);
  const where = prefix === '' ? 'of the registry' : `with the prefix "${prefix}"`;
  await ctx.input.confirm(`Delete ${countText(keys.length, 'key')} ${where}? This cannot be undone.`);
  await confirmWrite(
    () => registry.deleteKeys({ prefix, ...dc }),
    async () => {
      const left = await list();
      return { done: left.length === 0, found: `${countText(left.length, 'key')} left` };
    },
  );
  return {
    data: { Prefix: prefix, Keys: keys.length },
    document: [text(`Deleted ${countText(keys.length, 'key')} `, `${where}.`)],
  };
}
