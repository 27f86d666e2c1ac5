import { spawn } from 'node:child_process';
import type { Streams } from './io.ts';

interface Terminal extends Pick<Streams, 'stdout'> {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: string;
  readonly signal: AbortSignal;
}

/** Exit code of man if its pager failed. */
const pagerFailed = 3;

/**
 * Shows a man page with `man` or `mandoc`, which start the pager: `$LANYARD_PAGER`, else their own.
 *
 * @param source the page in roff.
 * @returns false when neither program is installed, and nothing was shown.
 */
export async function showManPage(source: string, terminal: Terminal): Promise<boolean> {
  if (terminal.platform === 'win32') return false;
  // Only the man of man-db reads a page from standard input.
  const { output = '' } = await start('man', ['--version'], terminal);
  const programs = [...(/^man \d/.test(output) ? [['man', '-l', '-']] : []), ['mandoc', '-a']];
  for (const [program = '', ...args] of programs) {
    const { code, isSignaled } = await start(program, args, terminal, source);
    if (code === 0 || code === pagerFailed || isSignaled) return true;
  }
  return false;
}

interface Ended {
  /** Undefined: it was not started, or a signal ended it. */
  readonly code?: number | undefined;
  readonly isSignaled?: boolean;
  readonly output?: string;
}

/** Runs a program; without `input`, its output is returned and not shown. */
function start(
  program: string,
  args: readonly string[],
  { env, stdout, signal }: Terminal,
  input?: string,
): Promise<Ended> {
  return new Promise((done) => {
    const child = spawn(program, args, {
      stdio: input === undefined ? ['ignore', 'pipe', 'ignore'] : ['pipe', stdout.fd ?? 'inherit', 'inherit'],
      env: { ...env, ...pagerOf(env) },
    });
    // The terminal sends ^C to the pager itself, which handles it.
    const stop = (): boolean => signal.reason !== 'SIGINT' && child.kill();
    signal.addEventListener('abort', stop);
    const end = (ended: Ended): void => {
      signal.removeEventListener('abort', stop);
      done(ended);
    };
    let output = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    child.once('error', () => end({}));
    child.once('close', (code, name) => end({ code: code ?? undefined, isSignaled: name !== null, output }));
    // A pager that the user quits early does not read the rest.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
  });
}

/** The pager for man: an empty value and `cat` disable it. */
function pagerOf({ LANYARD_PAGER, PAGER, TERM }: Terminal['env']): { readonly MANPAGER?: string } {
  const isDisabled = TERM === 'dumb' || (LANYARD_PAGER ?? PAGER)?.trim() === '';
  if (isDisabled) return { MANPAGER: 'cat' };
  return LANYARD_PAGER === undefined ? {} : { MANPAGER: LANYARD_PAGER };
}
