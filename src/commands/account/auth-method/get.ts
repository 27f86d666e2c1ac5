import { arg, command } from '../../../command/command.ts';
import { fieldsResult, strong } from '../../../output/document.ts';
import { timestampText } from '../../../output/humanize.ts';
import { findMethodId } from '../lib/access/find-named.ts';
import { nameScopeFlag } from '../lib/access/label-update.ts';
import { resolveAuthMethod } from '../lib/auth-method.ts';
import { describeMissingMethod } from '../lib/errors.ts';
import { withoutScope } from '../lib/own-token.ts';
import { attributeRows } from '../lib/views.ts';

export default command({
  description:
    'Without METHOD, shows the auth method of BOUNDARY_AUTH_METHOD_ID or of the profile, else the primary one of the global scope.',
  examples: [
    'lanyard account auth-method get',
    'lanyard account auth-method get staff --scope team-a',
    'lanyard account auth-method get ampw_1234567890 --field attributes.min_password_length',
  ],
  service: 'accounts',
  args: {
    method: arg.optional('METHOD', 'name or ID, such as staff or ampw_1234567890', {
      completes: 'account-auth-method',
    }),
  },
  flags: { scope: nameScopeFlag('method') },
  async run({ args: { method }, flags }, ctx) {
    const id =
      method === undefined ? await resolveAuthMethod(method, ctx) : await findMethodId(method, flags, ctx);
    const accounts = await ctx.api.accounts();
    const { body } = await accounts.readAuthMethod({ id }).catch(describeMissingMethod(id));
    const result = fieldsResult(body, [
      ['ID', [strong(body.id)]],
      ['name', body.name || undefined],
      ['description', body.description || undefined],
      ['type', body.type || undefined],
      ['scope', body.scope_id || undefined],
      ['primary', body.is_primary ? 'yes' : 'no'],
      ['created', timestampText(body.created_time)],
      ['updated', timestampText(body.updated_time)],
      ...attributeRows(body),
    ]);
    return { ...result, payload: withoutScope(body) };
  },
});
