import type { Readable } from 'node:stream';

/** Where a program writes: a stream of Node's, or one that is opened when something is written. */
export interface Sink {
  readonly isTTY?: boolean;
  readonly columns?: number;
  /** Lines of a terminal. */
  readonly rows?: number;
  /** The descriptor behind it. */
  readonly fd?: number;
  write(chunk: string | Uint8Array, done?: (error?: Error | null) => void): boolean;
  on(event: 'error', listener: (error: Error) => void): unknown;
  listenerCount(event: 'error'): number;
}

/** What a process gives a program to talk with; `main` is handed one, tests make their own. */
export interface Streams {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Sink;
  readonly stderr: Sink;
}

/** A line of progress on a terminal at stderr; a longer text is cut off. */
export interface Progress {
  /** Cells for the text; 0 if nothing is shown (no terminal, or `--quiet`). */
  readonly columns: number;
  update(text: string): void;
  /** Erases the line. */
  stop(): void;
}

export interface PromptOptions {
  /** Asked twice, and the answers compared. */
  readonly repeat?: boolean;
  /**
   * Any text is a value: an empty one, and from a file or standard input also one in which a byte is 0. That of a
   * file is the value exactly, with its last newline.
   */
  readonly allowsAnyText?: boolean;
}

/** A note or a warning that is kept until it is known how the command ends. */
export interface DeferredMessage {
  readonly kind: 'note' | 'warn';
  readonly message: string;
}

/** Everything a command may say or ask. Results are not said here: a command returns them. */
export interface Io {
  /** Is there a person at both ends (stdin and stderr are terminals, and `--no-input` was not given)? */
  readonly isInteractive: boolean;
  /** One line on stderr; not with `--quiet`. */
  note(message: string): void;
  /** One line on stderr that begins with "warning:"; also with `--quiet`. */
  warn(message: string): void;
  /** A note that somebody has to read before the command can go on: it is never kept until the end. */
  noteNow(message: string): void;
  /** One line on stderr with `--verbose` only. */
  detail(message: string): void;
  progress(message: string): Promise<Progress>;
  /** Reads a line that is not echoed. Throws a usage error where no one can answer. */
  askSecret(question: string, options?: PromptOptions): Promise<string>;
  /** Reads a line. Throws a usage error where no one can answer. */
  ask(question: string): Promise<string>;
  /**
   * Asks before an act that cannot be undone; `--yes` answers it. Throws a usage error naming `--yes` where
   * no one can answer, an "interrupted" error when the answer is no.
   */
  confirm(question: string): Promise<void>;
  /** All of stdin, as bytes; the first reader gets it, a second one is rejected with a usage error. */
  readStdin(): Promise<Buffer>;
  /**
   * A secret from its source: `-` (stdin, one trailing newline dropped), `@file` or `file://path`, `env://NAME`;
   * undefined asks. A value that is none of these is rejected by what it must look like, never echoed.
   */
  readSecret(source: string | undefined, what: string, options?: PromptOptions): Promise<string>;
  /**
   * What a source holds, to the byte: no newline is dropped, and it may be empty or no text. Its forms are those of
   * `secret`.
   */
  readExact(source: string, what: string): Promise<Uint8Array>;
  /** Takes secrets out of notes and warnings from now on. @param clean gives a text without them. */
  setRedaction(clean: (text: string) => string): void;
  /** Masks a received secret in the CI service's own log, where there is one. */
  mask(secret: string): void;
}

/** The forms in which a secret may be given, for messages. */
export const secretForms = '- (standard input), @FILE, file://PATH or env://NAME';

/** Bytes that are read from standard input, or from a file that is sent as it is. */
export const maxStdinBytes = 32 * 1024 * 1024;
