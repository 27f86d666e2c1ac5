import { command, flag } from '../../command/command.ts';
import { compact } from '../../wire/objects.ts';
import { keyArg, plainEntry } from '../registry/lib/kv.ts';
import { keySource } from '../registry/lib/sources.ts';
import { present } from './lib/conditions.ts';
import { waitFlags, waitFor } from './lib/wait-for.ts';

const fields = [
  'Key',
  'Value',
  'ValueBase64',
  'Flags',
  'LockIndex',
  'Session',
  'CreateIndex',
  'ModifyIndex',
  'Namespace',
  'Partition',
] as const;

export default command({
  description:
    'Without --for it waits until the key exists. Expressions apply to the entry as in "registry kv get -o json". Exits with 8 if the condition is not met within --timeout (see "lanyard help watching").',
  examples: [
    'lanyard wait key app/db/host',
    `lanyard wait key app/db/host --for "Value == 'db1'"`,
    'lanyard wait key app/db/host --for present --fail-if "Session" --stable 2s',
  ],
  service: 'registry',
  args: { key: keyArg },
  flags: { ...waitFlags, dc: flag.datacenter('datacenter') },
  run: ({ args: { key }, flags }, ctx) =>
    waitFor(ctx, flags, {
      name: `key "${key}"`,
      source: async (end) => {
        const registry = await ctx.api.registry({ signal: end, retries: 0 });
        return keySource(registry, key, compact({ dc: flags.dc }));
      },
      otherwise: present(),
      data: plainEntry,
      fields,
    }),
});
