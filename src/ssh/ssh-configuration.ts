import { clientConfig, isClientConfig, withInclude } from './client-config.ts';
import { knownHostsCaLine, withCaLine, withTrustedKey } from './known-hosts.ts';

/** Texts that configure ssh and sshd. */
export const sshConfiguration = {
  clientConfig,
  isClientConfig,
  withInclude,
  knownHostsCaLine,
  withCaLine,
  withTrustedKey,
};

export type SshConfiguration = typeof sshConfiguration;
