import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll } from 'vitest';
import type { EmbeddedOptions } from '../../../src/services/start-services.ts';
import { type Home, home, type Ran, type RunOptions } from '../../support/run.ts';
import { services } from '../../support/services.ts';

export interface Images {
  readonly at: Home;
  readonly address: string;
  readonly token: string;
  /** Runs a command line of words without spaces, without pauses between attempts. */
  readonly run: (line: string, options?: RunOptions) => Promise<Ran>;
  /** Runs a command that must succeed, and parses its JSON. */
  readonly json: (line: string, options?: RunOptions) => Promise<Json>;
  /** A file of random bytes in the home directory. */
  readonly image: (
    name: string,
    bytes: number,
  ) => { readonly name: string; readonly bytes: Buffer; readonly sha256: string };
  readonly close: () => Promise<void>;
}

// biome-ignore lint/suspicious/noExplicitAny: responses of a service, inspected by tests
export type Json = any;

export const sumOf = (bytes: Buffer, type = 'sha256'): string => createHash(type).update(bytes).digest('hex');

/** An embedded box registry of user `dev`, and a home directory configured for it. */
export async function images(options: Partial<EmbeddedOptions> = {}): Promise<Images> {
  const at = home();
  const running = await services(at, options);
  const token = running.embedded.boxToken;
  at.env.LANYARD_BOX_TOKEN = token;
  const random = (length: number) => new Uint8Array(length);
  const run: Images['run'] = (line, more) => at.run(line.split(' '), { random, ...more });
  return {
    at,
    address: running.addresses.box,
    token,
    run,
    json: async (line, more) => {
      const ran = await run(`${line} -o json`, more);
      if (ran.code !== 0) throw new Error(`${line}: ${ran.code} ${ran.stderr}`);
      return JSON.parse(ran.stdout);
    },
    image: (name, length) => {
      const bytes = randomBytes(length);
      at.write(name, bytes);
      return { name, bytes, sha256: sumOf(bytes) };
    },
    close: async () => {
      await running.close();
      at.remove();
    },
  };
}

/** A registry for all tests of the file. */
export function imagesForAll(): Images {
  const all = {} as Images;
  beforeAll(async () => void Object.assign(all, await images()));
  afterAll(() => all.close());
  return all;
}
