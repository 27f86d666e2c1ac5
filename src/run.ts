import { compose } from './compose.ts';
import type { Context, Host } from './context.ts';
import { LanyardError, usage } from './errors.ts';
import { wantsColor } from './io/color.ts';
import type { Io } from './io/io.ts';
import { width, writeOut } from './io/stdout.ts';
import { terminal } from './io/terminal.ts';
import { renderFailure } from './output/failure.ts';
import { type Format, formats } from './output/formats.ts';
import { checkChoice, render } from './output/render.ts';
import type { Result } from './output/result.ts';
import { type Invocation, parse } from './program.ts';
import { rehearsed } from './rehearse.ts';

/** How long an interrupted command may take to tidy up. */
const grace = 120;

/**
 * Runs a command line that has to be read: parses it, runs the command, writes its result to stdout or its
 * failure to stderr.
 *
 * @returns the exit code.
 */
export async function run(argv: readonly string[], host: Host): Promise<number> {
  try {
    const parsed = await parse(argv, width(host.stdout));
    if (parsed.what === 'text') {
      await write(host, parsed.code === 0 ? 'stdout' : 'stderr', parsed.text);
      return parsed.code;
    }
    return await perform(parsed.invocation, host);
  } catch (error) {
    return fail(error, argv, host);
  }
}

async function perform(invocation: Invocation, host: Host): Promise<number> {
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
    signal: host.signal,
  });
  if (command.passesThrough) refuseChoice(globals);
  const choice = {
    ...(globals.field === undefined ? {} : { field: globals.field }),
    ...(globals.select === undefined ? {} : { select: globals.select }),
  };
  await checkChoice(choice);
  const toFile = globals.out !== undefined && !Object.hasOwn(command.flags, 'out');
  const rendered = (result: Result): Promise<string> =>
    render(result, {
      format: globals.output ?? 'text',
      ...choice,
      terminal: !toFile && host.stdout.isTTY === true,
      color: !toFile && wantsColor(host.stdout, host.env, globals.noColor),
      width: width(host.stdout),
    });
  const show = async (result: Result): Promise<void> => {
    // Words without data are for people only.
    if (result.data === undefined && (globals.output ?? 'text') !== 'text') return;
    await write(host, 'stdout', await rendered(result));
  };
  const hasLines = globals.output === 'jsonl' && !toFile && globals.field === undefined && !globals.select;
  const showPart: Context['showPart'] = async (part) => {
    if (!hasLines) return 'kept';
    return (await write(host, 'stdout', await rendered(part))) ? 'shown' : 'gone';
  };
  const context = compose(host, globals, command, io, { show, showPart });
  // What a command makes may be shown only once: a file that cannot take it is refused before.
  if (toFile && globals.out !== undefined) await context.files.check([{ path: globals.out }]);
  const running = command.run(invocation, context).catch(rehearsed(globals));
  const outcome = await (command.patient ? running : untilInterrupted(running, host.signal));
  if (outcome === undefined) return 0;
  if (outcome.document === undefined) return outcome.exitCode;
  if (toFile && globals.out !== undefined) {
    await context.files.write([{ path: globals.out, content: await rendered(outcome) }]);
    io.note(`Wrote ${globals.out}.`);
  } else await show(outcome);
  return outcome.exitCode ?? 0;
}

/** @throws LanyardError usage: something is asked of a result where there is none. */
function refuseChoice(globals: Invocation['globals']): void {
  for (const name of ['out', 'field', 'select'] as const) {
    if (globals[name] !== undefined)
      throw usage(`--${name} has nothing to work on: what this command shows is the output of what it runs`);
  }
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
export async function fail(error: unknown, argv: readonly string[], host: Host): Promise<number> {
  const known = error instanceof LanyardError ? error : unforeseen(error);
  try {
    const text = await renderFailure(known, {
      format: formatAskedFor(argv),
      color: wantsColor(host.stderr, host.env, argv.includes('--no-color')),
      terminal: host.stderr.isTTY === true,
    });
    await write(host, 'stderr', text);
  } catch {
    // Standard error is gone as well: the exit code is all that is left to say.
  }
  return known.exitCode;
}

/** A fault of Lanyard itself. Its message may hold anything, so only its kind is told. */
function unforeseen(error: unknown): LanyardError {
  const name = error instanceof Error ? error.name : typeof error;
  const at =
    error instanceof Error ? error.stack?.split('\n').find((line) => /^\s+at /.test(line)) : undefined;
  return new LanyardError('failure', `a fault in Lanyard itself (${name}${at ? `, ${at.trim()}` : ''})`, {
    hint: 'Please report it, with the command line that led to it, without its secrets.',
  });
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
async function write(host: Host, to: 'stdout' | 'stderr', text: string): Promise<boolean> {
  return text === '' || writeOut(host[to], text);
}
