import { arg, command, flag } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import { usage } from '../../errors.ts';
import type { Items } from '../../io/variable-file.ts';
import { dim, raw, reportTable, text } from '../../output/document.ts';
import { countText } from '../../output/humanize.ts';
import { formatJson } from '../../wire/json.ts';
import { collectVariables } from './lib/collection.ts';
import { requireNamespace } from './lib/variable.ts';

const exportFormat = flag.choice(['json', 'yaml'], 'format of the files (default json)');

export default command({
  description:
    'Writes the items of each variable, unencrypted, to a file of mode 0600: app/db to DIR/app/db.json. If an existing file differs, nothing is written unless --force is given; files of deleted variables are unchanged. "var import" reads the files; "-" writes one object of all variables to standard output.',
  examples: [
    'lanyard var export variables',
    'lanyard var export backup --prefix app/ --format yaml --force',
    'lanyard var export - --prefix app/',
  ],
  service: 'scheduler',
  waitsForRateLimits: true,
  changes: ['files'],
  args: {
    dir: arg.text('DIR|-', 'directory; created if missing; - for standard output', {
      completes: 'directory',
    }),
  },
  flags: {
    prefix: flag.text('TEXT', 'only paths with this prefix', { completes: 'variable' }),
    format: exportFormat,
    force: flag.boolean('overwrite files that differ'),
  },
  async run({ args: { dir }, flags }, ctx) {
    await requireNamespace(ctx);
    const variables = await collectVariables(await ctx.api.scheduler(), { prefix: flags.prefix }, ctx);
    const format = flags.format ?? 'json';
    if (dir === '-') {
      const all = Object.fromEntries(variables);
      return { data: all, document: [raw(await textOf(all, format, ctx))] };
    }
    await ctx.files.createDirectories(
      dir,
      [...variables.keys()].filter((path) => path.includes('/')).map((path) => path.replace(/\/[^/]*$/, '')),
    );
    const files: Exported[] = [];
    for (const [path, items] of variables) {
      const file = `${dir.replace(/\/+$/, '')}/${path}.${format}`;
      const content = await textOf(items, format, ctx);
      files.push({ path, file, content, action: await exportAction(file, content, ctx) });
    }
    const different = files.filter(({ action }) => action === 'replaced');
    if (different.length > 0 && !flags.force)
      throw usage(`${countText(different.length, 'file')} would be overwritten; nothing was written`, {
        details: different.map(({ file }) => file),
        hint: `Use --force to overwrite them. Run \`lanyard var diff --with ${dir}\` to see the differences.`,
      });
    const written = files.filter(({ action }) => action !== 'unchanged');
    await ctx.files.write(
      written.map(({ file, content }) => ({ path: file, content, replace: flags.force })),
    );
    const rows = files.map(({ path, file, action }) => ({ path, file, action }));
    return {
      data: rows,
      rows,
      document: [
        text(`Wrote ${countText(written.length, 'file')} for ${countText(files.length, 'variable')}.`),
        reportTable(
          ['FILE', 'ACTION'],
          rows.map(({ file, action }) => [file, action === 'unchanged' ? [dim(action)] : action]),
        ),
      ],
    };
  },
});

interface Exported {
  readonly path: string;
  readonly file: string;
  readonly content: string;
  readonly action: 'written' | 'replaced' | 'unchanged';
}

const textOf = async (
  items: Items | Readonly<Record<string, Items>>,
  format: 'json' | 'yaml',
  ctx: Context,
): Promise<string> =>
  format === 'json' ? `${formatJson(items, 2)}\n` : ctx.input.yamlEditor.stringify(items);

async function exportAction(file: string, content: string, { files }: Context): Promise<Exported['action']> {
  if (!(await files.exists(file))) return 'written';
  await files.checkWritable([{ path: file, replace: true }]);
  const bytes = await files.readBytes(file, 'the file', 1024 * 1024);
  return Buffer.from(content).equals(bytes) ? 'unchanged' : 'replaced';
}
