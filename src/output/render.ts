import type { Words } from './document.ts';
import { env } from './env.ts';
import { field, parsePath, requireMember } from './field.ts';
import type { Format } from './formats.ts';
import { json } from './json.ts';
import type { Result } from './result.ts';
import { checkSelection, select } from './select.ts';
import { spans } from './spans.ts';
import { bordered } from './table.ts';
import { renderText } from './text.ts';
import { yaml } from './yaml.ts';

export interface RenderOptions {
  readonly format: Format;
  /** Path of one value, written raw; it takes precedence over the format. */
  readonly field?: string;
  /** JMESPath expression; format and field then apply to what it selects. */
  readonly select?: string;
  /** Selecting nothing is a failure: what there was to select from is not there a second time. */
  readonly onlyOnce?: boolean;
  /** Before every name of a variable. */
  readonly envPrefix?: string | undefined;
  /** Random bytes, for the delimiters of `github-env`. */
  readonly random: (length: number) => Uint8Array;
  /** Does a terminal read it? */
  readonly terminal: boolean;
  readonly color: boolean;
  /** Cells in a line of the terminal; a pipe has no width. */
  readonly width: number;
}

/**
 * Checks the flags that choose from a response, before anything is sent.
 *
 * @throws a usage error that names the flag and the position.
 */
export async function checkChoice(options: Pick<RenderOptions, 'field' | 'select'>): Promise<void> {
  if (options.field !== undefined) parsePath(options.field);
  if (options.select !== undefined) await checkSelection(options.select);
}

/**
 * Writes a result in the format that was asked for. `json` and `yaml` show the complete response; `jsonl` and
 * `table` its rows, or the part that a person means; `env` and its kind that part; `text` its document. What comes back is
 * all of stdout, the last newline included; bytes where a response goes to a file or a pipe as it came.
 *
 * @throws a usage error for a wrong `field` or `select`, or for a response that `env` cannot show; "not found"
 * where the field is not there, or nothing is selected of what is there only once.
 */
export async function render(result: Result, options: RenderOptions): Promise<string | Uint8Array> {
  const shown = options.select === undefined ? result : selected(await select(result.data, options.select));
  if (options.select !== undefined && options.onlyOnce && shown.data === null)
    requireMember(options.select, result.data);
  const payload = shown.payload === undefined ? shown.data : shown.payload;
  const { terminal } = options;
  if (options.field !== undefined) {
    // Where nothing is found, it is the last one whose fields are named.
    const before = shown.payloadFirst ? [payload] : [];
    return field(options.field, [...before, shown.data, payload], terminal);
  }
  const [first] = shown.document;
  if (options.format === 'text' && first?.kind === 'bytes' && !terminal) return first.bytes;
  switch (options.format) {
    case 'text':
      return options.select === undefined
        ? renderText(shown.document, options)
        : `${json(shown.data, terminal, 2)}\n`;
    case 'json':
      return `${json(shown.data, terminal, 2)}\n`;
    case 'jsonl':
      return (shown.rows ?? [payload]).map((row) => `${json(row, terminal)}\n`).join('');
    case 'yaml':
      return yaml(shown.data);
    case 'table':
      return bordered(shown.isTabular ? tableOf(shown) : (shown.rows ?? payload), options);
    case 'env':
    case 'dotenv':
    case 'github-env':
      return env(payload, {
        format: options.format,
        terminal,
        prefix: options.envPrefix,
        random: options.random,
      });
  }
}

/** The rows of the table in a document, by the titles of its columns. */
function tableOf({ document }: Result): readonly Readonly<Record<string, string>>[] {
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

const plainText = (words: Words): string =>
  spans(words)
    .map((span) => span.text)
    .join('');

function selected(data: unknown): Result {
  return { data, document: [], ...(Array.isArray(data) ? { rows: data } : {}) };
}
