import { command, showWarnings } from '../../cli/command.ts';
import { confirmWrite, isEmptyListError } from '../../errors.ts';
import { pathArg, rejectQuery } from './lib/path-query.ts';
import { doneView } from './lib/views.ts';

export default command({
  description: 'Asks before it deletes. Use "kv delete" for key-value secrets.',
  examples: ['lanyard secrets delete ssh/roles/deploy'],
  service: 'secrets',
  writes: true,
  args: { path: pathArg },
  flags: {},
  async run({ args: { path } }, ctx) {
    rejectQuery('DELETE', path);
    const secrets = await ctx.api.secrets();
    await ctx.input.confirm(`Delete ${path}? This cannot be undone.`);
    const response = await confirmWrite(
      () => secrets.remove({ path }),
      async () => {
        try {
          await secrets.read({ path });
          return { done: false, found: 'it still exists' };
        } catch (error) {
          return { done: isEmptyListError(error), found: 'it could not be read' };
        }
      },
    );
    showWarnings(ctx.output, response?.body);
    return { data: response?.body ?? null, document: doneView(response?.body, 'Deleted', path) };
  },
});
