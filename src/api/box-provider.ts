import { LanyardError } from '../errors.ts';
import type { BoxClient } from './box.ts';

export type ProviderName = Parameters<BoxClient['readProvider']>[0];

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

/** Maximum size of a direct upload in bytes; an upload through the registry has no limit (docs/protocol/box.md#uploads). */
const maxDirectUploadBytes = 5 * 1000 ** 3;

/** Requests where to upload an image of this length; `callback` confirms the upload, where the registry has one. */
export async function prepareUpload(
  calls: ProviderCalls,
  length: number,
): Promise<{ readonly upload_path: string; readonly callback?: string | undefined }> {
  if (length <= maxDirectUploadBytes) {
    try {
      return (await calls.prepareDirect()).body;
    } catch (error) {
      // The registry does not support direct uploads.
      if (!(error instanceof LanyardError) || ![404, 405, 501].includes(error.status ?? 0)) throw error;
    }
  }
  const { upload_path } = (await calls.prepare()).body;
  return { upload_path, callback: undefined };
}
