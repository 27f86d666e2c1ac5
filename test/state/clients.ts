import { randomBytes } from 'node:crypto';
import { PassThrough } from 'node:stream';
import { createApi } from '../../src/cli/clients/api-factory.ts';
import type { Globals } from '../../src/cli/parse/globals.ts';
import type { Host } from '../../src/command/host.ts';
import type { Io } from '../../src/io/io.ts';
import type { Services } from '../../src/state/kind.ts';
import type { Home } from '../support/run.ts';

/** The clients of the services of a home, as commands get them. */
export function clientsOf(at: Home): Services {
  const silent = () => undefined;
  const host: Host = {
    stdin: Object.assign(new PassThrough(), { isTTY: false }),
    stdout: new PassThrough(),
    stderr: new PassThrough(),
    env: at.env,
    cwd: at.path,
    home: at.path,
    platform: process.platform,
    clock: () => new Date(),
    random: (length) => randomBytes(length),
    signal: new AbortController().signal,
    keyring: undefined,
    selfCommand: [],
    onSignal: () => silent,
    timeout: () => new AbortController().signal,
  };
  return createApi({
    host,
    globals: { dryRun: false, curl: false } as Globals,
    command: {},
    io: { note: silent, warn: silent, detail: silent, setRedaction: silent } as unknown as Io,
    profile: {
      name: undefined,
      read: async () => ({ profiles: {} }),
      credentials: { get: async () => undefined } as never,
    },
    onSuccess: silent,
  });
}
