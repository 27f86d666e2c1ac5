import { clientConfig, isClientConfig, withInclude } from './client-config.ts';
import {
  knownHostsCaLine,
  withCaLine,
  withoutCaLines,
  withoutTrustedKey,
  withTrustedKey,
} from './known-hosts.ts';

/** Texts that configure ssh and sshd. */
export const sshConfiguration = {
  clientConfig,
  isClientConfig,
  withInclude,
  knownHostsCaLine,
  withCaLine,
  withTrustedKey,
  withoutCaLines,
  withoutTrustedKey,
};

export type SshConfiguration = typeof sshConfiguration;
