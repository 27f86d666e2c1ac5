import type { Context } from '../../../cli/context.ts';
import type { Span } from '../../../output/document.ts';

/** The functions that a step of the tour can use. */
export interface Tour {
  readonly ctx: Context;
  /** The working directory of the commands. */
  readonly folder: string;
  /** Prints an explanation. */
  say(...words: (string | Span)[]): Promise<void>;
  /** Creates a text file in the working directory, and prints the equivalent shell command. */
  file(name: string, content: string): Promise<void>;
  /** Prints and runs a Lanyard command line. @throws LanyardError failure: the command failed. */
  line(...args: string[]): Promise<void>;
}
