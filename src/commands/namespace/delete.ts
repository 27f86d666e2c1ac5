import { isNamespaceInUse } from '../../api/conditions.ts';
import { command } from '../../command.ts';
import { LanyardError, settle, usage } from '../../errors.ts';
import { code, text } from '../../output/document.ts';
import { checkName, find, missing, nameArg } from './shared.ts';

export default command({
  description: 'Only an empty namespace can be deleted, and the namespace "default" never.',
  examples: ['lanyard namespace delete team-a'],
  service: 'scheduler',
  writes: true,
  args: { name: nameArg },
  flags: {},
  async run({ args: { name } }, ctx) {
    checkName(name);
    if (name === 'default')
      throw usage('the namespace "default" cannot be deleted', { hint: 'Nothing was sent.' });
    const scheduler = await ctx.api.scheduler();
    await ctx.io.confirm(`Delete the namespace "${name}"?`);
    await settle(
      () => scheduler.deleteNamespace({ namespace: name }).catch(missing(name)).catch(occupied(name)),
      async () => ({ done: !(await find(scheduler, name)), found: 'the namespace is still there' }),
    );
    return { data: { Name: name }, document: [text('The namespace ', code(name), ' is deleted.')] };
  },
});

/** What is in the namespace stands in the way: the service lists it. */
const occupied =
  (name: string) =>
  (error: unknown): never => {
    if (!isNamespaceInUse(error)) throw error;
    throw new LanyardError('conflict', `the namespace "${name}" is not empty, and was not deleted`, {
      ...{ service: error.service, status: error.status, details: error.details },
      hint: `"lanyard var list --namespace ${name}" shows its variables.`,
    });
  };
