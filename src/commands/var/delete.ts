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
  flags: { cas: casFlag('delete only if N is the current ModifyIndex') },
  async run({ args: { path }, flags: { cas } }, ctx) {
    checkPath(path);
    const namespace = await oneNamespace(ctx);
    await ctx.io.confirm(`Delete variable "${path}" in namespace "${namespace}"? This cannot be undone.`);
    const scheduler = await ctx.api.scheduler();
    // Without --cas, deleting a variable that does not exist succeeds; with --cas the service reports it.
    if (cas === undefined) await scheduler.readVariable({ path }).catch(missing(path)).catch(unlessForbidden);
    const answer = await settle(
      () =>
        scheduler
          .deleteVariable({ path, ...(cas === undefined ? {} : { cas }) })
          .catch(missing(path))
          .catch(conflicting(scheduler, { path, cas })),
      async () => ({ done: !(await find(scheduler, path)), found: 'the variable still exists' }),
    );
    return {
      data: answer?.body ?? null,
      document: [text('Deleted variable ', code(path), '.')],
    };
  },
});

/** Ignores a denied read: a token that may delete a variable may lack permission to read it. */
function unlessForbidden(error: unknown): void {
  if (!(error instanceof LanyardError) || error.kind !== 'forbidden') throw error;
}
