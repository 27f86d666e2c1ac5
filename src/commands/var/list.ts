import type { VariableMetadata } from '../../api/scheduler.ts';
import { command, flag } from '../../command.ts';
import { pagesOf } from './pages.ts';
import { variablesView } from './views.ts';

export default command({
  description:
    'Without --per-page the service gives all of them at once. --all asks page by page; with -o jsonl each page is written as it comes. --namespace "*" lists those of every namespace that the token may see.',
  examples: [
    'lanyard var list --prefix app/',
    `lanyard var list --namespace '*' --filter 'Path contains "db"'`,
    'lanyard var list --all -o jsonl',
  ],
  service: 'scheduler',
  args: {},
  flags: {
    prefix: flag.text('TEXT', 'only those whose paths begin so'),
    filter: flag.text('EXPR', 'only those of which a filter expression is true'),
    perPage: flag.integer('N', 'at most N; the token for what follows is said'),
    nextToken: flag.text('TOKEN', 'go on where a page ended'),
    all: flag.boolean('page after page, to the end'),
  },
  async run({ flags }, ctx) {
    const scheduler = await ctx.api.scheduler();
    const asked = {
      ...(flags.prefix === undefined ? {} : { prefix: flags.prefix }),
      ...(flags.filter === undefined ? {} : { filter: flags.filter }),
      ...(flags.perPage === undefined ? {} : { per_page: flags.perPage }),
      ...(flags.nextToken === undefined ? {} : { next_token: flags.nextToken }),
    };
    const found: VariableMetadata[] = [];
    let isKept = true;
    for await (const { variables, next } of pagesOf(scheduler, asked, flags.all)) {
      if (next !== undefined && !flags.all) ctx.io.note(`There are more: --next-token ${next}, or --all.`);
      const shown = await ctx.showPart({ data: variables, rows: variables, document: [] });
      if (shown === 'gone') return undefined;
      isKept = shown === 'kept';
      if (isKept) found.push(...variables);
    }
    if (!isKept) return undefined;
    return { data: found, rows: found, document: variablesView(found) };
  },
});
