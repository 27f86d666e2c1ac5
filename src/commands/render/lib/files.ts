import type { Context } from '../../../command/context.ts';
import { type Block, bad, code, dim, good, reportTable, text } from '../../../output/document.ts';
import { diffLines, withContext } from '../../../output/line-diff.ts';
import { withoutValues } from './hidden.ts';
import type { Rendered, RequestedValues } from './rendering.ts';
import type { FileSettings } from './targets.ts';

/** Bytes of an existing file. */
const maxBytes = 64 * 1024 * 1024;

/** What was done with a file, or would be done. */
export interface RenderedFile {
  /** The template: a path, or "standard input". */
  readonly template: string;
  /** The file, as given. */
  readonly file: string;
  /** `created`, `changed` (content, mode or owner), or `unchanged`: it was not written. */
  readonly change: 'created' | 'changed' | 'unchanged';
}

interface Planned extends RenderedFile {
  readonly rendered: Rendered;
  /** Undefined: it does not exist. */
  readonly before: string | undefined;
  readonly attributes: FileSettings;
}

/** Compares rendered texts with their files. */
export const planFiles = (
  all: readonly { readonly rendered: Rendered; readonly file: string }[],
  settings: FileSettings,
  { files }: Pick<Context, 'files'>,
): Promise<readonly Planned[]> =>
  Promise.all(
    all.map(async ({ rendered, file }): Promise<Planned> => {
      const existing = await files.attributes(file);
      const mode = settings.mode ?? existing?.mode;
      const owner = settings.owner ?? existing;
      const plan = { template: rendered.template.name, file, rendered, attributes: { mode, owner } };
      if (!existing) return { ...plan, before: undefined, change: 'created' };
      const bytes = await files.readBytes(file, 'the existing file', maxBytes);
      const isSame =
        bytes.equals(Buffer.from(rendered.text)) &&
        mode === existing.mode &&
        owner?.uid === existing.uid &&
        owner.gid === existing.gid;
      return { ...plan, before: bytes.toString(), change: isSame ? 'unchanged' : 'changed' };
    }),
  );

/** Writes the files that differ, all of them or none. @returns those that were written. */
export async function writePlanned(
  planned: readonly Planned[],
  { files }: Pick<Context, 'files'>,
): Promise<readonly Planned[]> {
  const changed = planned.filter(({ change }) => change !== 'unchanged');
  if (changed.length > 0)
    await files.write(
      changed.map(({ file, rendered, attributes: { mode, owner } }) => ({
        path: file,
        content: rendered.text,
        replace: true,
        ...(mode === undefined ? {} : { mode }),
        owner,
      })),
    );
  return changed;
}

export const fileResults = (planned: readonly Planned[]): readonly RenderedFile[] =>
  planned.map(({ template, file, change }) => ({ template, file, change }));

/** What was done with each file. */
export const fileTable = (planned: readonly Planned[]): Block =>
  reportTable(
    ['FILE', 'CHANGE'],
    planned.map(({ file, change }) => [file, [change === 'unchanged' ? dim(change) : good(change)]]),
  );

/** What would be done with each file. The values of a text with secrets are hidden, and what they replace. */
export async function diffBlocks(
  planned: readonly Planned[],
  values: RequestedValues,
): Promise<readonly Block[]> {
  const blocks: Block[] = [];
  for (const { file, change, before = '', rendered } of planned) {
    const name = { created: 'Create ', changed: 'Change ', unchanged: 'Unchanged: ' }[change];
    blocks.push(
      text(name, code(file), change === 'changed' && before === rendered.text ? ': mode or owner' : ''),
    );
    if (change === 'unchanged') continue;
    const shown = linesOf(await withoutValues(rendered, values));
    let line = 0;
    const lines = diffLines(linesOf(before), linesOf(rendered.text)).map((each) => {
      if (each.sign === '-') return rendered.hasSecrets ? { ...each, line: '(hidden)' } : each;
      line += 1;
      return { ...each, line: shown[line - 1] ?? '' };
    });
    for (const each of withContext(lines))
      blocks.push(
        each.sign === '…'
          ? text('  ', dim('…'))
          : text(`  ${each.sign} `, { '+': good, '-': bad, ' ': dim }[each.sign](each.line)),
      );
  }
  return blocks;
}

const linesOf = (content: string): readonly string[] =>
  content === '' ? [] : content.replace(/\n$/, '').split('\n');
