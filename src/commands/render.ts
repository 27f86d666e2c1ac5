import { arg, command, flag } from '../command/command.ts';
import type { Context } from '../command/context.ts';
import { LanyardError, usage } from '../errors.ts';
import { raw } from '../output/document.ts';
import type { Result } from '../output/result.ts';
import { watchOptions } from '../watch/show-changes.ts';
import { afterChange, afterChangeFlags, checkAfterChange } from './render/lib/after-change.ts';
import { diffBlocks, fileResults, fileTable, planFiles, writePlanned } from './render/lib/files.ts';
import { withoutValues } from './render/lib/hidden.ts';
import { keepRendered } from './render/lib/keep-rendered.ts';
import { type Rendered, RequestedValues, renderAll } from './render/lib/rendering.ts';
import { fileFlags, fileSettings, parseTargets } from './render/lib/targets.ts';
import { sourceNames } from './render/lib/values.ts';
import { parseDebounce } from './run/lib/watch-flags.ts';

export default command({
  description:
    'Replaces the expressions of a template, such as {{ ("secret/app/db" | kv).password }}, by secrets, keys, variables and services, and writes the text to FILE, or to standard output. If a value is missing, no file is written; a file with the same content is unchanged. See "lanyard help templates".',
  examples: [
    'lanyard render app.env.liquid',
    'lanyard render app.env.liquid:app.env nginx.conf.liquid:nginx.conf --dry-run',
    "lanyard render nginx.conf.liquid:nginx.conf --mode 0644 --watch --exec 'nginx -s reload'",
  ],
  writes: 'after reads',
  changes: ['files', 'secrets lease'],
  handlesSignals: true,
  args: {
    templates: arg.rest('TEMPLATE[:FILE]', 'template file, - for standard input, and the file to write', 1, {
      completes: 'file',
    }),
  },
  flags: {
    ...fileFlags,
    watch: flag.boolean('write the files again at each change of a value, until interrupted', { short: 'w' }),
    ...afterChangeFlags,
    debounce: flag.parsed(
      'MIN[:MAX]',
      'with --watch: wait until values are unchanged for MIN, at most MAX (default 2s:10s)',
      parseDebounce,
    ),
    interval: flag.duration('with --watch: time between reads of a secret (default 5s)'),
  },
  async run({ args, flags }, ctx) {
    const targets = parseTargets(args.templates);
    const files = targets.flatMap(({ file }) => (file === undefined ? [] : [file]));
    if (files.length === 0) rejectFileFlags(flags);
    if (!flags.watch && (flags.debounce !== undefined || flags.interval !== undefined))
      throw usage('--debounce and --interval require --watch');
    checkAfterChange(flags);
    watchOptions(ctx, flags);
    const settings = await fileSettings(flags, ctx);
    await ctx.files.checkWritable(files.map((path) => ({ path, replace: true })));
    const names = targets.map(({ template }) => template);
    const templates = await ctx.input.readTemplates(names, sourceNames);
    const values = new RequestedValues(ctx, flags.watch ? { signal: ctx.system.signal } : undefined);
    const rendered = await renderAll(templates, values);
    const [first] = rendered;
    if (files.length === 0 && first) return textResult(first, values, ctx);
    const plan = (all: readonly Rendered[]) =>
      planFiles(
        all.flatMap((each, index) => ({ rendered: each, file: files[index] ?? '' })),
        settings,
        ctx,
      );
    const planned = await plan(rendered);
    const results = { data: fileResults(planned), rows: fileResults(planned) };
    if (ctx.output.isDryRun)
      return { ...results, document: await diffBlocks(planned, values), isDryRun: true };
    const write = async (all: typeof planned): Promise<void> => {
      const written = await writePlanned(all, ctx);
      if (flags.watch) for (const { file, change } of written) ctx.output.note(`${change} ${file}`);
      if (written.length > 0) await afterChange(flags, ctx).catch(flags.watch ? warnOf(ctx) : undefined);
    };
    await write(planned);
    if (!flags.watch) return { ...results, document: [fileTable(planned)] };
    const update = async () => write(await plan(await renderAll(templates, values)));
    const { debounce = { minMs: 2000, maxMs: 10_000 }, interval } = flags;
    return { exitCode: await keepRendered({ values, update, debounce, interval }, ctx) };
  },
});

/** A text that was rendered to standard output. */
interface RenderedText {
  /** The template: a path, or "standard input". */
  readonly template: string;
  readonly text: string;
}

/** The text for standard output; in a dry run without values of secrets. */
async function textResult(
  rendered: Rendered,
  values: RequestedValues,
  { output }: Context,
): Promise<Result<RenderedText>> {
  const text = output.isDryRun ? await withoutValues(rendered, values) : rendered.text;
  const result = { data: { template: rendered.template.name, text }, document: [raw(text)] };
  return output.isDryRun ? { ...result, isDryRun: true } : result;
}

/** @throws LanyardError usage: a flag that requires a file. */
function rejectFileFlags(flags: Readonly<Record<string, unknown>>): void {
  const given = ['watch', 'mode', 'owner', 'exec', 'signal'].find(
    (name) => flags[name] !== undefined && flags[name] !== false,
  );
  if (given !== undefined) throw usage(`--${given} requires TEMPLATE:FILE`);
}

/** For what fails after the files were written, while they are watched. */
const warnOf =
  ({ output }: Context) =>
  (error: unknown): void => {
    if (!(error instanceof LanyardError)) throw error;
    output.warn(`${error.message}; it is repeated at the next change`);
  };
