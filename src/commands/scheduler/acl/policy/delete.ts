import { command } from '../../../../command/command.ts';
import { deleteObject } from '../../../../command/delete-object.ts';
import { isNotFound } from '../../../../errors.ts';
import { jobText } from '../../lib/job.ts';
import { findPolicy, policyArg } from '../../lib/policies.ts';

export default command({
  description: 'Tokens, roles and jobs that have the policy lose its permissions at once.',
  examples: ['lanyard scheduler acl policy delete web', 'lanyard scheduler acl policy delete ops --yes'],
  service: 'scheduler',
  writes: 'after reads',
  args: { policy: policyArg },
  async run({ args: { policy: name } }, ctx) {
    const scheduler = await ctx.api.scheduler();
    const job = jobText((await findPolicy(scheduler, name)).JobACL);
    const users = job === undefined ? 'Tokens and roles' : `Tokens, roles and the job ${job}`;
    return deleteObject(ctx, 'policy', name, {
      prompt: `Delete policy "${name}"? ${users} lose its permissions.`,
      remove: () => scheduler.deletePolicy({ name }),
      read: () => scheduler.readPolicy({ name }),
      isMissing: isNotFound,
      data: () => ({ Name: name }),
    });
  },
});
