import { isMissingSchedulerToken } from '../../../../api/conditions/scheduler.ts';
import { command } from '../../../../command/command.ts';
import { deleteObject } from '../../../../command/delete-object.ts';
import { describeMissingToken, findToken, redacted, tokenArg } from '../../lib/tokens.ts';
import { grants } from '../../lib/views.ts';

export default command({
  description: 'Programs that use the token lose access at once.',
  examples: ['lanyard scheduler acl token delete 6a1253d2', 'lanyard scheduler acl token delete ci --yes'],
  service: 'scheduler',
  writes: 'after reads',
  args: { token: tokenArg },
  async run({ args }, ctx) {
    const scheduler = await ctx.api.scheduler();
    const token = await findToken(scheduler, args.token);
    const { AccessorID: accessor, Name } = token;
    const title = Name ? `${accessor} (${Name})` : accessor;
    return deleteObject(ctx, 'token', accessor, {
      prompt: `Delete token ${title}, with ${grants(token)}?`,
      remove: () => scheduler.deleteToken({ accessor }).catch(describeMissingToken(args.token)),
      read: () => scheduler.readToken({ accessor }),
      isMissing: isMissingSchedulerToken,
      data: () => redacted(token),
    });
  },
});
