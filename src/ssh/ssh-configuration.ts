import { clientConfig, isClientConfig, withInclude } from './client-config.ts';
import { knownHostsCaLine, withCaLine, withTrustedKey } from './known-hosts.ts';
import type { SshConfiguration } from './types.ts';

export const sshConfiguration: SshConfiguration = {
  clientConfig,
  isClientConfig,
  withInclude,
  knownHostsCaLine,
  withCaLine,
  withTrustedKey,
};
