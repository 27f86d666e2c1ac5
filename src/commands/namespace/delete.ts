import { isNamespaceInUse } from '../../api/conditions/scheduler.ts';
import { command } from '../../command/command.ts';
import { confirmWrite, describeAs, usage } from '../../errors.ts';
import { code, textResult } from '../../output/document.ts';
import { checkName, describeMissingNamespace, findNamespace, nameArg } from './lib/find-namespace.ts';

export default command({
  description: 'The namespace "default" cannot be deleted.',
  examples: ['lanyard namespace delete team-a'],
  service: 'scheduler',
  writes: true,
  args: { name: nameArg },
  async run({ args: { name } }, ctx) {
    checkName(name);
    if (name === 'default')
      throw usage('cannot delete namespace "default": it must always exist', { hint: 'Nothing was sent.' });
    const scheduler = await ctx.api.scheduler();
    await ctx.input.confirm(`Delete namespace "${name}"? This cannot be undone.`);
    await confirmWrite(
      () =>
        scheduler
          .deleteNamespace({ namespace: name })
          .catch(describeMissingNamespace(name))
          .catch(describeNotEmpty(name)),
      async () => ({ done: !(await findNamespace(scheduler, name)), found: 'the namespace still exists' }),
    );
    return textResult({ Name: name }, 'Deleted namespace ', code(name), '.');
  },
});

/** Explains why a namespace that is not empty cannot be deleted; the details of the service list its content. */
const describeNotEmpty = (name: string) =>
  describeAs(isNamespaceInUse, 'conflict', `cannot delete namespace "${name}": not empty`, {
    hint: `Run \`lanyard var list --namespace ${name}\` for its variables.`,
  });
