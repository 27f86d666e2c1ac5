import { command, flag } from '../../../command/command.ts';
import { fields, strong } from '../../../output/document.ts';
import { compact } from '../../../wire/objects.ts';
import { checksOf, delayText, findSession, sessionArg } from '../lib/session.ts';

export default command({
  examples: ['lanyard registry session get adf4238a-882b-9ddc-4a9d-5b6758e4159e'],
  service: 'registry',
  args: { id: sessionArg },
  flags: { dc: flag.datacenter('datacenter') },
  async run({ args: { id }, flags }, ctx) {
    const session = await findSession(await ctx.api.registry(), id, compact({ dc: flags.dc }));
    return {
      data: session,
      document: [
        fields([
          ['ID', [strong(session.ID)]],
          ...(session.Name ? [['name', session.Name] as const] : []),
          ['node', session.Node],
          ['TTL', session.TTL || 'unlimited'],
          ['lock delay', delayText(session)],
          ['behavior', session.Behavior],
          ['checks', checksOf(session).join(', ')],
        ]),
      ],
    };
  },
});
