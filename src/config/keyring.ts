import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { osErrorMessage } from '../errors.ts';

const timeoutMs = 3000;

export interface KeyringRequest {
  readonly action: 'get' | 'set' | 'delete';
  readonly account: string;
  readonly token?: string;
}

/** `token` answers a get (null: none); `error` says why the act was not done. */
export interface KeyringResponse {
  readonly token?: string | null;
  readonly error?: string;
}

/**
 * Asks the operating system's keyring, for at most 3 s, in a process of its own: the keyring's library blocks
 * in native code (a session bus that is silent, a prompt to unlock that no one sees), no time limit of
 * JavaScript reaches it there, and a process with such a thread cannot even exit. The secret travels by pipes.
 *
 * @param program the command line that runs keyring-program.
 */
export async function callKeyring(
  program: readonly [string, ...string[]],
  env: NodeJS.ProcessEnv,
  request: KeyringRequest,
): Promise<KeyringResponse> {
  const [command, ...args] = program;
  const child = spawn(command, args, {
    env,
    stdio: ['pipe', 'pipe', 'ignore'],
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
    windowsHide: true,
  });
  const exit = new Promise<string | undefined>((resolve) => {
    child.once('error', (error) => resolve(`is not available: ${osErrorMessage(error)}`));
    child.once('close', () =>
      resolve(child.signalCode === 'SIGKILL' ? `did not respond within ${timeoutMs / 1000} s` : undefined),
    );
  });
  // A child that has ended does not read; how it ended is told below.
  child.stdin.on('error', () => undefined);
  child.stdin.end(JSON.stringify(request));
  const [failure, response] = await Promise.all([exit, text(child.stdout)]);
  if (failure !== undefined) return { error: failure };
  try {
    return JSON.parse(response) as KeyringResponse;
  } catch {
    return { error: 'is not available' };
  }
}
