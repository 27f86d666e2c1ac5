import type { EmbeddedOptions } from '../../src/dev/server.ts';
import { type Home, home, type Ran, type RunOptions } from '../support/run.ts';
import { services, type TestServices } from '../support/services.ts';

/** Who there is: `dev`, whose token calls carry, `ada` with two factors, and three organisations. */
const owners = {
  users: [
    { name: 'dev', password: 'a long password', email: 'dev@example.com' },
    { name: 'ada', password: 'another password', phone: '+49 151 2345678' },
  ],
  organisations: [
    { name: 'acme', members: { dev: 'write' } },
    { name: 'poor', members: { dev: 'write' }, delinquent: true },
    { name: 'closed', members: { ada: 'write' } },
  ],
} as const;

export interface Boxes {
  readonly at: Home;
  readonly running: TestServices;
  /** What the service showed to the person at the machine: codes. */
  readonly printed: readonly string[];
  /** Runs a command line whose words have no spaces. */
  readonly run: (line: string, options?: RunOptions) => Promise<Ran>;
  /** Runs one that has to succeed, and reads its JSON. */
  readonly json: <Value = Record<string, unknown>>(line: string, options?: RunOptions) => Promise<Value>;
  readonly close: () => Promise<void>;
}

/** An embedded box registry, and a home whose runs are pointed at it with the token of `dev`. */
export async function boxes(options: Partial<EmbeddedOptions> = {}): Promise<Boxes> {
  const at = home();
  const printed: string[] = [];
  const running = await services(at, {
    print: (line) => printed.push(line),
    ...options,
    box: { owners, ...options.box },
  });
  at.env.LANYARD_BOX_TOKEN = running.embedded.boxToken;
  // Pauses between attempts are nothing.
  const random = (length: number) => new Uint8Array(length);
  const run: Boxes['run'] = (line, more) => at.run(line.split(' '), { random, ...more });
  return {
    at,
    running,
    printed,
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
