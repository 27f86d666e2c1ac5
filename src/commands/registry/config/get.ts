import { command, flag } from '../../../command/command.ts';
import { raw } from '../../../output/document.ts';
import { formatJson } from '../../../wire/json.ts';
import { compact } from '../../../wire/objects.ts';
import { kindArg, nameArg, readConfigEntry } from '../lib/config-entry.ts';

export default command({
  examples: [
    'lanyard registry config get service-resolver web',
    'lanyard registry config get proxy-defaults global -o yaml',
  ],
  service: 'registry',
  args: { kind: kindArg, name: nameArg },
  flags: { dc: flag.datacenter('datacenter') },
  async run({ args, flags }, ctx) {
    const entry = await readConfigEntry(await ctx.api.registry(), args, compact({ dc: flags.dc }));
    return { data: entry, document: [raw(`${formatJson(entry, 2)}\n`)] };
  },
});
