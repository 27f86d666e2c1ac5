import type { Context } from '../../context.ts';
import type { Span } from '../../output/document.ts';

/** What a stop of the tour may do. */
export interface Tour {
  readonly ctx: Context;
  /** The working directory of every line. */
  readonly folder: string;
  /** Says something to whoever takes the tour. */
  say(...words: (string | Span)[]): Promise<void>;
  /** Prints how a shell makes a file of text in the working directory, and makes it. */
  file(name: string, content: string): Promise<void>;
  /** Prints a command line of Lanyard as it can be typed, and runs it; the tour ends when it fails. */
  line(...args: string[]): Promise<void>;
}
