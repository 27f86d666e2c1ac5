import { existsSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, vi } from 'vitest';
import type { EmbeddedOptions } from '../../src/services/start-services.ts';
import { type Home, home, type Ran, type RunOptions } from './run.ts';
import { services, type TestServices } from './services.ts';

/** A home for all tests of the file or block, removed after the last one. */
export function homeForAll(): Home {
  const at = home();
  afterAll(() => at.remove());
  return at;
}

/** A new home before each test of the file or block. */
export function homeForEach(): Home {
  const at = {} as Home;
  beforeEach(() => void Object.assign(at, home()));
  afterEach(() => at.remove());
  return at;
}

/** A home of the running test, removed after it. */
export function homeForTest(): Home {
  const at = home();
  onTestFinished(() => at.remove());
  return at;
}

interface Closing {
  close(): Promise<void>;
}

/** What is started for all tests of the file or block: before the first one, and closed after the last. */
export function startedForAll<Started extends Closing>(start: () => Promise<Started>): Started {
  const started = {} as Started;
  beforeAll(async () => void Object.assign(started, await start()));
  afterAll(() => started.close());
  return started;
}

/** What is started anew before each test of the file or block. */
export function startedForEach<Started extends Closing>(start: () => Promise<Started>): Started {
  const started = {} as Started;
  beforeEach(async () => void Object.assign(started, await start()));
  afterEach(() => started.close());
  return started;
}

/** Embedded services for all tests of the file or block: started before the first one, closed after the last. */
export const servicesForAll = (at: Home, options?: Partial<EmbeddedOptions>): TestServices =>
  startedForAll(() => services(at, options));

/** New embedded services before each test of the file or block. */
export const servicesForEach = (at: Home, options?: Partial<EmbeddedOptions>): TestServices =>
  startedForEach(() => services(at, options));

/** Starts embedded services for the running test, and closes them after it. */
export async function servicesForTest(at: Home, options?: Partial<EmbeddedOptions>): Promise<TestServices> {
  const running = await services(at, options);
  onTestFinished(() => running.close());
  return running;
}

/** The arguments of a line without quotes. */
export const words = (line: string): string[] => line.split(' ').filter((word) => word !== '');

/** Runs lines without quotes, each after the words of `command`. */
export const runnerOf =
  (at: Home, command = '') =>
  (line: string, options?: RunOptions): Promise<Ran> =>
    at.run(words(`${command} ${line}`), options);

/** Runs lines that must succeed without a text on standard error; gives the standard output. */
export const quietRunnerOf = (at: Home, command?: string) =>
  vi.defineHelper(async (line: string, options?: RunOptions): Promise<string> => {
    const { stdout, ...rest } = await runnerOf(at, command)(line, options);
    expect(rest, line).toEqual({ code: 0, stderr: '' });
    return stdout;
  });

const withRunners = (at: Home, running: TestServices) => ({
  at,
  running,
  run: runnerOf(at),
  done: quietRunnerOf(at),
});

/** A home with embedded services for all tests of the file or block, and runners of lines in it. */
export function embeddedForAll(options?: Partial<EmbeddedOptions>) {
  const at = homeForAll();
  return withRunners(at, servicesForAll(at, options));
}

/** The same, new before each test of the file or block. */
export function embeddedForEach(options?: Partial<EmbeddedOptions>) {
  const at = homeForEach();
  return withRunners(at, servicesForEach(at, options));
}

/** Expects this exit code, and these texts on standard error. */
export const expectExit = vi.defineHelper(
  (ran: Ran, code: number, ...texts: readonly (string | RegExp)[]) => {
    expect(ran.code, ran.stderr).toBe(code);
    for (const text of texts) {
      if (typeof text === 'string') expect(ran.stderr).toContain(text);
      else expect(ran.stderr).toMatch(text);
    }
  },
);

/** Expects an exit code and texts on standard error, and an empty standard output. */
export const expectFailure: typeof expectExit = vi.defineHelper((ran, code, ...texts) => {
  expect(ran).toMatchObject({ code, stdout: '' });
  expectExit(ran, code, ...texts);
});

/** Expects an exit code and an error in JSON, and an empty standard output; gives the error. */
// biome-ignore lint/suspicious/noExplicitAny: inspected by tests
export const errorOf = vi.defineHelper((ran: Ran, code: number): any => {
  expectFailure(ran, code);
  return JSON.parse(ran.stderr).error;
});

/** Expects success; gives the standard output. */
export const outputOf = vi.defineHelper(({ code, stdout, stderr }: Ran): string => {
  expect(code, stderr).toBe(0);
  return stdout;
});

/** Expects success without a text on standard error; gives the standard output. */
export const quietOutputOf = vi.defineHelper(({ stdout, ...rest }: Ran): string => {
  expect(rest).toEqual({ code: 0, stderr: '' });
  return stdout;
});

/** Expects success with exactly this standard output, and nothing on standard error. */
export const expectOutput = vi.defineHelper((ran: Ran, stdout: string) => {
  expect(ran).toEqual({ code: 0, stdout, stderr: '' });
});

/** Whether a handler has sent a response, or ended the connection. */
export const hasResponded = ({ headersSent, destroyed, socket }: ServerResponse): boolean =>
  headersSent || destroyed || socket?.destroyed === true;

/** The token file of a home: empty if no token is stored. */
export const storedTokens = (at: Home): string =>
  existsSync(at.file('config/credentials.json')) ? at.read('config/credentials.json') : '';

/** The lines of an output. */
export const linesOf = (output: string): string[] => output.trimEnd().split('\n');

/** The values of an output in JSON lines. */
// biome-ignore lint/suspicious/noExplicitAny: results of commands, inspected by tests
export const jsonLines = (output: string): any[] => linesOf(output).map((line) => JSON.parse(line));
