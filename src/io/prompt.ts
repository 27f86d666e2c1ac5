import { Writable } from 'node:stream';
import { LanyardError } from '../errors.ts';
import { printable } from '../wire/printable.ts';
import type { Streams } from './io.ts';

/** Asks one question on stderr and gives the line that was typed on stdin. */
export type Prompt = (question: string, options: { readonly hidden: boolean }) => Promise<string>;

/**
 * A prompt on a terminal. Lines that were typed or pasted before they were asked for answer the next questions.
 *
 * @throws LanyardError interrupted: Ctrl+C, Ctrl+D, the end of the input, or `signal`; the terminal is as before.
 */
export function prompt({ stdin, stderr }: Streams, signal: AbortSignal): Prompt {
  const early: string[] = [];

  return async (question, { hidden }) => {
    if (signal.aborted) throw interrupted();
    const ahead = early.shift();
    if (ahead !== undefined) {
      stderr.write(`${printable(question)}\n`);
      return ahead;
    }
    const { createInterface } = await import('node:readline');
    // The line editor turns the terminal's own echo off; what it would show goes nowhere when it is hidden.
    const lines = createInterface({
      input: stdin,
      output: hidden || !(stderr instanceof Writable) ? nowhere() : stderr,
      terminal: true,
      historySize: 0,
      prompt: hidden ? '' : printable(question),
    });
    if (hidden) stderr.write(printable(question));
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const interrupt = () => reject(interrupted());
    let answered = false;
    lines.on('line', (line) => {
      if (answered) early.push(line);
      answered = true;
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
      if (hidden || !answered) stderr.write('\n');
    }
  };
}

function nowhere(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() });
}

function interrupted(): LanyardError {
  return new LanyardError('interrupted', 'interrupted');
}
