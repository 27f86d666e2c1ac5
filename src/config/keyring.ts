import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { osErrorMessage } from '../errors.ts';

const timeoutMs = 3000;

export interface KeyringRequest {
  readonly action: 'get' | 'set' | 'delete';
  readonly account: string;
  readonly token?: string;
  /** Fails instead of a prompt to unlock the keyring, and where that is not known. */
  readonly noPrompt?: boolean;
}

/** `token` is the result of a get (null: none); `error` is why the operation failed. */
export interface KeyringResponse {
  readonly token?: string | null;
  readonly error?: string;
}

/**
 * Queries the operating system's keyring, for at most 3 s, in a separate process: the library blocks in native code
 * (a session bus that does not respond, an unlock prompt that is not visible), where JavaScript timeouts have no
 * effect, and a process with such a thread cannot exit. Secrets are passed by pipes.
 *
 * @param program the command that runs keyring-program.
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
  // A child that has exited does not read; its exit is reported below.
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
