import type { AccountRole } from '../../../api/accounts-access.ts';
import { command } from '../../../command/command.ts';
import { accountRole } from '../../../objects/account-access.ts';
import { diff } from '../../../output/diff.ts';
import { describeTakenName } from '../lib/access/create-named.ts';
import { findRoleId, roleArg, roleOf } from '../lib/access/find-named.ts';
import {
  atFlag,
  isWritten,
  labelChanges,
  nameScopeFlag,
  requireChanges,
  updateFlags,
  updateResult,
} from '../lib/access/label-update.ts';
import {
  grantScopeFlag,
  grantScopeIds,
  hasGrantScopes,
  setGrantScopesStep,
} from '../lib/access/role-steps.ts';
import { changeInSteps, type Step } from '../lib/access/steps.ts';
import { expectVersion, readCurrent } from '../lib/versioned.ts';

export default command({
  description:
    'Changes only the given fields; --grant-scope replaces all grant scopes. The role must still have the version that is read first, or the version of --at. "lanyard account role add-grants" and "add-principals" change the rest.',
  examples: [
    'lanyard account role update ops --name operators',
    'lanyard account role update operators --grant-scope this --grant-scope children',
    'lanyard account role update operators --unset description',
  ],
  service: 'accounts',
  writes: 'after reads',
  args: { role: roleArg },
  flags: {
    ...updateFlags(accountRole),
    grantScope: grantScopeFlag,
    scope: nameScopeFlag('role'),
    at: atFlag('role'),
  },
  async run({ args, flags }, ctx) {
    const labels = labelChanges(accountRole, flags);
    if (flags.grantScope.length === 0) requireChanges(labels);
    const id = await findRoleId(args.role, flags, ctx);
    const scopes = await grantScopeIds(flags.grantScope, ctx);
    const accounts = await ctx.api.accounts();
    const base = expectVersion(await readCurrent(roleOf(accounts, id)), flags.at);
    const { current, isStale } = base;
    const steps: Step<AccountRole>[] = [];
    if (Object.keys(labels).length > 0 && (isStale || !isWritten(current, labels)))
      steps.push({
        write: (guard) =>
          accounts
            .updateRole({ ...labels, ...guard })
            .catch(describeTakenName('role', labels.name ?? undefined)),
        isWritten: (now) => isWritten(now, labels),
        done: 'Updated the fields of the role.',
      });
    if (scopes.length > 0 && (isStale || !hasGrantScopes(current, scopes))) {
      const { command: _, ...step } = setGrantScopesStep(accounts, scopes);
      steps.push(step);
    }
    const after = await changeInSteps(ctx, base, steps);
    const shown = ({ name, description, grant_scope_ids }: AccountRole) => ({
      name: name || undefined,
      description: description || undefined,
      grant_scope_ids: grant_scope_ids?.toSorted(),
    });
    return updateResult('role', after, diff(shown(current), shown(after)));
  },
});
