import { usage } from '../errors.ts';
import type { StyledText } from './document.ts';
import type { Format } from './formats.ts';
import { renderJson } from './json.ts';
import type { Result } from './result.ts';
import { toSpans } from './styled-text.ts';
import { renderText, type TextOptions } from './text.ts';

export interface RenderOptions extends TextOptions {
  readonly format: Format;
  /** Path of one value, written raw; it takes precedence over the format. */
  readonly field?: string;
  /** JMESPath expression; format and field then apply to its result. */
  readonly select?: string;
  /** An empty selection is a failure, because the result is not available again. */
  readonly isOneTime?: boolean;
  readonly envPrefix?: string | undefined;
  /** Random bytes, for the delimiters of `github-env`. */
  readonly random: (length: number) => Uint8Array;
}

/**
 * Checks the flags that select from a result, before a request is sent.
 *
 * @throws a usage error that names the flag and the position.
 */
export async function checkSelectionFlags(options: Pick<RenderOptions, 'field' | 'select'>): Promise<void> {
  if (options.field !== undefined) (await import('./field.ts')).parsePath(options.field);
  if (options.select !== undefined) await (await import('./select.ts')).checkSelection(options.select);
}

/**
 * Writes a result in the requested format. `json` and `yaml` show the complete response; `jsonl` and `table` its rows
 * or payload; `env` and its variants the payload; `text` the document. The return value is all of stdout, including
 * the last newline; bytes if a response goes unchanged to a file or a pipe.
 *
 * @throws a usage error for an invalid `field` or `select`, or for a response that `env` cannot show; "not found" if
 * the field does not exist, or `isSelectionRequired` and nothing was selected.
 */
export async function render(result: Result, options: RenderOptions): Promise<string | Uint8Array> {
  const view = options.select === undefined ? result : await selectionOf(result, options.select);
  if (options.select !== undefined && options.isOneTime && view.data === null)
    (await import('./field.ts')).requireField(options.select, result.data);
  const payload = view.payload === undefined ? view.data : view.payload;
  const { terminal } = options;
  if (options.field !== undefined) {
    // If nothing is found, the error names the fields of the last one.
    const firstRoots = view.payloadFirst ? [payload] : [];
    const { renderField } = await import('./field.ts');
    return renderField(options.field, [...firstRoots, view.data, payload], terminal);
  }
  const [first] = view.document;
  if (options.format === 'text' && first?.kind === 'bytes' && !terminal) return first.bytes;
  switch (options.format) {
    case 'text':
      return options.select === undefined
        ? renderText(view.document, options)
        : `${renderJson(view.data, terminal, 2)}\n`;
    case 'json':
      return `${renderJson(view.data, terminal, 2)}\n`;
    case 'jsonl':
      return (view.rows ?? [payload]).map((row) => `${renderJson(row, terminal)}\n`).join('');
    case 'markdown':
      if (view.markdown === undefined) throw usage('--output markdown is not supported for this result');
      return view.markdown();
    case 'yaml':
      return (await import('./yaml.ts')).renderYaml(view.data);
    case 'table': {
      const { renderTable } = await import('./table.ts');
      return renderTable(view.isTabular ? tableRows(view) : (view.rows ?? payload), options);
    }
    case 'env':
    case 'dotenv':
    case 'github-env':
      return (await import('./env.ts')).renderEnv(payload, {
        format: options.format,
        terminal,
        prefix: options.envPrefix,
        random: options.random,
      });
  }
}

/** The rows of the table in a document, with the titles of its columns. */
function tableRows({ document }: Result): readonly Readonly<Record<string, string>>[] {
  return document.flatMap((block) =>
    block.kind === 'table'
      ? block.rows.map((row) =>
          Object.fromEntries(
            block.columns.map(({ title }, index) => [title.toLowerCase(), plainText(row[index] ?? '')]),
          ),
        )
      : [],
  );
}

const plainText = (content: StyledText): string =>
  toSpans(content)
    .map((span) => span.text)
    .join('');

async function selectionOf(result: Result, expression: string): Promise<Result> {
  const { select } = await import('./select.ts');
  const data = await select(result.data, expression);
  return { data, document: [], ...(Array.isArray(data) ? { rows: data } : {}) };
}
