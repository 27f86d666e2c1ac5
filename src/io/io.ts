import type { Readable } from 'node:stream';

/** A stream of Node, or one that is opened on the first write. */
export interface Sink {
  readonly isTTY?: boolean;
  readonly columns?: number;
  /** Lines of a terminal. */
  readonly rows?: number;
  /** File descriptor. */
  readonly fd?: number;
  write(chunk: string | Uint8Array, done?: (error?: Error | null) => void): boolean;
  on(event: 'error', listener: (error: Error) => void): unknown;
  listenerCount(event: 'error'): number;
}

/** The standard streams of a process; tests pass their own. */
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
  /** Prompts twice and compares. */
  readonly repeat?: boolean;
  /**
   * Accepts any text: an empty one, and from a file or standard input also one with NUL bytes. A file is read
   * exactly, with its last newline.
   */
  readonly allowsAnyText?: boolean;
}

/** A note or a warning that is printed when the command ends. */
export interface DeferredMessage {
  readonly kind: 'note' | 'warn';
  readonly message: string;
}

/** Messages on standard error. */
export interface Messages {
  /** One line on stderr; not with `--quiet`. */
  note(message: string): void;
  /** One line on stderr that begins with "warning:"; also with `--quiet`. */
  warn(message: string): void;
  /** A note that the user must read before the command continues: it is never deferred. */
  noteNow(message: string): void;
  /** One line on stderr with `--verbose` only. */
  detail(message: string): void;
  progress(message: string): Promise<Progress>;
  /** Masks a received secret in the log of the CI service, if there is one. */
  mask(secret: string): void;
  /**
   * Masks secrets in the log of GitHub Actions, and returns when the commands are written: before that, nothing that
   * contains the secrets may be written.
   *
   * @throws LanyardError failure: standard error is closed or cannot be written.
   */
  maskInGithub(secrets: readonly string[]): Promise<void>;
}

/** Prompts, standard input and secrets. */
export interface Prompts {
  /** Whether stdin and stderr are terminals and `--no-input` was not given. */
  isInteractive(): boolean;
  /** Reads a line without echo. Throws a usage error if it cannot prompt. */
  askSecret(question: string, options?: PromptOptions): Promise<string>;
  /** Reads a line. Throws a usage error if it cannot prompt. */
  ask(question: string): Promise<string>;
  /**
   * Asks for confirmation of an irreversible change; `--yes` skips it. Throws a usage error that names `--yes` if it
   * cannot prompt, an "interrupted" error for "no".
   */
  confirm(question: string): Promise<void>;
  /** All of stdin, as bytes; a second call is a usage error. */
  readStdin(): Promise<Buffer>;
  /**
   * A secret from its source: `-` (stdin, one trailing newline dropped), `@file` or `file://path`, `env://NAME`;
   * undefined prompts. Any other value is rejected without echoing it.
   */
  readSecret(source: string | undefined, what: string, options?: PromptOptions): Promise<string>;
  /** The bytes of a source, unchanged; may be empty or binary. It accepts the forms of `readSecret`. */
  readExact(source: string, what: string): Promise<Uint8Array>;
}

export interface Io extends Messages, Prompts {
  /** Removes secrets from later notes and warnings. @param redact returns the text without them. */
  setRedaction(redact: (text: string) => string): void;
}

/** The forms in which a secret may be given, for messages. */
export const secretForms = '- (standard input), @FILE, file://PATH or env://NAME';

/** Maximum number of bytes read from standard input, or from a file that is sent unchanged. */
export const maxStdinBytes = 32 * 1024 * 1024;
