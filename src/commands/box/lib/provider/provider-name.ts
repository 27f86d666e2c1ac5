import type { ProviderName } from '../../../../api/box-provider.ts';
import { flag } from '../../../../command/command.ts';
import { usage } from '../../../../errors.ts';

export const defaultArchitectureFlag = flag.boolean(
  'use --architecture for clients that do not request an architecture',
);

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
