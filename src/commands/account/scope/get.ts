import { command } from '../../../command/command.ts';
import { scopeResult } from '../lib/access/views.ts';
import { describeMissingScope } from '../lib/errors.ts';
import { findScopeId, scopeArg } from '../lib/find-scope.ts';

export default command({
  examples: [
    'lanyard account scope get global',
    'lanyard account scope get team-a/shop --field id',
    'lanyard account scope get o_1234567890',
  ],
  service: 'accounts',
  args: { scope: scopeArg },
  async run({ args }, ctx) {
    const id = await findScopeId(args.scope, ctx);
    const { body } = await (await ctx.api.accounts()).readScope({ id }).catch(describeMissingScope(id));
    return scopeResult(body);
  },
});
