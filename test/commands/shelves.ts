import { words } from '../support/command-tests.ts';
import type { Home, Ran, RunOptions } from '../support/run.ts';
import type { TestServer } from '../unit/api/support.ts';

/** The received requests that change something. */
export interface Changes {
  /** `PUT /v1/var/…`. */
  writes(): string[];
  bodies(): unknown[];
}

export function changesOf({ seen }: TestServer): Changes {
  const changing = () => seen.filter(({ method }) => method !== 'GET');
  return {
    writes: () => changing().map(({ method, url }) => `${method} ${url}`),
    bodies: () => changing().map(({ body }) => (body === '' ? undefined : JSON.parse(body))),
  };
}

type Runner = (
  server: Pick<TestServer, 'url'>,
  line: string | readonly string[],
  options?: RunOptions,
) => Promise<Ran>;

/**
 * Runs command lines, each after the words of `command`, against a server.
 *
 * @param envOf the settings that name the server
 */
export const runnerAgainst =
  (at: Home, envOf: (url: string) => Readonly<Record<string, string>>, command = ''): Runner =>
  (server, line, options = {}) =>
    at.run([...words(command), ...(typeof line === 'string' ? words(line) : line)], {
      ...options,
      env: { ...envOf(server.url), ...options.env },
    });
