import { command } from '../../../command/command.ts';
import { ownerArg } from '../lib/box-names.ts';
import { organizationView } from '../lib/views.ts';

export default command({
  description: 'Shows the boxes that are visible with the current token.',
  examples: ['lanyard box org get dev'],
  service: 'box',
  args: { name: ownerArg },
  async run({ args }, ctx) {
    const { body } = await (await ctx.api.box()).readOrganization({ username: args.name });
    return { data: body, rows: body.boxes ?? [], document: organizationView(body) };
  },
});
