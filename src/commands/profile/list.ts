import { command } from '../../command/command.ts';
import { good, listResult } from '../../output/document.ts';
import { serviceNames } from '../../wire/services.ts';

export default command({
  examples: ['lanyard profile list'],
  async run(_input, ctx) {
    const { active, profiles } = await ctx.profile.read();
    const rows = Object.entries(profiles).map(([name, profile]) => ({
      name,
      active: name === active,
      services: serviceNames.filter((service) => profile[service]?.address !== undefined),
    }));
    return listResult(rows, 'No profiles. Run `lanyard profile put` or `lanyard dev` to create one.', {
      NAME: (row) => row.name,
      ACTIVE: (row) => (row.active ? good('active') : ''),
      SERVICES: { shrinkPriority: 1, cell: (row) => row.services.join(', ') },
    });
  },
});
