import { createHash, randomBytes } from 'node:crypto';
import type { EmbeddedOptions } from '../../../src/services/start-services.ts';
import { startedForAll } from '../../support/command-tests.ts';
import type { RunOptions } from '../../support/run.ts';
import { type BoxService, boxService } from './registry.ts';

export interface Images extends BoxService {
  readonly address: string;
  readonly token: string;
  readonly json: (line: string, options?: RunOptions) => Promise<Json>;
  /** A file of random bytes in the home directory. */
  readonly image: (
    name: string,
    bytes: number,
  ) => { readonly name: string; readonly bytes: Buffer; readonly sha256: string };
}

// biome-ignore lint/suspicious/noExplicitAny: responses of a service, inspected by tests
export type Json = any;

export const sumOf = (bytes: Buffer, type = 'sha256'): string => createHash(type).update(bytes).digest('hex');

/** An embedded box registry of user `dev`, and a home directory configured for it. */
export async function images(options: Partial<EmbeddedOptions> = {}): Promise<Images> {
  const service = await boxService(options);
  return {
    ...service,
    address: service.running.addresses.box,
    token: service.running.embedded.boxToken,
    image: (name, length) => {
      const bytes = randomBytes(length);
      service.at.write(name, bytes);
      return { name, bytes, sha256: sumOf(bytes) };
    },
  };
}

/** A registry for all tests of the file. */
export const imagesForAll = (): Images => startedForAll(() => images());
