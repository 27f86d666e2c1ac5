import { command } from '../../command.ts';
import { settle } from '../../errors.ts';
import { code, text } from '../../output/document.ts';
import { casFlag, checkPath, find, missing, oneNamespace, pathArg } from './shared.ts';
import { conflicting } from './write.ts';

export default command({
  examples: ['lanyard var delete app/db', 'lanyard var delete app/db --cas 42 --yes'],
  service: 'scheduler',
  writes: true,
  args: { path: pathArg },
  flags: { cas: casFlag('delete only if N is the ModifyIndex of what is there') },
  async run({ args: { path }, flags: { cas } }, ctx) {
    checkPath(path);
    const namespace = await oneNamespace(ctx);
    await ctx.io.confirm(`Delete the variable "${path}" of the namespace "${namespace}"?`);
    const scheduler = await ctx.api.scheduler();
    const answer = await settle(
      () =>
        scheduler
          .deleteVariable({ path, ...(cas === undefined ? {} : { cas }) })
          .catch(missing(path))
          .catch(conflicting({ path, cas })),
      async () => ({ done: !(await find(scheduler, path)), found: 'the variable is still there' }),
    );
    return {
      data: answer?.body ?? null,
      document: [text('The variable ', code(path), ' is deleted.')],
    };
  },
});
