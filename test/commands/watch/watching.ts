import { createServer, request } from 'node:http';
import { Writable } from 'node:stream';
import { expect } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { listening } from '../../support/ports.ts';
import type { Home, Ran, RunOptions } from '../../support/run.ts';

/** A command that runs until it is interrupted. */
export interface Running {
  /** What it has written to standard output. */
  text(): string;
  stderr(): string;
  /** Its lines as JSON, when there are at least `count`. */
  events(count: number): Promise<Record<string, unknown>[]>;
  /** Waits until standard output matches. */
  until(pattern: RegExp): Promise<void>;
  /** Interrupts it, by default with SIGINT. */
  stop(signal?: 'SIGINT' | 'SIGTERM' | 'SIGHUP'): Promise<Ran>;
  readonly ended: Promise<Ran>;
}

export function running(at: Home, argv: readonly string[], options: RunOptions = {}): Running {
  const end = new AbortController();
  let written = '';
  let message = '';
  const stdout = new Writable({
    write(chunk: Buffer, _encoding, done) {
      written += chunk.toString();
      done();
    },
  });
  const onStderr = (text: string): void => {
    message = text;
  };
  const ended = at.run(argv, { stdout, onStderr, signal: end.signal, ...options });
  const lines = (): string[] => written.split('\n').slice(0, -1);
  return {
    text: () => written,
    stderr: () => message,
    ended,
    async events(count) {
      await eventually(() => expect(lines().length, message).toBeGreaterThanOrEqual(count));
      return lines().map((line) => JSON.parse(line) as Record<string, unknown>);
    },
    async until(pattern) {
      await eventually(() => expect(written).toMatch(pattern));
    },
    async stop(signal = 'SIGINT') {
      end.abort(signal);
      return ended;
    },
  };
}

/** A proxy of a service that can be restarted behind it. */
export interface Relay {
  readonly address: string;
  /** Connects it to another server; undefined: requests end without a response, also those that wait. */
  target(address: string | undefined): void;
  /** Paths with their queries, of requests that were forwarded. */
  readonly paths: readonly string[];
  close(): void;
}

export async function relay(first: string): Promise<Relay> {
  let current: string | undefined = first;
  const paths: string[] = [];
  const server = createServer((incoming, outgoing) => {
    if (current === undefined) return incoming.socket.destroy();
    paths.push(incoming.url ?? '');
    const { method, headers } = incoming;
    const forwarded = request(new URL(incoming.url ?? '/', current), { method, headers }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    });
    forwarded.on('error', () => outgoing.destroy());
    outgoing.on('close', () => forwarded.destroy());
    return incoming.pipe(forwarded);
  });
  const { address } = await listening(server);
  return {
    address,
    paths,
    target(next) {
      current = next;
      server.closeAllConnections();
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
