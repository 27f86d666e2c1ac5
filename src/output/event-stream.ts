import { type LanyardError, usage } from '../errors.ts';
import { type Block, dim, raw, text } from './document.ts';
import type { Format } from './formats.ts';
import { formatTimestamp } from './humanize.ts';
import type { Result } from './result.ts';

/** A change of the state that a command watches. */
export type StreamEvent = {
  readonly at: Date;
  /** False: the same state as before, after an error. */
  readonly isChange: boolean;
  readonly index?: string;
} & (
  | { readonly status: 'present'; readonly result: Result }
  /** `description`: a sentence without its period. */
  | { readonly status: 'absent'; readonly description: string }
  | { readonly status: 'error'; readonly error: LanyardError }
);

export type EventStream = ReturnType<typeof eventStream>;

interface StreamOptions {
  readonly format: Format;
  /** `--field` or `--select` is set. */
  readonly isSelected: boolean;
  /** Returns false if the reader has closed the pipe. */
  readonly write: (result: Result) => Promise<boolean>;
}

/**
 * Shows the state of an object at each change: as text, with the time in a line before it, or as one JSON object in a
 * line (`at`, `index`, `status`, and `data` or `error`). With `--field` or `--select`, only what they select.
 *
 * @throws LanyardError usage: a format that has only one document.
 */
export function eventStream({ format, isSelected, write }: StreamOptions) {
  if (format !== 'text' && format !== 'jsonl')
    throw usage(`--watch cannot be combined with --output ${format}`, {
      hint: 'Use --output jsonl: one line of JSON for each change.',
    });
  let isFirst = true;
  const paragraph = (at: Date, message: string): Result['document'] => {
    const separator = isFirst ? '' : '\n';
    isFirst = false;
    return [text(separator, dim(formatTimestamp(at)), message)];
  };
  return {
    /** Whether errors are shown as events. */
    showsErrors: format === 'jsonl' && !isSelected,
    /** @returns false: the reader has closed the pipe. */
    async add(event: StreamEvent): Promise<boolean> {
      const isPresent = event.status === 'present';
      if (isSelected) return isPresent && event.isChange ? write(event.result) : true;
      if (format === 'jsonl') return write({ data: eventObject(event), document: [] });
      if (event.status === 'error' || !event.isChange) return true;
      const document = isPresent
        ? [...paragraph(event.at, ''), ...event.result.document.map(withLineEnd)]
        : paragraph(event.at, ` ${event.description}`);
      return write({ data: null, document });
    },
  };
}

function eventObject(event: StreamEvent): Readonly<Record<string, unknown>> {
  const { at, index, status } = event;
  const common = { at: at.toISOString(), ...(index === undefined ? {} : { index }), status };
  if (event.status === 'present') return { ...common, data: event.result.data };
  if (event.status === 'absent') return common;
  const { kind, message, details } = event.error;
  return { ...common, error: { kind, message, ...(details.length > 0 ? { messages: details } : {}) } };
}

/** Bytes as text, so that the next state begins in a new line. */
const withLineEnd = (block: Block): Block =>
  block.kind === 'bytes' ? raw(block.text.endsWith('\n') ? block.text : `${block.text}\n`) : block;
