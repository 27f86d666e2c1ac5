import { Writable } from 'node:stream';
import { LanyardError } from '../errors.ts';
import { toPrintable } from '../wire/printable.ts';
import type { Streams } from './io.ts';

/** Prints one question on stderr and returns the line that was typed on stdin. */
export type Prompt = (question: string, options: { readonly hidden: boolean }) => Promise<string>;

/**
 * A prompt on a terminal. Lines that were typed or pasted early are used for the next questions.
 *
 * @throws LanyardError interrupted: Ctrl+C, Ctrl+D, the end of the input, or `signal`; the terminal is restored.
 */
export function createPrompt({ stdin, stderr }: Streams, signal: AbortSignal): Prompt {
  const typedAhead: string[] = [];

  return async (question, { hidden }) => {
    if (signal.aborted) throw interruptedError();
    const typedLine = typedAhead.shift();
    if (typedLine !== undefined) {
      stderr.write(`${toPrintable(question)}\n`);
      return typedLine;
    }
    const { createInterface } = await import('node:readline');
    // The line editor replaces the terminal's own echo; for hidden input its output is discarded.
    const lines = createInterface({
      input: stdin,
      output:
        hidden || !(stderr instanceof Writable)
          ? new Writable({ write: (_chunk, _encoding, done) => done() })
          : stderr,
      terminal: true,
      historySize: 0,
      prompt: hidden ? '' : toPrintable(question),
    });
    if (hidden) stderr.write(toPrintable(question));
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const interrupt = () => reject(interruptedError());
    let isAnswered = false;
    lines.on('line', (line) => {
      if (isAnswered) typedAhead.push(line);
      isAnswered = true;
      resolve(line);
    });
    lines.once('SIGINT', interrupt);
    lines.once('close', () => reject(new LanyardError('interrupted', 'the prompt was closed without input')));
    signal.addEventListener('abort', interrupt, { once: true });
    try {
      lines.prompt();
      return await promise;
    } finally {
      signal.removeEventListener('abort', interrupt);
      lines.close();
      if (hidden || !isAnswered) stderr.write('\n');
    }
  };
}

const interruptedError = () => new LanyardError('interrupted', 'interrupted');
