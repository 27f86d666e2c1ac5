import { Writable } from 'node:stream';
import { styleText } from 'node:util';
import type { Ora } from 'ora';
import { LanyardError, osFailure, usage } from '../errors.ts';
import { splitAtWidth, wrapAtSpaces } from '../wire/display-width.ts';
import { toPrintable } from '../wire/printable.ts';
import { escapeCommands } from './ci-commands.ts';
import { maskCommands } from './ci-mask.ts';
import {
  type DeferredMessage,
  type Io,
  maxStdinBytes,
  type Progress,
  type PromptOptions,
  type Sink,
  type Streams,
  secretForms,
} from './io.ts';
import type { Prompt } from './prompt.ts';
import { writeOut } from './stdout.ts';

/** A faster command shows no progress and does not load the spinner. */
const progressDelayMs = 300;

/** Cells of a line of progress that its text does not get: the spinner, a space and the cursor. */
const spinnerColumns = 3;

export interface TerminalOptions {
  readonly streams: Streams;
  readonly env: NodeJS.ProcessEnv;
  /** Base directory of the paths of secret sources. */
  readonly cwd: string;
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly noInput: boolean;
  readonly yes: boolean;
  /** Whether to use color on stderr. */
  readonly color: boolean;
  /**
   * Collects notes and warnings, to be printed at the end (`messageWriter`); undefined: they are printed immediately.
   */
  readonly deferred?: DeferredMessage[] | undefined;
  /** Cancels prompts and reads of stdin. */
  readonly signal: AbortSignal;
}

/** Prints notes and warnings on stderr. */
export function messageWriter(
  stderr: Sink,
  color: boolean,
  env: NodeJS.ProcessEnv,
): Readonly<Record<DeferredMessage['kind'], (message: string) => void>> {
  /** Further lines of a message are indented, so that untrusted text cannot look like a message of its own. */
  function say(label: string, message: string): void {
    // A closed stderr is not an error.
    if (stderr.listenerCount('error') === 0) stderr.on('error', () => undefined);
    const width = (stderr.isTTY && stderr.columns) || Number.POSITIVE_INFINITY;
    const lines = `${label}${toPrintable(message)}`.split('\n');
    const text = lines.flatMap((line) => wrapAtSpaces(line, width - 2)).join('\n  ');
    const painted = color && label !== '' ? styleText('yellow', label, { validateStream: false }) : label;
    stderr.write(escapeCommands(`${painted}${text.slice(label.length)}\n`, env));
  }
  return { note: (message) => say('', message), warn: (message) => say('warning: ', message) };
}

/** Io over the streams of a process; all messages go to stderr. */
export function createTerminalIo(options: TerminalOptions): Io {
  const { streams, env, quiet, verbose, noInput, yes, color, deferred, signal } = options;
  const { stderr } = streams;
  // Standard input is opened on first use: most commands never read it.
  const stdin = (): Streams['stdin'] => streams.stdin;
  const isInteractive = (): boolean => !noInput && stderr.isTTY === true && stdin().isTTY === true;
  let prompt: Prompt | undefined;
  let spinner: Ora | undefined;
  let stdinRead = false;

  const say = messageWriter(stderr, color, env);
  let redact = (text: string): string => text;
  const emit = (kind: DeferredMessage['kind'], text: string): void => {
    const message = redact(text);
    if (deferred) deferred.push({ kind, message });
    else say[kind](message);
  };

  async function progress(message: string): Promise<Progress> {
    // Some terminals report 0 columns, for which ora would count lines without end.
    const isSupported = stderr.isTTY === true && (stderr.columns ?? 0) > 0 && env.TERM !== 'dumb';
    if (quiet || !isSupported || !(stderr instanceof Writable)) {
      return { columns: 0, update: () => undefined, stop: () => undefined };
    }
    const columns = (): number => Math.max((streams.stderr.columns ?? 80) - spinnerColumns, 1);
    const truncate = (full: string): string =>
      splitAtWidth(toPrintable(full).replaceAll('\n', ' '), columns())[0] ?? '';
    let text = message;
    let ownSpinner: Ora | undefined;
    const draw = (): void => {
      if (ownSpinner) ownSpinner.text = truncate(text);
    };
    let stopped = false;
    const timer = setTimeout(async () => {
      const { default: ora } = await import('ora');
      if (stopped) return;
      ownSpinner = ora({
        text: truncate(text),
        stream: stderr,
        color: color ? 'cyan' : false,
        isEnabled: true,
        discardStdin: false,
      });
      // A line of the earlier width would wrap.
      stderr.on('resize', draw);
      spinner = ownSpinner.start();
    }, progressDelayMs).unref();
    return {
      get columns() {
        return columns();
      },
      update(next) {
        text = next;
        draw();
      },
      stop() {
        stopped = true;
        stderr.removeListener('resize', draw);
        clearTimeout(timer);
        ownSpinner?.stop();
        if (spinner === ownSpinner) spinner = undefined;
      },
    };
  }

  async function promptFor(
    question: string,
    { hidden, hint, confirms = false }: { hidden: boolean; hint: string; confirms?: boolean },
  ): Promise<string> {
    if (!isInteractive()) {
      const cause = noInput ? '--no-input is set' : 'standard input is not a terminal';
      const what = confirms ? 'confirmation' : bare(question);
      throw usage(`cannot prompt for ${what}: ${cause}`, {
        details: confirms ? [question.replace(/ \[y\/N\] $/, '')] : [],
        hint,
      });
    }
    spinner?.stop();
    prompt ??= (await import('./prompt.ts')).createPrompt(streams, signal);
    return prompt(question, { hidden });
  }

  function ask(question: string): Promise<string> {
    return promptFor(question, { hidden: false, hint: 'Pass it as an argument or a flag.' });
  }

  async function askSecret(question: string, { repeat = false }: PromptOptions = {}): Promise<string> {
    const hint = `Pass it as ${secretForms}.`;
    const secret = await promptFor(question, { hidden: true, hint });
    if (repeat && (await promptFor(`${bare(question)}, again: `, { hidden: true, hint })) !== secret) {
      throw usage('the two values do not match', { hint: 'Nothing was changed. Run the command again.' });
    }
    return secret;
  }

  async function confirm(question: string): Promise<void> {
    if (yes) return;
    const reply = await promptFor(`${question} [y/N] `, {
      hidden: false,
      confirms: true,
      hint: 'Use --yes to skip the prompt.',
    });
    if (!/^\s*y(es)?\s*$/i.test(reply)) throw new LanyardError('failure', 'not confirmed; nothing was done');
  }

  async function readStdin(): Promise<Buffer> {
    if (stdinRead) {
      throw usage('standard input can be read only once', { hint: 'Use - for only one value.' });
    }
    if (stdin().isTTY && noInput) {
      throw usage('cannot read standard input: it is a terminal and --no-input is set', {
        hint: 'Pipe the value in.',
      });
    }
    stdinRead = true;
    const interrupt = () => stdin().destroy(new LanyardError('interrupted', 'interrupted'));
    signal.addEventListener('abort', interrupt, { once: true });
    try {
      if (signal.aborted) interrupt();
      return await readAllStdin(stdin());
    } finally {
      signal.removeEventListener('abort', interrupt);
    }
  }

  const secretSources = () => ({
    env,
    base: options,
    signal,
    isTyped: stdin().isTTY === true,
    io,
  });
  const io: Io = {
    isInteractive,
    note: (message) => {
      if (!quiet) emit('note', message);
    },
    warn: (message) => emit('warn', message),
    noteNow: (message) => {
      if (!quiet) say.note(message);
    },
    detail: (message) => {
      if (verbose) say.note(message);
    },
    progress,
    ask,
    askSecret,
    confirm,
    readStdin,
    readSecret: async (source, what, how) =>
      (await import('./secret.ts')).readSecret(source, what, secretSources(), how),
    readExact: async (source, what) => (await import('./secret.ts')).readExact(source, what, secretSources()),
    setRedaction: (next) => {
      redact = next;
    },
    mask: (secret) => {
      for (const command of maskCommands(secret, env)) stderr.write(`${command}\n`);
    },
    maskInGithub: async (secrets) => {
      const commands = new Set(secrets.flatMap((secret) => maskCommands(secret, { GITHUB_ACTIONS: 'true' })));
      const text = [...commands].map((command) => `${command}\n`).join('');
      const isWritten = text === '' || (await writeOut(stderr, text).catch(() => false));
      if (!isWritten)
        throw new LanyardError('failure', 'cannot mask secrets: standard error cannot be written');
    },
  };
  return io;
}

const bare = (question: string): string => question.replace(/[\s:]+$/, '');

async function readAllStdin(stdin: Streams['stdin']): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of stdin) {
      const bytes = Buffer.from(chunk);
      length += bytes.length;
      if (length > maxStdinBytes) throw usage(`standard input is longer than ${maxStdinBytes} bytes`);
      chunks.push(bytes);
    }
  } catch (error) {
    throw osFailure('read standard input', error);
  }
  return Buffer.concat(chunks);
}
