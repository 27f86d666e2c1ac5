import { openBrowser } from '../io/browser.ts';
import { type Child, runChild } from '../io/child.ts';
import { installedPath } from '../io/installed-path.ts';
import {
  isInCidrBlocks,
  isLocalAddress,
  isProcessGone,
  type LocalProcess,
  localHostNames,
  localProcess,
} from '../io/local-host.ts';
import { createTemporaryDirectory } from '../io/private-directory.ts';
import type { Host } from './context.ts';
import type { LockedRun, ServiceLock } from './held-lock.ts';
import type { SupervisedRun } from './supervised-run.ts';
import { isBuiltIn } from './usage-hints.ts';

/** The parts of `System` that are loaded on first use. */
export function system(host: Host) {
  return {
    hostNames: localHostNames,
    localProcess: async () => localProcess(),
    isProcessGone: async (process: Partial<LocalProcess>) => isProcessGone(process),
    hasAddress: async (address: string) => isLocalAddress(address),
    isInCidrBlocks: async (address: string, blocks: readonly string[]) => isInCidrBlocks(address, blocks),
    runChild: (child: Child) => runChild(child, host),
    runWithLock: async (lock: ServiceLock, run: LockedRun) =>
      (await import('./held-lock.ts')).runWithLock(lock, run, host),
    /** Runs a command with the values of sources, and with `watch` until they change. */
    supervise: async (run: SupervisedRun) => {
      const [{ supervise }, { sleep }] = await Promise.all([
        import('./supervisor.ts'),
        import('./held-lock.ts'),
      ]);
      return supervise(run, host, sleep);
    },
    /** Waits, at most until a signal to the process, or until another signal. */
    sleep: async (ms: number, end: AbortSignal = host.signal) =>
      (await import('./held-lock.ts')).sleep(ms, end),
    tunnel: async (to: string, port: number) =>
      (await import('../io/tunnel.ts')).tunnel(to, port, host, host.signal),
    listenForCallback: async (port: number) =>
      (await import('../io/login-callback.ts')).listenForCallback(port, host.signal),
    openBrowser: (url: string) => openBrowser(url, host),
    createTemporaryDirectory,
    installedCommand: async () => installedCommand(host),
    /** Whether a word is the first of a command of the program itself. */
    isBuiltIn: async (word: string) => isBuiltIn(word),
    /** The programs in PATH that can be run as commands. */
    plugins: async () => (await import('../io/plugins.ts')).listPlugins(host),
  };
}

/** The command that starts this program, for files that stay: by the paths in PATH, if the programs are there. */
function installedCommand({ selfCommand, env }: Host): readonly string[] {
  const [first = '', script] = selfCommand;
  return script === undefined
    ? [installedPath(first, 'lanyard', env)]
    : [installedPath(first, 'node', env), installedPath(script, 'lanyard', env)];
}
