import type { Host } from '../../command/host.ts';
import type { Machine } from '../../command/system.ts';
import { openBrowser } from '../../io/browser.ts';
import { runChild } from '../../io/child.ts';
import { installedPath } from '../../io/installed-path.ts';
import {
  isInCidrBlocks,
  isLocalAddress,
  isProcessGone,
  localHostNames,
  localProcess,
  localUser,
  signalProcess,
} from '../../io/local-host.ts';
import { createTemporaryDirectory } from '../../io/private-directory.ts';
import { isBuiltIn } from '../help/usage-hints.ts';

/** The parts of `System` that are loaded on first use. */
export function system(host: Host): Machine {
  return {
    hostNames: localHostNames,
    localUser: async () => localUser(),
    localProcess: async () => localProcess(),
    isProcessGone: async (process) => isProcessGone(process),
    hasAddress: async (address) => isLocalAddress(address),
    isInCidrBlocks: async (address, blocks) => isInCidrBlocks(address, blocks),
    runChild: (child) => runChild(child, host),
    readOutput: async (program) => (await import('../../io/program-output.ts')).readOutput(program, host),
    runWithLock: async (lock, run) => (await import('../children/held-lock.ts')).runWithLock(lock, run, host),
    supervise: async (run) => {
      const [{ supervise }, { sleep }] = await Promise.all([
        import('../children/supervisor.ts'),
        import('../children/held-lock.ts'),
      ]);
      return supervise(run, host, sleep);
    },
    signalProcess: async (pid, signal) => signalProcess(pid, signal),
    sleep: async (ms, end = host.signal) => (await import('../children/held-lock.ts')).sleep(ms, end),
    tunnel: async (to, port) => (await import('../../io/tunnel.ts')).tunnel(to, port, host, host.signal),
    listenForCallback: async (port) =>
      (await import('../../io/login-callback.ts')).listenForCallback(port, host.signal),
    openBrowser: (url) => openBrowser(url, host),
    createTemporaryDirectory,
    installedCommand: async () => installedCommand(host),
    isBuiltIn: async (word) => isBuiltIn(word),
    plugins: async () => (await import('../../io/plugins.ts')).listPlugins(host),
  };
}

/** The command that starts this program, for files that stay: by the paths in PATH, if the programs are there. */
function installedCommand({ selfCommand, env }: Host): readonly string[] {
  const [first = '', script] = selfCommand;
  return script === undefined
    ? [installedPath(first, 'lanyard', env)]
    : [installedPath(first, 'node', env), installedPath(script, 'lanyard', env)];
}
