import { command, flag } from '../../cli/command.ts';
import {
  checkPath,
  itemsOf,
  maskItems,
  pathArg,
  requireNamespace,
  variableNotFoundError,
} from './lib/variable.ts';
import { variableView } from './lib/views.ts';

export default command({
  description:
    'Text output hides the values unless --reveal is given; other formats and --field include them. The formats env, dotenv and github-env contain only the items.',
  examples: [
    'lanyard var get app/db --reveal',
    'lanyard var get app/db --field Items.password',
    'lanyard var get app/db -o env > db.env',
  ],
  service: 'scheduler',
  args: { path: pathArg },
  flags: { reveal: flag.boolean('show the values') },
  async run({ args: { path }, flags: { reveal } }, ctx) {
    checkPath(path);
    await requireNamespace(ctx);
    const scheduler = await ctx.api.scheduler();
    const { body } = await scheduler.readVariable({ path }).catch(variableNotFoundError(path));
    const items = itemsOf(body);
    maskItems(ctx.output, items);
    const variable = body.Items ? { ...body, Items: items } : body;
    return { data: variable, payload: items, document: variableView(variable, reveal) };
  },
});
