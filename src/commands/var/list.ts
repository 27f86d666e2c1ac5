import { unknownSelectorOf } from '../../api/conditions/scheduler.ts';
import type { VariableMetadata } from '../../api/scheduler.ts';
import { command, flag } from '../../command/command.ts';
import { isWatching, watchFlags } from '../../command/watch-flags.ts';
import { LanyardError } from '../../errors.ts';
import { showChanges } from '../../watch/show-changes.ts';
import { readPages } from './lib/read-pages.ts';
import { variablesSource } from './lib/variable-source.ts';
import { variablesResult } from './lib/views.ts';

export default command({
  description:
    'Without --per-page the service returns all variables at once. --all requests page by page; with "-o jsonl" each page is printed when it arrives. --namespace "*" lists all namespaces that the token can read.',
  examples: [`lanyard var list --namespace '*' --filter 'VariableMetadata.Path contains "db"'`],
  service: 'scheduler',
  flags: {
    prefix: flag.text('TEXT', 'only paths with this prefix', { completes: 'variable' }),
    filter: flag.text('EXPR', 'filter expression, such as VariableMetadata.Path contains "db"'),
    perPage: flag.integer('N', 'maximum number of variables; a note shows the token of the next page'),
    nextToken: flag.text('TOKEN', 'token of the page to request'),
    all: flag.boolean('request all pages'),
    ...watchFlags,
  },
  async run({ flags }, ctx) {
    const { prefix, filter, perPage, nextToken, all } = flags;
    if (isWatching(flags, { 'per-page': perPage, 'next-token': nextToken, all })) {
      const scheduler = await ctx.api.scheduler({ retries: 0 });
      const source = variablesSource(scheduler, { prefix, filter }, describeFilterError(filter));
      return showChanges(ctx, source, flags, {
        result: variablesResult,
        absent: 'no variables exist',
      });
    }
    const scheduler = await ctx.api.scheduler();
    const requested = { prefix, filter, per_page: perPage, next_token: nextToken };
    const found: VariableMetadata[] = [];
    let isCollected = true;
    const pages = readPages(scheduler, requested, all, describeFilterError(filter));
    for await (const { items: variables, next } of pages) {
      if (next !== undefined && !all)
        ctx.output.note(`More variables exist: use --next-token ${next} or --all.`);
      const shown = await ctx.output.showPartial({ data: variables, rows: variables, document: [] });
      if (shown === 'closed') return undefined;
      isCollected = shown === 'unsupported';
      if (isCollected) found.push(...variables);
    }
    return isCollected ? variablesResult(found) : undefined;
  },
});

const fields = ['Namespace', 'Path', 'CreateIndex', 'ModifyIndex', 'CreateTime', 'ModifyTime'];

/** Corrects a filter with short field names; Nomad only knows the full names. */
const describeFilterError =
  (filter: string | undefined) =>
  (error: unknown): never => {
    const [selector = ''] = unknownSelectorOf(error) ?? [];
    if (filter === undefined || selector === '' || !(error instanceof LanyardError)) throw error;
    const hint = fields.includes(selector)
      ? `Use full field names: --filter '${qualifyFields(filter).replaceAll("'", `'\\''`)}'`
      : `Valid fields: ${fields.map((name) => `VariableMetadata.${name}`).join(', ')}.`;
    throw error.withHint(hint);
  };

const operatorAhead = String.raw`(?=\s*(?:==|!=|(?:in|not|contains|matches|is)\b))`;

// A field as a JSON pointer before an operator or after "in", a quoted string, or a field name without a period before it.
const textOrField = new RegExp(
  [
    `"/(${fields.join('|')})"${operatorAhead}`,
    `(?<=\\bin\\s+)"/(${fields.join('|')})"`,
    String.raw`"(?:[^"\\]|\\.)*"`,
    '`[^`]*`',
    `(?<![\\w./-])(${fields.join('|')})(?![\\w-])`,
  ].join('|'),
  'g',
);

const qualifyFields = (filter: string): string =>
  filter.replaceAll(textOrField, (found, pointer?: string, searched?: string, field?: string) => {
    if (field !== undefined) return `VariableMetadata.${field}`;
    const quoted = pointer ?? searched;
    return quoted === undefined ? found : `"/VariableMetadata/${quoted}"`;
  });
