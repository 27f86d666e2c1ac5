import { unknownSelectorOf } from '../../api/conditions.ts';
import type { VariableMetadata } from '../../api/scheduler.ts';
import { command, flag } from '../../command.ts';
import { LanyardError } from '../../errors.ts';
import { pagesOf } from './pages.ts';
import { variablesView } from './views.ts';

export default command({
  description:
    'Without --per-page the service gives all of them at once. --all asks page by page; with -o jsonl each page is written as it comes. --namespace "*" lists those of every namespace that the token may see.',
  examples: [
    'lanyard var list --prefix app/',
    `lanyard var list --namespace '*' --filter 'VariableMetadata.Path contains "db"'`,
    'lanyard var list --all -o jsonl',
  ],
  service: 'scheduler',
  args: {},
  flags: {
    prefix: flag.text('TEXT', 'only those whose paths begin so'),
    filter: flag.text('EXPR', 'filter expression, such as VariableMetadata.Path contains "db"'),
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
    const pages = pagesOf(scheduler, asked, flags.all, correcting(flags.filter));
    for await (const { variables, next } of pages) {
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

const fields = ['Namespace', 'Path', 'CreateIndex', 'ModifyIndex', 'CreateTime', 'ModifyTime'];

/** Nomad knows the fields of a variable by their full names only: corrects an expression that has them bare. */
const correcting =
  (filter: string | undefined) =>
  (error: unknown): never => {
    const [selector = ''] = unknownSelectorOf(error) ?? [];
    if (filter === undefined || selector === '' || !(error instanceof LanyardError)) throw error;
    const hint = fields.includes(selector)
      ? `Use the full names of fields: --filter '${qualified(filter).replaceAll("'", `'\\''`)}'`
      : `The fields are ${fields.map((name) => `VariableMetadata.${name}`).join(', ')}.`;
    throw new LanyardError(error.kind, error.message, { ...error, hint });
  };

// A text in quotes, or the bare name of a field: one that follows no period.
const textOrField = new RegExp(
  `"(?:[^"\\\\]|\\\\.)*"|\`[^\`]*\`|(?<![\\w./-])(${fields.join('|')})(?![\\w-])`,
  'g',
);

const qualified = (filter: string): string =>
  filter.replaceAll(textOrField, (found, field?: string) =>
    field === undefined ? found : `VariableMetadata.${field}`,
  );
