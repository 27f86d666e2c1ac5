import type { BoxClient } from '../../../api/box.ts';
import { flag } from '../../../command.ts';
import { usage } from '../../../errors.ts';

export const defaultArchitectureFlag = flag.boolean(
  'the one that those get who name no architecture; with --architecture',
);

/** Where a provider is. */
export interface ProviderName {
  readonly username: string;
  readonly name: string;
  readonly version: string;
  readonly provider: string;
}

/** Reads a provider, of one architecture where that is named. */
export const reading = (box: BoxClient, at: ProviderName, architecture: string | undefined) =>
  architecture === undefined ? box.readProvider(at) : box.readArchitecture({ ...at, architecture });

/** @throws LanyardError usage: a default among architectures, and none is named. */
export function defaultOf(flags: {
  readonly architecture: string | undefined;
  readonly defaultArchitecture: boolean;
}): { default_architecture?: boolean } {
  if (!flags.defaultArchitecture) return {};
  if (flags.architecture === undefined)
    throw usage('--default-architecture means nothing without --architecture');
  return { default_architecture: true };
}

/** `acme/web 1.0.0 virtualbox (arm64)`, for messages. */
export const nameOf = (
  { username, name, version, provider }: ProviderName,
  architecture: string | undefined,
): string =>
  `${username}/${name} ${version} ${provider}${architecture === undefined ? '' : ` (${architecture})`}`;
