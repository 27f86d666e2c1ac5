import { command } from '../../command.ts';
import { LanyardError, settle } from '../../errors.ts';
import { code, text } from '../../output/document.ts';
import { casFlag, checkPath, find, missing, oneNamespace, pathArg } from './shared.ts';
import { conflicting } from './write.ts';

export default command({
  examples: ['lanyard var delete app/db', 'lanyard var delete app/db --cas 42 --yes'],
  service: 'scheduler',
  writes: true,
  readsFirst: true,
  args: { path: pathArg },
  flags: { cas: casFlag('delete only if N is the ModifyIndex of what is there') },
  async run({ args: { path }, flags: { cas } }, ctx) {
    checkPath(path);
    const namespace = await oneNamespace(ctx);
    await ctx.io.confirm(`Delete the variable "${path}" of the namespace "${namespace}"?`);
    const scheduler = await ctx.api.scheduler();
    // A service deletes what is not there without a word. With --cas it says so itself.
    if (cas === undefined) await scheduler.readVariable({ path }).catch(missing(path)).catch(unlessForbidden);
    const answer = await settle(
      () =>
        scheduler
          .deleteVariable({ path, ...(cas === undefined ? {} : { cas }) })
          .catch(missing(path))
          .catch(conflicting(scheduler, { path, cas })),
      async () => ({ done: !(await find(scheduler, path)), found: 'the variable is still there' }),
    );
    return {
      data: answer?.body ?? null,
      document: [text('The variable ', code(path), ' is deleted.')],
    };
  },
});

/** Who may delete a variable may not be one who may read it. */
function unlessForbidden(error: unknown): void {
  if (!(error instanceof LanyardError) || error.kind !== 'forbidden') throw error;
}
