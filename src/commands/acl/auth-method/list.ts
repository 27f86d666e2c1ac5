import { command } from '../../../command/command.ts';
import { dcFlag, whereFrom } from '../lib/find.ts';
import { methodsView } from '../lib/method-views.ts';
import { byName } from '../lib/sort.ts';

export default command({
  examples: ['lanyard acl auth-method list'],
  service: 'registry',
  flags: { dc: dcFlag },
  async run({ flags }, ctx) {
    const { body } = await (await ctx.api.registry()).listAuthMethods(whereFrom(flags));
    const methods = (body ?? []).toSorted(byName);
    return { data: methods, rows: methods, document: methodsView(methods) };
  },
});
