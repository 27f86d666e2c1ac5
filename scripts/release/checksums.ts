import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const sha256 = (content: Buffer | string): string =>
  createHash('sha256').update(content).digest('hex');

/** The checksum of each file of a folder, by name. */
export const checksumsOf = (folder: string, names: readonly string[]): ReadonlyMap<string, string> =>
  new Map(names.toSorted().map((name) => [name, sha256(readFileSync(join(folder, name)))]));

/** SHA256SUMS, as `sha256sum` writes and reads it. */
export const sumsText = (checksums: ReadonlyMap<string, string>): string =>
  [...checksums].map(([name, sum]) => `${sum}  ${name}\n`).join('');

/** The checksums in SHA256SUMS, by name. @throws Error: a line that is not one */
export function parseSums(text: string): ReadonlyMap<string, string> {
  return new Map(
    text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => {
        const [, sum = '', name = ''] = /^([0-9a-f]{64}) [ *]([^/]+)$/.exec(line) ?? [];
        if (sum === '') throw new Error(`invalid line in SHA256SUMS: ${line}`);
        return [name, sum];
      }),
  );
}
