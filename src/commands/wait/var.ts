import type { Variable } from '../../api/scheduler.ts';
import { command } from '../../command/command.ts';
import { checkPath, itemsOf, maskItems, pathArg, requireNamespace } from '../var/lib/variable.ts';
import { variableSource } from '../var/lib/variable-source.ts';
import { present } from './lib/conditions.ts';
import { waitFlags, waitFor } from './lib/wait-for.ts';

const fields = [
  'Namespace',
  'Path',
  'CreateIndex',
  'ModifyIndex',
  'CreateTime',
  'ModifyTime',
  'Items',
  'Lock',
] as const;

export default command({
  description:
    'Without --for it waits until the variable exists. Expressions apply to the variable as in "var get -o json". Exits with 8 if the condition is not met within --timeout (see "lanyard help watching").',
  examples: [
    'lanyard wait var app/db',
    `lanyard wait var app/db --for "Items.ready == 'yes'" --timeout 5m`,
    'lanyard wait var app/lock --for absent --timeout 0',
  ],
  service: 'scheduler',
  args: { path: pathArg },
  flags: waitFlags,
  async run({ args: { path }, flags }, ctx) {
    checkPath(path);
    await requireNamespace(ctx);
    return waitFor(ctx, flags, {
      name: `variable "${path}"`,
      source: async (end) => variableSource(await ctx.api.scheduler({ signal: end, retries: 0 }), path),
      otherwise: present(),
      data: (variable: Variable) => variable,
      fields,
      payload: itemsOf,
      mask: (variable) => maskItems(ctx.output, itemsOf(variable)),
    });
  },
});
