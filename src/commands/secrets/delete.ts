import { command, passWarnings } from '../../command.ts';
import { isNothing, settle } from '../../errors.ts';
import { pathArg, refuseQuery } from './shared.ts';
import { doneView } from './views.ts';

export default command({
  description: 'Asks before it deletes. Use "kv delete" for key-value secrets.',
  examples: ['lanyard secrets delete ssh/roles/deploy'],
  service: 'secrets',
  writes: true,
  args: { path: pathArg },
  flags: {},
  async run({ args: { path } }, ctx) {
    refuseQuery('DELETE', path);
    const secrets = await ctx.api.secrets();
    await ctx.io.confirm(`Delete ${path}? This cannot be undone.`);
    const answer = await settle(
      () => secrets.remove({ path }),
      async () => {
        try {
          await secrets.read({ path });
          return { done: false, found: 'it still exists' };
        } catch (error) {
          return { done: isNothing(error), found: 'it could not be read' };
        }
      },
    );
    passWarnings(ctx.io, answer?.body);
    return { data: answer?.body ?? null, document: doneView(answer?.body, 'Deleted', path) };
  },
});
