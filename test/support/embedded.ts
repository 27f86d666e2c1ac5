import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

const program = join(import.meta.dirname, 'embedded-process.ts');

/** The embedded services in a process of their own. */
export interface EmbeddedProcess {
  /** Where the secrets service is. */
  readonly address: string;
  readonly registry: string;
  readonly accounts: string;
  readonly scheduler: string;
  readonly box: string;
  readonly token: string;
  readonly boxToken: string;
  /** Of the administrator of the account service; the password only where it was made up. */
  readonly accountsToken: string;
  readonly accountsPassword?: string;
  /** Ends it as a power cut would; settles when it is gone. */
  kill(): Promise<void>;
}

/**
 * Starts the embedded services from source in a process of their own; they are killed with the test at the latest.
 * @param data the directory that they keep their state in; without one, in memory
 * @throws Error when it ends before it is ready
 */
export async function embeddedProcess(data?: string): Promise<EmbeddedProcess> {
  const flags = ['--disable-warning=ExperimentalWarning', program];
  const child = spawn(process.execPath, data === undefined ? flags : [...flags, data], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = once(child, 'close');
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  const [line] = await Promise.race([
    once(child.stdout, 'data'),
    closed.then(() => Promise.reject(new Error('the services ended before they were ready'))),
  ]);
  return {
    ...JSON.parse(String(line)),
    async kill() {
      child.kill('SIGKILL');
      await closed;
    },
  };
}
