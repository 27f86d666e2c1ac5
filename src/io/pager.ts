import { spawn } from 'node:child_process';
import type { Streams } from './io.ts';

interface Terminal extends Pick<Streams, 'stdout'> {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: string;
  readonly signal: AbortSignal;
}

/** The exit code of a shell that does not find the program. */
const notFound = 127;

/**
 * Shows text in a pager: `$LANYARD_PAGER`, else `$PAGER`, else `less`. An empty value or `cat` disables it.
 *
 * @returns false when there is no pager, and nothing was shown.
 */
export async function showInPager(text: string, terminal: Terminal): Promise<boolean> {
  const { env, platform } = terminal;
  const configured = (env.LANYARD_PAGER ?? env.PAGER)?.trim();
  if (configured === '' || configured === 'cat' || env.TERM === 'dumb') return false;
  // A pager from the environment is a command line for the shell. Windows has no less.
  if (configured === undefined) return platform !== 'win32' && runPager('less', false, text, terminal);
  return runPager(configured, true, text, terminal);
}

function runPager(
  line: string,
  shell: boolean,
  text: string,
  { env, stdout, signal }: Terminal,
): Promise<boolean> {
  return new Promise((done) => {
    const child = spawn(line, {
      shell,
      stdio: ['pipe', stdout.fd ?? 'inherit', 'inherit'],
      // As git and gh set it: quit if the text fits, keep colors, leave the text on the screen.
      env: { ...env, LESS: env.LESS ?? 'FRX' },
    });
    // The terminal sends ^C to the pager itself, which handles it.
    const stop = (): boolean => signal.reason !== 'SIGINT' && child.kill();
    const end = (shown: boolean): void => {
      signal.removeEventListener('abort', stop);
      done(shown);
    };
    signal.addEventListener('abort', stop);
    child.once('error', () => end(false));
    child.once('close', (code) => end(code !== notFound));
    // A pager that the user quits early does not read the rest.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(text);
  });
}
