import { command, showWarnings } from '../../command/command.ts';
import { confirmDelete } from '../../errors.ts';
import { pathArg, rejectQuery } from './lib/path-query.ts';
import { doneView } from './lib/views.ts';

export default command({
  description: 'Prompts for confirmation. Use "kv delete" for key-value secrets.',
  examples: ['lanyard secrets delete ssh/roles/deploy'],
  service: 'secrets',
  writes: true,
  changes: ['secrets'],
  args: { path: pathArg },
  async run({ args: { path } }, ctx) {
    rejectQuery('DELETE', path);
    const secrets = await ctx.api.secrets();
    await ctx.input.confirm(`Delete ${path}? This cannot be undone.`);
    const response = await confirmDelete(
      () => secrets.remove({ path }),
      () => secrets.read({ path }),
      'it',
    );
    showWarnings(ctx.output, response?.body);
    return { data: response?.body ?? null, document: doneView(response?.body, 'Deleted', path) };
  },
});
