import type { Retry } from '../../api/operation.ts';
import type { Outcome } from '../../command/command.ts';
import type { UserOutput } from '../../command/context.ts';
import type { Host } from '../../command/host.ts';
import { exitCodeOf, LanyardError } from '../../errors.ts';
import { escapeCommands, escapeCommandsInJson } from '../../io/ci-commands.ts';
import { shouldUseColor } from '../../io/color.ts';
import type { DeferredMessage, Io } from '../../io/io.ts';
import { terminalWidth, writeOut, writePaged } from '../../io/stdout.ts';
import { createTerminalIo, messageWriter } from '../../io/terminal.ts';
import { type Format, formats } from '../../output/formats.ts';
import { OutputError } from '../../output/output-error.ts';
import { fastPath } from '../fast-path.ts';
import { minHelpWidth } from '../help/help-text.ts';
import { isBuiltIn } from '../help/usage-hints.ts';
import { type Invocation, parseArgv } from '../parse/program.ts';
import { compose, type Parts } from './compose.ts';
import type { DebugLog } from './debug-log.ts';
import { outputWriter } from './output.ts';

/** How long an interrupted command may take to end. */
const graceMs = 120;

/**
 * Expands aliases, parses a command line, runs the command or plugin, and writes its result to stdout or its error to stderr.
 *
 * @returns the exit code.
 */
export async function run(given: readonly string[], host: Host): Promise<number> {
  const deferred: DeferredMessage[] = [];
  let argv = given;
  let invocation: Invocation | undefined;
  try {
    if (!isBuiltIn(argv[0] ?? 'help')) {
      const { resolveCommand, runProgram } = await import('./external-command.ts');
      const resolved = await resolveCommand(argv, host);
      if ('program' in resolved) return await runProgram(resolved.program, resolved.args, host);
      if (resolved.argv !== argv) {
        argv = resolved.argv;
        const plain = await fastPath(argv, host);
        if (plain !== undefined) {
          await writePaged(plain, host);
          return 0;
        }
      }
    }
    const parsed = await parseArgv(argv, terminalWidth(host.stdout, minHelpWidth));
    if (parsed.kind === 'text') {
      if (parsed.code === 0) await writePaged(parsed.text, host);
      else await writeOut(host.stderr, escapeCommands(parsed.text, host.env));
      return parsed.code;
    }
    invocation = parsed.invocation;
    const code = await runCommand(invocation, host, deferred);
    const say = messageWriter(
      host.stderr,
      shouldUseColor(host.stderr, host.env, invocation.globals.noColor),
      host.env,
    );
    for (const { kind, message } of deferred) say[kind](message);
    if (host.env.LANYARD_UPDATE_CHECK && !invocation.globals.quiet) {
      const note = await (await import('../update-check.ts')).updateNote(host);
      if (note !== undefined) say.note(note);
    }
    return code;
  } catch (error) {
    return reportFailure(error, argv, host, { deferred, invocation });
  }
}

async function runCommand(invocation: Invocation, host: Host, deferred: DeferredMessage[]): Promise<number> {
  const { command, entry, globals } = invocation;
  const io: Io = createTerminalIo({
    streams: host,
    env: host.env,
    get cwd() {
      return host.cwd;
    },
    quiet: globals.quiet,
    verbose: globals.verbose,
    noInput: globals.noInput,
    // A dry run needs no confirmation.
    yes: globals.yes || globals.dryRun || globals.curl,
    color: shouldUseColor(host.stderr, host.env, globals.noColor),
    // An error is one JSON object that contains earlier messages. Messages of long-running commands are not deferred.
    deferred: isObjectFormat(globals.output) && !command.handlesSignals ? deferred : undefined,
    signal: host.signal,
  });
  const debugFile = globals.debug ?? host.env.LANYARD_DEBUG_FILE;
  const debug = debugFile
    ? (await import('./debug-log.ts')).openDebugLog(debugFile, entry.path, host, io.warn)
    : undefined;
  const running = runWith(invocation, host, io, debug);
  if (debug === undefined) return running;
  try {
    const code = await running;
    debug.end({ code });
    return code;
  } catch (error) {
    debug.end({ error });
    throw error;
  }
}

async function runWith(
  invocation: Invocation,
  host: Host,
  io: Io,
  debug: DebugLog | undefined,
): Promise<number> {
  const { command, globals } = invocation;
  const writer = await outputWriter(invocation, host, io);
  const succeeded = new Set<Retry>();
  // Without a response, the change was local. The result of an operation that may be repeated is not lost.
  const hasWritten = (): boolean =>
    command.writes !== undefined &&
    !(globals.dryRun || globals.curl) &&
    (succeeded.size === 0 || succeeded.has('write') || succeeded.has('once'));
  const toResult: UserOutput['dryRunResult'] = async (...stop) =>
    (await import('./dry-run.ts')).dryRunResult(globals)(...stop);
  const parts: Omit<Parts, 'runCommand'> = {
    host,
    invocation,
    io,
    writer: { ...writer, show: (result) => writer.show(result), dryRunResult: toResult },
    onSuccess: (retry) => succeeded.add(retry),
    debug,
  };
  const runCommand: Parts['runCommand'] = async (words) =>
    runInvocation(await (await import('./nested-invocation.ts')).nestedInvocation(words, globals), {
      ...parts,
      runCommand,
    });
  const explained = async (ended: Outcome): Promise<Outcome> =>
    globals.curl ? (await import('./dry-run.ts')).explainUnsent(globals, command)(ended) : ended;
  const running = runInvocation(invocation, { ...parts, runCommand })
    .then(explained)
    .catch(toResult);
  const outcome = await (command.handlesSignals ? running : untilInterrupted(running, host.signal));
  if (outcome === undefined) return 0;
  if (outcome.document === undefined) return outcome.exitCode;
  await writer.showLast(outcome, hasWritten()).catch((error: unknown) => {
    throw error instanceof LanyardError && hasWritten() ? new OutputError(error, outcome) : error;
  });
  return outcome.exitCode ?? 0;
}

/** Runs a command; flags that are absent have the value from the settings. */
async function runInvocation(invocation: Invocation, parts: Omit<Parts, 'invocation'>): Promise<Outcome> {
  const { command, args, flags } = invocation;
  const context = compose({ ...parts, invocation });
  const added: Record<string, unknown> = {};
  for (const [name, { fallback }] of Object.entries(command.flags))
    if (fallback && flags[name] === undefined) added[name] = await fallback(context);
  return command.run({ args, flags: { ...flags, ...added } }, context);
}

/** Rejects as "interrupted" if the command does not end soon after a signal. */
async function untilInterrupted<Value>(running: Promise<Value>, signal: AbortSignal): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  let stop: (() => void) | undefined;
  const interrupted = new Promise<never>((_done, failed) => {
    stop = () => {
      timer = setTimeout(() => failed(new LanyardError('interrupted', 'interrupted')), graceMs);
    };
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([running, interrupted]);
  } finally {
    clearTimeout(timer);
    if (stop) signal.removeEventListener('abort', stop);
  }
}

/** What is known of the command line that failed. */
interface FailedRun {
  readonly deferred?: readonly DeferredMessage[];
  /** Undefined: it could not be parsed. */
  readonly invocation?: Invocation | undefined;
}

/** Writes an error to standard error. @returns the exit code. */
export async function reportFailure(
  error: unknown,
  argv: readonly string[],
  host: Host,
  { deferred = [], invocation }: FailedRun = {},
): Promise<number> {
  const failure = error instanceof LanyardError ? error : internalError(error);
  const exitCode = exitCodeOf(failure, host.signal);
  try {
    const { renderFailure } = await import('../../output/failure.ts');
    const format = requestedFormat(argv);
    const { hint, kind } = failure;
    // The flags of an invalid line may be what is wrong.
    const isRepeating = hint?.includes('`lanyard ') === true && invocation !== undefined && kind !== 'usage';
    const text = await renderFailure(failure, {
      hint: isRepeating
        ? await (await import('../help/hint-commands.ts')).repeatFlags(hint, invocation)
        : hint,
      exitCode,
      format,
      color: shouldUseColor(host.stderr, host.env, argv.includes('--no-color')),
      terminal: host.stderr.isTTY === true,
      width: terminalWidth(host.stderr),
      notes: messagesOf(deferred, 'note'),
      warnings: messagesOf(deferred, 'warn'),
    });
    const protect = isObjectFormat(format) ? escapeCommandsInJson : escapeCommands;
    await writeOut(host.stderr, protect(text, host.env));
  } catch {
    // Standard error is closed: only the exit code is left.
  }
  return exitCode;
}

const messagesOf = (deferred: readonly DeferredMessage[], kind: DeferredMessage['kind']): string[] =>
  deferred.filter((entry) => entry.kind === kind).map(({ message }) => message);

/** Whether an error is one JSON object in this format. */
const isObjectFormat = (format: Format | undefined): boolean =>
  format !== undefined && ['json', 'jsonl', 'yaml'].includes(format);

/** An internal error. Its message may contain secrets, so only its name is shown. */
function internalError(error: unknown): LanyardError {
  const name = error instanceof Error ? error.name : typeof error;
  const at = error instanceof Error ? firstStackFrame(error) : undefined;
  return new LanyardError('failure', `internal error (${name}${at ? `, ${at.trim()}` : ''})`, {
    hint: 'Report it with the command line that caused it, without secrets.',
  });
}

/** The first line of the stack after the message, which may contain similar lines. */
function firstStackFrame({ stack = '', message }: Error): string | undefined {
  const start = stack.indexOf(message);
  const trace = start < 0 ? '' : stack.slice(start + message.length);
  return trace.split('\n').find((line) => /^\s+at /.test(line));
}

/** The format for errors of a command line that could not be parsed. */
function requestedFormat(argv: readonly string[]): Format {
  const ownArgs = argv.slice(0, argv.includes('--') ? argv.indexOf('--') : undefined);
  const at = ownArgs.findIndex((word) => /^(-o|--output)$|^--output=|^-o./.test(word));
  const word = ownArgs[at] ?? '';
  const value = /^(-o|--output)$/.test(word) ? ownArgs[at + 1] : word.replace(/^(--output=|-o=?)/, '');
  return formats.find((format) => format === value) ?? 'text';
}
