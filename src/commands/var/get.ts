import type { Variable } from '../../api/scheduler.ts';
import { command, flag } from '../../command/command.ts';
import { isWatching, watchFlags } from '../../command/watch-flags.ts';
import type { Result } from '../../output/result.ts';
import { showChanges } from '../../watch/show-changes.ts';
import {
  checkExistingPath,
  itemsOf,
  maskItems,
  pathArg,
  requireNamespace,
  variableNotFoundError,
} from './lib/variable.ts';
import { variableSource } from './lib/variable-source.ts';
import { variableView } from './lib/views.ts';

export default command({
  description:
    'Text output hides the values unless --reveal is given; other formats and --field include them. The formats env, dotenv and github-env contain only the items.',
  examples: [
    'lanyard var get app/db --reveal',
    'lanyard var get app/db --field Items.password',
    'lanyard var get app/db -o env > db.env',
    'lanyard var get app/db --watch -o jsonl',
  ],
  service: 'scheduler',
  args: { path: pathArg },
  flags: { reveal: flag.boolean('show the values'), ...watchFlags },
  async run({ args: { path }, flags }, ctx) {
    checkExistingPath(path);
    const isWatched = isWatching(flags);
    await requireNamespace(ctx);
    const result = (variable: Variable): Result<Variable> => {
      const items = itemsOf(variable);
      maskItems(ctx.output, items);
      const data = variable.Items ? { ...variable, Items: items } : variable;
      return { data, payload: items, document: variableView(data, flags.reveal) };
    };
    if (isWatched) {
      const scheduler = await ctx.api.scheduler({ retries: 0 });
      const absent = `variable "${path}" does not exist`;
      return showChanges(ctx, variableSource(scheduler, path), flags, { result, absent });
    }
    const scheduler = await ctx.api.scheduler();
    return result((await scheduler.readVariable({ path }).catch(variableNotFoundError(path))).body);
  },
});
