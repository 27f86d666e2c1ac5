import type { Kind, LanyardError } from '../errors.ts';
import { toPrintable } from '../wire/printable.ts';
import type { Span } from './document.ts';
import type { Format } from './formats.ts';
import { renderJson } from './json.ts';
import { OutputError } from './output-error.ts';
import { createPainter } from './painter.ts';
import { type Line, wrap } from './styled-text.ts';
import { renderText, type TextOptions } from './text.ts';

type FailureOptions = TextOptions & {
  readonly format: Format;
  /** Default: the value in the error. */
  readonly exitCode?: number;
  /** The hint of the error for its command line. */
  readonly hint?: string | undefined;
  /** Notes and warnings of the command, for the one JSON object. */
  readonly notes?: readonly string[];
  readonly warnings?: readonly string[];
};

/**
 * Writes a failure for stderr: as text (`error:`, indented details, `hint:`), or as one JSON object for the formats
 * json, jsonl (on one line) and yaml (JSON is YAML). A result that could not be written in the requested format
 * precedes the text, or is a field of the object.
 */
export async function renderFailure(error: LanyardError, options: FailureOptions): Promise<string> {
  switch (options.format) {
    case 'json':
    case 'yaml':
      return `${renderJson(errorObject(error, options), options.terminal, 2)}\n`;
    case 'jsonl':
      return `${renderJson(errorObject(error, options), options.terminal)}\n`;
    default:
      return (await renderLostResult(error, options)) + (await renderErrorText(error, options));
  }
}

/** An error as JSON. */
export interface ErrorObject {
  readonly error: {
    /** The exit code. */
    readonly code: number;
    readonly kind: Kind;
    readonly message: string;
    /** The HTTP status, if a service responded. */
    readonly status?: number | undefined;
    readonly service?: string | undefined;
    /** The messages of the service, or one line for each finding. */
    readonly messages?: readonly string[] | undefined;
    /** The same command may succeed later without a change. */
    readonly retryable: boolean;
    /** What to do next. */
    readonly hint?: string | undefined;
    /** What the command printed before. */
    readonly notes?: readonly string[] | undefined;
    readonly warnings?: readonly string[] | undefined;
  };
  /** The result of a change that was applied, if it could not be written in the requested format. */
  readonly result?: unknown;
}

function errorObject(
  error: LanyardError,
  { exitCode, hint = error.hint, notes = [], warnings = [] }: FailureOptions,
): ErrorObject {
  return {
    error: {
      code: exitCode ?? error.exitCode,
      kind: error.kind,
      message: error.message,
      status: error.status,
      service: error.service,
      messages: error.details.length > 0 ? error.details : undefined,
      retryable: error.retryable,
      hint,
      notes: notes.length > 0 ? notes : undefined,
      warnings: warnings.length > 0 ? warnings : undefined,
    },
    result: error instanceof OutputError ? error.result.data : undefined,
  };
}

async function renderLostResult(error: LanyardError, options: FailureOptions): Promise<string> {
  if (!(error instanceof OutputError)) return '';
  const written = await renderText(error.result.document, options);
  return written === '' || written.endsWith('\n') ? written : `${written}\n`;
}

async function renderErrorText(
  error: LanyardError,
  { hint = error.hint, color, terminal, width }: FailureOptions,
): Promise<string> {
  const paint = await createPainter(color);
  /** Lines after the first are indented, so that none can look like a line of Lanyard. */
  const block = (label: Span | undefined, message: string): string =>
    toPrintable(message.trimEnd())
      .split('\n')
      .map((text, index) => [...(index === 0 && label ? [label, space] : []), ...codeSpans(text)])
      .flatMap((line) => (terminal ? wrap(line, width - indent.length) : [line]))
      .map((line) =>
        line.map((span) => paint(span.text, span.style === 'code' ? 'plain' : span.style)).join(''),
      )
      .join(`\n${indent}`);
  const written = [
    block({ text: 'error:', style: 'bad' }, error.message),
    ...error.details.map((detail) => indent + block(undefined, detail)),
    ...(hint === undefined ? [] : [block({ text: 'hint:', style: 'warn' }, hint)]),
  ];
  return `${written.join('\n')}\n`;
}

const indent = '  ';
const space: Span = { text: ' ', style: 'plain' };

/** Commands between backticks are not broken over lines, so that they can be copied. */
const codeSpans = (text: string): Line =>
  text
    .split(/(`[^`]*`)/)
    .map((part): Span => ({ text: part, style: part.startsWith('`') ? 'code' : 'plain' }));
