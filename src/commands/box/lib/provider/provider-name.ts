import type { BoxClient } from '../../../../api/box.ts';
import { flag } from '../../../../cli/command.ts';
import { usage } from '../../../../errors.ts';

export const defaultArchitectureFlag = flag.boolean(
  'use --architecture for clients that do not request an architecture',
);

/** The path of a provider. */
export interface ProviderName {
  readonly username: string;
  readonly name: string;
  readonly version: string;
  readonly provider: string;
}

/** Reads a provider, of one architecture if that is given. */
export const providerReader = (box: BoxClient, at: ProviderName, architecture: string | undefined) =>
  architecture === undefined ? box.readProvider(at) : box.readArchitecture({ ...at, architecture });

/** @throws LanyardError usage: --default-architecture without --architecture. */
export function defaultArchitecture(flags: {
  readonly architecture: string | undefined;
  readonly defaultArchitecture: boolean;
}): { default_architecture?: boolean } {
  if (!flags.defaultArchitecture) return {};
  if (flags.architecture === undefined) throw usage('--default-architecture requires --architecture');
  return { default_architecture: true };
}

/** `acme/web 1.0.0 virtualbox (arm64)`, for messages. */
export const providerDisplayName = (
  { username, name, version, provider }: ProviderName,
  architecture: string | undefined,
): string =>
  `${username}/${name} ${version} ${provider}${architecture === undefined ? '' : ` (${architecture})`}`;
