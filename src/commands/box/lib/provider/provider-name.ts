import type { BoxClient } from '../../../../api/box.ts';
import { flag } from '../../../../command/command.ts';
import { usage } from '../../../../errors.ts';

export const defaultArchitectureFlag = flag.boolean(
  'use --architecture for clients that do not request an architecture',
);

export interface ProviderName {
  readonly username: string;
  readonly name: string;
  readonly version: string;
  readonly provider: string;
}

/** The requests for a provider, of one architecture if that is given; `create` gets it in the fields too. */
export function providerCalls(box: BoxClient, at: ProviderName, architecture: string | undefined) {
  const { provider: current, ...version } = at;
  if (architecture === undefined)
    return {
      read: () => box.readProvider(at),
      create: (fields: object) => box.createProvider({ ...version, provider: { name: current, ...fields } }),
      update: (fields: object) => box.updateProvider({ ...version, current, provider: fields }),
      remove: () => box.deleteProvider(at),
      prepare: () => box.prepareUpload(at),
      prepareDirect: () => box.prepareDirectUpload(at),
    };
  const exact = { ...at, architecture };
  return {
    read: () => box.readArchitecture(exact),
    create: (fields: object) =>
      box.createArchitecture({ ...version, provider: { name: current, ...fields } }),
    update: (fields: object) =>
      box.updateArchitecture({ ...version, current, architecture, provider: fields }),
    remove: () => box.deleteArchitecture(exact),
    prepare: () => box.prepareArchitectureUpload(exact),
    prepareDirect: () => box.prepareDirectArchitectureUpload(exact),
  };
}

export type ProviderCalls = ReturnType<typeof providerCalls>;

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
