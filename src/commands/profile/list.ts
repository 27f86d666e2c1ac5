import { command } from '../../command/command.ts';
import { good, table } from '../../output/document.ts';
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
    return {
      data: rows,
      rows,
      document: [
        table(
          ['NAME', 'ACTIVE', { title: 'SERVICES', shrinkPriority: 1 }],
          rows.map((row) => [row.name, row.active ? good('active') : '', row.services.join(', ')]),
          'No profiles. Run `lanyard profile put` or `lanyard dev` to create one.',
        ),
      ],
    };
  },
});
