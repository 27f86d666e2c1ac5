import { arg, command } from '../../command/command.ts';
import { dcFlag } from './lib/find.ts';
import { redacted } from './lib/find-token.ts';
import { permissionsView } from './lib/permission-views.ts';
import { readPermissions } from './lib/permissions.ts';

export default command({
  description:
    'Shows the policies, roles, identities and templated policies of a token and the resulting rules. For one name, deny overrides other rules; a longer prefix overrides shorter ones. Without acl:read, only the names of the policies are shown.',
  examples: ['lanyard acl explain', 'lanyard acl explain anonymous', 'lanyard acl explain 6a1253d2 -o json'],
  service: 'registry',
  args: {
    token: arg.optional('TOKEN', 'accessor ID or unique prefix (default: the current token)', {
      completes: 'acl-token',
    }),
  },
  flags: { dc: dcFlag },
  async run({ args, flags }, ctx) {
    const permissions = await readPermissions(args.token, flags.dc, ctx);
    for (const problem of [...permissions.gaps, ...permissions.notes]) ctx.output.warn(problem);
    const { token, grants, rules, defaultPolicy, gaps } = permissions;
    return {
      data: {
        token: redacted(token),
        grants: grants.map(({ rules: _rules, role = null, ...grant }) => ({ ...grant, role })),
        rules: rules.map(({ resource, isPrefix, name, access, from }) => ({
          resource,
          match: isPrefix ? 'prefix' : 'exact',
          name,
          access,
          from,
        })),
        defaultPolicy,
        complete: gaps.length === 0,
      },
      document: permissionsView(permissions),
    };
  },
});
