import { clientConfig, isClientConfig, withInclude } from './client-config.ts';
import { caLine, withCaLine, withTrustedKey } from './known-hosts.ts';
import type { Configuration } from './ssh.ts';

export const configuration: Configuration = {
  ...{ clientConfig, isClientConfig, withInclude },
  ...{ caLine, withCaLine, withTrustedKey },
};
