import { command, flag } from '../../../command/command.ts';
import { fieldsResult, strong } from '../../../output/document.ts';
import { compact } from '../../../wire/objects.ts';
import { checksOf, delayText, findSession, sessionArg } from '../lib/session.ts';

export default command({
  examples: ['lanyard registry session get adf4238a-882b-9ddc-4a9d-5b6758e4159e'],
  service: 'registry',
  args: { id: sessionArg },
  flags: { dc: flag.datacenter('datacenter') },
  async run({ args: { id }, flags }, ctx) {
    const session = await findSession(await ctx.api.registry(), id, compact({ dc: flags.dc }));
    return fieldsResult(session, [
      ['ID', [strong(session.ID)]],
      ['name', session.Name || undefined],
      ['node', session.Node],
      ['TTL', session.TTL || 'unlimited'],
      ['lock delay', delayText(session)],
      ['behavior', session.Behavior],
      ['checks', checksOf(session).join(', ')],
    ]);
  },
});
