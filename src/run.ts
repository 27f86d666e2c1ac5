import type { Retry } from './api/operation.ts';
import { compose } from './compose.ts';
import type { Context, Host } from './context.ts';
import { LanyardError } from './errors.ts';
import { wantsColor } from './io/color.ts';
import type { Io, Said } from './io/io.ts';
import { width, writeOut, writePaged } from './io/stdout.ts';
import { speaker, terminal } from './io/terminal.ts';
import { narrowest } from './layout.ts';
import { renderFailure } from './output/failure.ts';
import { type Format, formats } from './output/formats.ts';
import { Unshown } from './output/unshown.ts';
import { type Invocation, parse } from './program.ts';
import { rehearsed, unsent } from './rehearse.ts';
import { showing } from './showing.ts';

/** How long an interrupted command may take to tidy up. */
const grace = 120;

/**
 * Runs a command line that must be read: parses it, runs the command, writes its result to stdout or its
 * failure to stderr.
 *
 * @returns the exit code.
 */
export async function run(argv: readonly string[], host: Host): Promise<number> {
  const held: Said[] = [];
  try {
    const parsed = await parse(argv, width(host.stdout, narrowest));
    if (parsed.what === 'text') {
      if (parsed.code === 0) await writePaged(parsed.text, host);
      else await write(host, 'stderr', parsed.text);
      return parsed.code;
    }
    const code = await perform(parsed.invocation, host, held);
    const say = speaker(host.stderr, wantsColor(host.stderr, host.env, parsed.invocation.globals.noColor));
    for (const { kind, message } of held) say[kind](message);
    return code;
  } catch (error) {
    return fail(error, argv, host, held);
  }
}

async function perform(invocation: Invocation, host: Host, held: Said[]): Promise<number> {
  const { command, globals } = invocation;
  const io: Io = terminal({
    streams: host,
    env: host.env,
    get cwd() {
      return host.cwd;
    },
    quiet: globals.quiet,
    verbose: globals.verbose,
    noInput: globals.noInput,
    // A rehearsal sends no change, so there is nothing to be asked about.
    yes: globals.yes || globals.dryRun || globals.curl,
    color: wantsColor(host.stderr, host.env, globals.noColor),
    // A failure is one JSON object, with what was said before it. What runs on is not kept waiting for its end.
    held: isObject(globals.output) && !command.patient ? held : undefined,
    signal: host.signal,
  });
  const shown = await showing(invocation, host, io);
  const answered: Retry[] = [];
  // A command that was answered nothing changes what is on this machine; what may be repeated is not lost.
  const isDone = (): boolean =>
    command.writes === true &&
    !(globals.dryRun || globals.curl) &&
    (answered.length === 0 || answered.some((retry) => retry === 'write' || retry === 'once'));
  const show: Context['show'] = (part) => shown.show(part);
  const seen = { ...shown, show, rehearsed: rehearsed(globals) };
  const context = compose(host, globals, command, io, seen, (retry) => answered.push(retry));
  const running = command.run(invocation, context).then(unsent(globals, command)).catch(seen.rehearsed);
  const outcome = await (command.patient ? running : untilInterrupted(running, host.signal));
  if (outcome === undefined) return 0;
  if (outcome.document === undefined) return outcome.exitCode;
  await shown.show(outcome, isDone()).catch((error: unknown) => {
    throw error instanceof LanyardError && isDone() ? new Unshown(error, outcome) : error;
  });
  return outcome.exitCode ?? 0;
}

/** Rejects as "interrupted" when the command does not stop by itself soon after a signal. */
async function untilInterrupted<Value>(running: Promise<Value>, signal: AbortSignal): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  let stop: (() => void) | undefined;
  const interrupted = new Promise<never>((_done, failed) => {
    stop = () => {
      timer = setTimeout(() => failed(new LanyardError('interrupted', 'interrupted')), grace);
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

/** Says what failed. */
export async function fail(
  error: unknown,
  argv: readonly string[],
  host: Host,
  held: readonly Said[] = [],
): Promise<number> {
  const known = error instanceof LanyardError ? error : unforeseen(error);
  try {
    const text = await renderFailure(known, {
      format: formatAskedFor(argv),
      color: wantsColor(host.stderr, host.env, argv.includes('--no-color')),
      terminal: host.stderr.isTTY === true,
      width: width(host.stderr),
      notes: messages(held, 'note'),
      warnings: messages(held, 'warn'),
    });
    await write(host, 'stderr', text);
  } catch {
    // Standard error is gone as well: the exit code is all that is left to say.
  }
  return known.exitCode;
}

const messages = (held: readonly Said[], kind: Said['kind']): string[] =>
  held.filter((said) => said.kind === kind).map(({ message }) => message);

/** Is a failure one JSON object in this format? */
const isObject = (format: Format | undefined): boolean =>
  format !== undefined && ['json', 'jsonl', 'yaml'].includes(format);

/** A fault of Lanyard itself. Its message may hold anything, so only its kind is told. */
function unforeseen(error: unknown): LanyardError {
  const name = error instanceof Error ? error.name : typeof error;
  const at = error instanceof Error ? placeOf(error) : undefined;
  return new LanyardError('failure', `internal error (${name}${at ? `, ${at.trim()}` : ''})`, {
    hint: 'Report it with the command line that caused it, without secrets.',
  });
}

/** The first line of the stack after the message, which may have lines that look like one. */
function placeOf({ stack = '', message }: Error): string | undefined {
  const start = stack.indexOf(message);
  const trace = start < 0 ? '' : stack.slice(start + message.length);
  return trace.split('\n').find((line) => /^\s+at /.test(line));
}

/** The format for failures of the command line itself, which could not be parsed. */
function formatAskedFor(argv: readonly string[]): Format {
  const own = argv.slice(0, argv.includes('--') ? argv.indexOf('--') : undefined);
  const at = own.findIndex((word) => /^(-o|--output)$|^--output=|^-o./.test(word));
  const word = own[at] ?? '';
  const value = /^(-o|--output)$/.test(word) ? own[at + 1] : word.replace(/^(--output=|-o=?)/, '');
  return formats.find((format) => format === value) ?? 'text';
}

/** @returns false when the reader has gone. */
async function write(host: Host, to: 'stdout' | 'stderr', text: string | Uint8Array): Promise<boolean> {
  return text.length === 0 || writeOut(host[to], text);
}
