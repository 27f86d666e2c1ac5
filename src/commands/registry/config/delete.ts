import { askedDatacenter, sharedDatacenter } from '../../../api/registry-datacenter.ts';
import { command, flag } from '../../../command/command.ts';
import { confirmDelete, isNotFound } from '../../../errors.ts';
import { code, textResult } from '../../../output/document.ts';
import { casConflict } from '../lib/cas-conflict.ts';
import { findConfigEntry, kindArg, nameArg, readConfigEntry, titleOf } from '../lib/config-entry.ts';

export default command({
  examples: [
    'lanyard registry config delete service-resolver web',
    'lanyard registry config delete service-resolver web --cas 42 --yes',
  ],
  service: 'registry',
  writes: 'after reads',
  args: { kind: kindArg, name: nameArg },
  flags: {
    cas: flag.integer('N', 'delete only if N is the current ModifyIndex'),
    dc: flag.datacenter('datacenter'),
  },
  async run({ args, flags: { cas, ...rest } }, ctx) {
    const registry = await ctx.api.registry();
    const dc = await sharedDatacenter(registry, await askedDatacenter(rest.dc, ctx.api), 'config entries');
    await ctx.input.confirm(`Delete ${titleOf(args)}? This cannot be undone.`);
    // The registry deletes a missing entry successfully.
    await readConfigEntry(registry, args, dc);
    const response = await confirmDelete(
      () => registry.deleteEntry({ ...args, cas, ...dc }),
      () => readConfigEntry(registry, args, dc),
      'the entry',
      isNotFound,
    );
    if (response?.body === false && cas !== undefined)
      throw await casConflict(titleOf(args), cas, () => findConfigEntry(registry, args, dc));
    return textResult({ Kind: args.kind, Name: args.name }, 'Deleted ', args.kind, ' ', code(args.name), '.');
  },
});
