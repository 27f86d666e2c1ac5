import { getSystemErrorMap } from 'node:util';

/**
 * The kinds of errors and the exit code of each, which scripts can rely on (`lanyard help exit-codes` prints them).
 */
export const kinds = {
  failure: { code: 1, meaning: 'general error, or "no" at a prompt' },
  usage: { code: 2, meaning: 'usage: invalid command line or file; nothing was sent' },
  not_found: { code: 3, meaning: 'not found' },
  unauthenticated: { code: 4, meaning: 'not authenticated: missing or invalid token' },
  forbidden: { code: 5, meaning: 'forbidden: a missing permission, or the "no" of acl can' },
  conflict: { code: 6, meaning: 'conflict: 409, check-and-set, stale version, transaction rolled back' },
  unreachable: { code: 7, meaning: 'unreachable: DNS, connection refused, TLS, timeout' },
  unavailable: {
    code: 8,
    meaning: 'unavailable: 429, 501, 503 (sealed, maintenance, not initialized); wait: timed out',
  },
  unknown: {
    code: 9,
    meaning: 'outcome unknown or partially applied; the message says how to verify',
  },
  interrupted: { code: 130, meaning: 'interrupted (by SIGTERM: 143, SIGHUP: 129, SIGQUIT: 131)' },
} as const;

export type Kind = keyof typeof kinds;

/** The exit codes of an interruption by another signal than SIGINT: 128 and the number of the signal, as in shells. */
const signalCodes: Readonly<Record<string, number>> = { SIGTERM: 143, SIGHUP: 129, SIGQUIT: 131 };

/** The exit code of an interruption. @param signal of the process, whose reason is the name of the signal */
export const interruptionCode = (signal: AbortSignal): number =>
  (signal.aborted ? signalCodes[String(signal.reason)] : undefined) ?? kinds.interrupted.code;

/** The exit code of a command that ends with an error. @param signal of the process */
export const exitCodeOf = (error: LanyardError, signal: AbortSignal): number =>
  error.kind === 'interrupted' ? interruptionCode(signal) : error.exitCode;

/** Fields of an error besides its message. `--output json` writes all of them; none contains a secret. */
export interface ErrorFacts {
  /** Lines shown under the message: the service's own messages, or one line a finding. */
  readonly details?: readonly string[] | undefined;
  /** What to do next, one sentence. */
  readonly hint?: string | undefined;
  readonly service?: string | undefined;
  /** HTTP status, where a service responded. */
  readonly status?: number | undefined;
  /** True when the same call may succeed later without a change. */
  readonly retryable?: boolean | undefined;
  readonly cause?: unknown;
}

/** A failure of a known kind: `main` prints message, details and hint, and returns the kind's exit code. */
export class LanyardError extends Error {
  /** What went wrong, for programs. */
  readonly kind: Kind;
  /** Lines below the message: the messages of the service, or one line per finding. */
  readonly details: readonly string[];
  /** What to do next, one sentence, in terms of the command line. */
  readonly hint: string | undefined;
  /** The service that was called. */
  readonly service: string | undefined;
  /** HTTP status, if the service responded. */
  readonly status: number | undefined;
  /** Whether the same call may succeed later without a change. */
  readonly retryable: boolean;

  constructor(kind: Kind, message: string, facts: ErrorFacts = {}) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.name = 'LanyardError';
    this.kind = kind;
    this.details = facts.details ?? [];
    this.hint = facts.hint;
    this.service = facts.service;
    this.status = facts.status;
    this.retryable = facts.retryable ?? false;
  }

  /** The exit code of the kind. */
  get exitCode(): number {
    return kinds[this.kind].code;
  }

  /** The same error with other details. */
  withDetails(details: readonly string[]): LanyardError {
    return withFacts(this, { details });
  }

  /** The same error with another hint. */
  withHint(hint: string): LanyardError {
    return withFacts(this, { hint });
  }
}

// Not in the class: the bundler renames a class that names itself, and Node prints that name.
const withFacts = (error: LanyardError, facts: ErrorFacts): LanyardError =>
  new LanyardError(error.kind, error.message, { ...error, cause: error.cause, ...facts });

/** The command line or a file is wrong; nothing was sent. */
export function usage(message: string, facts?: ErrorFacts): LanyardError {
  return new LanyardError('usage', message, facts);
}

/** A required setting is missing. */
export class MissingSettingError extends LanyardError {
  constructor(message: string, facts: ErrorFacts) {
    super('usage', message, facts);
  }
}

/** The requested object does not exist. */
export function notFound(message: string, facts?: ErrorFacts): LanyardError {
  return new LanyardError('not_found', message, facts);
}

/** The current state does not permit the change. */
export function conflict(message: string, facts?: ErrorFacts): LanyardError {
  return new LanyardError('conflict', message, facts);
}

/**
 * Rejects with another description of the errors that `applies` selects; any other error is unchanged.
 *
 * @param facts replace the error's facts.
 */
export const describeAs =
  (applies: (error: unknown) => boolean, kind: Kind, message: string, facts?: ErrorFacts) =>
  (error: unknown): never => {
    const isDescribed = error instanceof LanyardError && applies(error);
    throw isDescribed ? new LanyardError(kind, message, { ...error, cause: error.cause, ...facts }) : error;
  };

/** For `catch`: rejects with a hint for the errors that `applies` selects; any other error is unchanged. */
export const hintFor =
  (applies: (error: LanyardError) => boolean, hint: string) =>
  (error: unknown): never => {
    throw error instanceof LanyardError && applies(error) ? error.withHint(hint) : error;
  };

/**
 * Sends a write; after a lost response, checks whether it was applied.
 *
 * @param check `found` describes the state if the write was not applied.
 * @returns the response; undefined: it was lost, and the write was applied.
 * @throws the error of the write; "unknown" with `found` if it may not have been applied.
 */
export async function confirmWrite<Answer>(
  write: () => Promise<Answer>,
  check: () => Promise<{ readonly done: boolean; readonly found: string }>,
): Promise<Answer | undefined> {
  try {
    return await write();
  } catch (error) {
    if (!(error instanceof LanyardError) || error.kind !== 'unknown') throw error;
    let state: { readonly done: boolean; readonly found: string };
    try {
      state = await check();
    } catch {
      throw error;
    }
    if (state.done) return undefined;
    // Rejected after an attempt with an unknown outcome, which had no effect.
    if (error.cause instanceof LanyardError) throw error.cause;
    throw new LanyardError('unknown', error.message, { ...error, details: [...error.details, state.found] });
  }
}

/**
 * Sends a deletion; after a lost response, checks whether the object still exists.
 *
 * @param what the object, for messages: "the role".
 * @param isMissing whether an error of `read` means that the object does not exist.
 * @returns as `confirmWrite`.
 */
export const confirmDelete = <Answer>(
  remove: () => Promise<Answer>,
  read: () => Promise<unknown>,
  what: string,
  isMissing: (error: unknown) => boolean = isEmptyListError,
): Promise<Answer | undefined> =>
  confirmWrite(remove, async () => {
    try {
      await read();
      return { done: false, found: `${what} still exists` };
    } catch (error) {
      return { done: isMissing(error), found: `${what} could not be read` };
    }
  });

export const isKind =
  (...expected: readonly Kind[]) =>
  (error: unknown): error is LanyardError =>
    error instanceof LanyardError && expected.includes(error.kind);

export const isNotFound = isKind('not_found');
export const isForbidden = isKind('forbidden');

/** Whether it is a `LanyardError` other than an interruption. */
export const isFailure = (error: unknown): error is LanyardError =>
  error instanceof LanyardError && error.kind !== 'interrupted';

/** For `catch`: a value instead of the errors that `applies` selects; any other error is thrown. */
export const insteadOf =
  <Value>(applies: (error: unknown) => boolean, value: Value) =>
  (error: unknown): Value => {
    if (applies(error)) return value;
    throw error;
  };

/** The body of a response; undefined if the object does not exist. */
export const unlessNotFound = async <Body>(
  reading: Promise<{ readonly body: Body }>,
  isMissing: (error: unknown) => boolean = isNotFound,
): Promise<Body | undefined> => (await reading.catch(insteadOf(isMissing, undefined)))?.body;

/**
 * Reads an object to show what a write changes in it: the write is permitted without a permission to read.
 *
 * @returns undefined: it does not exist; null: it cannot be read.
 */
export const readForChanges = <Found>(reading: Promise<Found>): Promise<Found | null | undefined> =>
  reading.catch(insteadOf(isNotFound, undefined)).catch(insteadOf(isFailure, null));

/**
 * Reads an object whose other fields a write keeps.
 *
 * @param title the object, for messages: `role "ops"`.
 * @param hint names the missing permission, and what to do without it.
 * @returns undefined: it does not exist; null: it cannot be read, and `isReplaced`.
 * @throws LanyardError forbidden: what cannot be read cannot be kept.
 */
export const readToKeep = <Found>(
  reading: Promise<Found>,
  {
    title,
    hint,
    isReplaced,
  }: { readonly title: string; readonly hint: string; readonly isReplaced: boolean },
): Promise<Found | null | undefined> => {
  if (isReplaced) return readForChanges(reading);
  return reading.catch((error: unknown) => {
    if (isEmptyListError(error)) return undefined;
    if (!isForbidden(error)) throw error;
    const message = `cannot update ${title}: permission denied to read its current fields (403)`;
    throw new LanyardError('forbidden', message, { ...error, hint });
  });
};

/** A failure after earlier changes were applied: `done` has a line for each. An error without them is unchanged. */
export function partiallyAppliedError(error: unknown, done: readonly string[]): unknown {
  if (!(error instanceof LanyardError) || done.length === 0) return error;
  return new LanyardError('unknown', `partially applied: ${error.message}`, {
    service: error.service,
    status: error.status,
    details: [...done, ...error.details],
    hint: 'Fix the error and run the same command again to continue.',
  });
}

/** Whether this is the response of an empty list (404 without a message). */
export const isEmptyListError = (error: unknown): error is LanyardError =>
  error instanceof LanyardError && error.kind === 'not_found' && error.details.length === 0;

/** The response of a list; an empty list has no keys. */
export const listOrEmpty = <Response>(listing: Promise<Response>): Promise<Response> =>
  listing.catch(insteadOf(isEmptyListError, { body: { data: { keys: [] } } } as Response));

/** The message of the operating system for a failed call ("no space left on device"). */
export function osErrorMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { errno } = error as NodeJS.ErrnoException;
  return errno === undefined ? error.message : (getSystemErrorMap().get(errno)?.[1] ?? error.message);
}

/** The error for a failed call of the operating system: `cannot <act>: <its message>`. A LanyardError is unchanged. */
export const osFailure = (act: string, error: unknown, hint?: string): LanyardError =>
  error instanceof LanyardError
    ? error
    : new LanyardError('failure', `cannot ${act}: ${osErrorMessage(error)}`, { hint, cause: error });

/** The code of a failed call of the operating system (`ENOENT`), or undefined. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
}
