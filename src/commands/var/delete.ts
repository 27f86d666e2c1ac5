import { command } from '../../command/command.ts';
import { confirmWrite, insteadOf, isForbidden } from '../../errors.ts';
import { code, textResult } from '../../output/document.ts';
import {
  casFlag,
  checkExistingPath,
  findVariable,
  pathArg,
  requireNamespace,
  variableNotFoundError,
} from './lib/variable.ts';
import { describeConflict } from './lib/write-variable.ts';

export default command({
  examples: ['lanyard var delete app/db', 'lanyard var delete app/db --cas 42 --yes'],
  service: 'scheduler',
  writes: 'after reads',
  args: { path: pathArg },
  flags: { cas: casFlag('delete only if N is the current ModifyIndex') },
  async run({ args: { path }, flags: { cas } }, ctx) {
    checkExistingPath(path);
    const namespace = await requireNamespace(ctx);
    await ctx.input.confirm(`Delete variable "${path}" in namespace "${namespace}"? This cannot be undone.`);
    const scheduler = await ctx.api.scheduler();
    // Without --cas, deleting a variable that does not exist succeeds; with --cas the service reports it. A token that
    // may delete a variable may lack permission to read it.
    if (cas === undefined)
      await scheduler
        .readVariable({ path })
        .catch(variableNotFoundError(path))
        .catch(insteadOf(isForbidden, undefined));
    const response = await confirmWrite(
      () =>
        scheduler
          .deleteVariable({ path, cas })
          .catch(variableNotFoundError(path))
          .catch(describeConflict(scheduler, { path, cas })),
      async () => ({ done: !(await findVariable(scheduler, path)), found: 'the variable still exists' }),
    );
    return textResult(response?.body ?? null, 'Deleted variable ', code(path), '.');
  },
});
