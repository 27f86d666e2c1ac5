import { readFile, rm } from 'node:fs/promises';
import { HttpError } from './http/http-service.ts';

/**
 * Takes the reset index, which permits another bootstrap of access control, from a file next to the data
 * (docs/protocol/registry.md#access-control). The file is deleted.
 *
 * @param file undefined: the service has no data directory.
 * @returns undefined: no file, or no number.
 * @throws HttpError 500: the file cannot be read or deleted.
 */
export async function takeResetIndex(file: string | undefined): Promise<number | undefined> {
  if (file === undefined) return undefined;
  try {
    const text = (await readFile(file, 'utf8')).trim();
    if (!/^\d{1,15}$/.test(text)) return undefined;
    await rm(file);
    return Number(text);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new HttpError(500, `cannot read and remove ${file}: the file must be the service's own`);
  }
}
