import { openBrowser } from '../io/browser.ts';
import { runChild } from '../io/child.ts';
import { isInCidrBlocks, isLocalAddress, localHostNames } from '../io/local-host.ts';
import { createTemporaryDirectory } from '../io/private-directory.ts';
import type { Host, System } from './context.ts';

/** The parts of `System` that are loaded on first use. */
export function system(host: Host): Omit<System, keyof Host | 'version'> {
  return {
    hostNames: localHostNames,
    hasAddress: async (address) => isLocalAddress(address),
    isInCidrBlocks: async (address, blocks) => isInCidrBlocks(address, blocks),
    runChild: (child) => runChild(child, host),
    tunnel: async (to, port) =>
      (await import('../io/tunnel.ts')).tunnel({ host: to, port }, host, host.signal),
    listenForCallback: async (port) =>
      (await import('../io/login-callback.ts')).listenForCallback(port, host.signal),
    openBrowser: (url) => openBrowser(url, host),
    createTemporaryDirectory,
  };
}
