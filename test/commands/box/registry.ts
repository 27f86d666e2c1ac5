import type { EmbeddedOptions } from '../../../src/services/start-services.ts';
import { startedForAll, startedForEach } from '../../support/command-tests.ts';
import { type Home, home, type Ran, type RunOptions } from '../../support/run.ts';
import { services, type TestServices } from '../../support/services.ts';

/** The users: `dev`, whose token is sent, and `ada` with two-factor authentication, and three organizations. */
const owners = {
  users: [
    { name: 'dev', password: 'a long password', email: 'dev@example.com' },
    { name: 'ada', password: 'another password', phone: '+49 151 2345678' },
  ],
  organizations: [
    { name: 'acme', members: { dev: 'write' } },
    { name: 'poor', members: { dev: 'write' }, delinquent: true },
    { name: 'closed', members: { ada: 'write' } },
  ],
} as const;

/** A home directory configured for an embedded box registry. */
export interface BoxService {
  readonly at: Home;
  readonly running: TestServices;
  /** Runs a command line of words without spaces, without pauses between attempts. */
  readonly run: (line: string, options?: RunOptions) => Promise<Ran>;
  /** Runs a command that must succeed, and parses its JSON. */
  readonly json: <Value = Record<string, unknown>>(line: string, options?: RunOptions) => Promise<Value>;
  readonly close: () => Promise<void>;
}

export interface Boxes extends BoxService {
  /** The codes printed by the service. */
  readonly printed: readonly string[];
}

/** An embedded box registry, and a home directory configured for it with the token of `dev`. */
export async function boxes(options: Partial<EmbeddedOptions> = {}): Promise<Boxes> {
  const printed: string[] = [];
  const service = await boxService({
    print: (line) => printed.push(line),
    ...options,
    box: { owners, ...options.box },
  });
  return { ...service, printed };
}

export async function boxService(options: Partial<EmbeddedOptions>): Promise<BoxService> {
  const at = home();
  const running = await services(at, options);
  at.env.LANYARD_BOX_TOKEN = running.embedded.boxToken;
  const random = (length: number) => new Uint8Array(length);
  const run: BoxService['run'] = (line, more) => at.run(line.split(' '), { random, ...more });
  return {
    at,
    running,
    run,
    json: async (line, more) => {
      const ran = await run(`${line} -o json`, more);
      if (ran.code !== 0) throw new Error(`${line}: ${ran.stderr}`);
      return JSON.parse(ran.stdout);
    },
    close: async () => {
      await running.close();
      at.remove();
    },
  };
}

/** A new registry before each test of the file or block. */
export const boxesForEach = (options?: Partial<EmbeddedOptions>): Boxes =>
  startedForEach(() => boxes(options));

/** A registry for all tests of the file or block. */
export const boxesForAll = (options?: Partial<EmbeddedOptions>): Boxes => startedForAll(() => boxes(options));
