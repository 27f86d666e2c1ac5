import { spawn } from 'node:child_process';
import { type OnSignal, stopper } from './child.ts';
import { isForegroundOfTerminal } from './foreground.ts';
import type { Streams } from './io.ts';
import { withoutCredentials } from './without-credentials.ts';

interface Terminal extends Pick<Streams, 'stdout'> {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: string;
  readonly signal: AbortSignal;
  readonly onSignal: OnSignal;
}

/** Exit codes of a shell that cannot run the program, or does not find it. */
const notStarted: readonly (number | null)[] = [126, 127];

/**
 * Shows text in a pager: `$LANYARD_PAGER`, else `$PAGER`, else `less`. An empty value or `cat` disables it.
 *
 * @returns false when there is no pager, and nothing was shown.
 */
export async function showInPager(
  text: string,
  { env, platform, stdout, signal, onSignal }: Terminal,
): Promise<boolean> {
  const configured = (env.LANYARD_PAGER ?? env.PAGER)?.trim();
  // Windows has no less.
  const isMissing = configured === undefined && platform === 'win32';
  if (signal.aborted || isMissing || configured === '' || configured === 'cat' || env.TERM === 'dumb')
    return false;
  return new Promise((done) => {
    // The terminal sends ^C to the pager itself, which handles it: it interrupts neither the command nor the pager.
    const stopping = stopper(async () => {
      const { pid, exitCode, signalCode } = child;
      return pid === undefined || exitCode !== null || signalCode !== null ? [] : [pid];
    });
    const removeListener = onSignal((name) => {
      if (name === 'SIGTERM' || name === 'SIGHUP' || name === 'SIGCONT') child.kill(name);
      if (name === 'SIGCONT') stopping.end();
      if (name !== 'SIGTSTP') return;
      if (!isForegroundOfTerminal()) child.kill(name);
      void stopping.stop();
    });
    const child = spawn(configured ?? 'less', {
      // A pager from the environment is a command line for the shell.
      shell: configured !== undefined,
      stdio: ['pipe', stdout.fd ?? 'inherit', 'inherit'],
      // As git and gh set it: quit if the text fits, keep colors, leave the text on the screen. As systemd sets it:
      // no commands, no files, no history, because the text may be a secret.
      env: { ...withoutCredentials(env), LESS: env.LESS ?? 'FRX', LESSSECURE: env.LESSSECURE ?? '1' },
    });
    const end = (shown: boolean): void => {
      removeListener();
      done(shown);
    };
    child.once('error', () => end(false));
    child.once('close', (code) => end(!notStarted.includes(code)));
    // A pager that the user quits early does not read the rest.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(text);
  });
}
