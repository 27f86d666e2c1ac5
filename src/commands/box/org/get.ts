import { command } from '../../../command.ts';
import { ownerArg } from '../names.ts';
import { organisationView } from '../views.ts';

export default command({
  description: 'A user or an organisation, with the boxes of it that you may see.',
  examples: ['lanyard box org get acme'],
  service: 'box',
  args: { name: ownerArg },
  flags: {},
  async run({ args }, ctx) {
    const { body } = await (await ctx.api.box()).readOrganisation({ username: args.name });
    return { data: body, rows: body.boxes ?? [], document: organisationView(body) };
  },
});
