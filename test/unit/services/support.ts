import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type Agent, request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause, setImmediate } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { generatedPasswordCost } from '../../../src/services/core/password.ts';
import type { Engine, EngineParts, EngineRequest } from '../../../src/services/secrets/engine.ts';
import {
  type EmbeddedOptions,
  type EmbeddedServices,
  startServices,
} from '../../../src/services/start-services.ts';
import { formatJson, type Json, parseJson } from '../../../src/wire/json.ts';
import type { ServiceName } from '../../../src/wire/services.ts';
import { observe } from '../../support/openapi.ts';

export const freePorts = { secrets: 0, registry: 0, box: 0, scheduler: 0, accounts: 0 };

/** A private directory, removed after the test. */
export async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'lanyard-dev-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

/**
 * A small engine for tests of the code around engines: `public` needs no token, `echo/...` returns the
 * request, `things/...` can be written, read, listed and deleted, `slow` takes 100 ms, `broken` fails,
 * `lent/...` writes a thing of that name and leases it for `for` seconds, `who` shows the caller's entity,
 * `options` those of the mount, `then/ID` the keys of a snapshot, `use/...` uses a key and creates it if it
 * is missing.
 */
export function shelf({ storage, options, snapshot }: EngineParts): Engine {
  const echo = ({ operation, path, data, headers, displayName }: EngineRequest) => ({
    data: { operation, path, data: { ...data }, headers: { ...headers }, displayName },
  });
  return {
    type: 'shelf',
    access: (operation, path) => (operation === 'read' && path === 'public' ? 'none' : 'token'),
    exists(path) {
      if (path.startsWith('use/')) return storage.get('key') !== undefined;
      return path.startsWith('things/') ? storage.get(path) !== undefined : undefined;
    },
    revoke: (internal) => storage.write([{ key: String(internal) }]),
    async handle(asked) {
      const { operation, path, data } = asked;
      if (path === 'public') return { text: { contentType: 'text/plain', body: 'for all\n' } };
      if (path === 'broken') throw new Error('the combination is 1234');
      if (path === 'slow') await pause(100);
      if (path === 'who') return { data: { entity: (asked.entity ?? null) as unknown as Json } };
      if (path === 'options') return { data: { ...options } };
      if (path.startsWith('use/')) {
        if (operation === 'create') await storage.write([{ key: 'key', value: 'made' }]);
        return { data: { key: storage.get('key') ?? null } };
      }
      if (path.startsWith('then/')) {
        const then = snapshot?.(path.slice('then/'.length));
        return then && { data: { keys: then.keys('') } };
      }
      if (path.startsWith('lent/')) {
        const key = path.replace('lent', 'things');
        await storage.write([{ key, value: true }]);
        return { data: { key }, lease: { duration: Number(data.for ?? 60), internal: key } };
      }
      if (!path.startsWith('things')) return echo(asked);
      if (operation === 'list') {
        return { data: { keys: storage.keys('things/').map((key) => key.slice('things/'.length)) } };
      }
      if (operation === 'read') {
        const kept = storage.get(path);
        return kept === undefined ? undefined : { data: { kept } };
      }
      await storage.write([operation === 'delete' ? { key: path } : { key: path, value: { ...data } }]);
      return undefined;
    },
  };
}

export interface Started extends EmbeddedServices {
  readonly addresses: Readonly<Record<ServiceName, string>>;
  readonly logged: string[];
}

export const rootToken = 'hvs.test-root-token';

/** Starts the embedded services on free ports; closed after the test. */
export async function start(options: Partial<EmbeddedOptions> = {}): Promise<Started> {
  const logged: string[] = [];
  const services = await startServices({
    clock: () => new Date(),
    random: (length) => randomBytes(length),
    version: '9.8.7',
    scryptCost: generatedPasswordCost,
    rootToken,
    log: (line) => logged.push(line),
    engines: { shelf },
    ...options,
  });
  const observed = observe(services.services);
  onTestFinished(async () => {
    await services.close();
    observed.verify();
  });
  return { ...services, addresses: await services.listen(freePorts), logged };
}

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
  /** The body as JSON; undefined if it is not JSON. */
  readonly json: { readonly [name: string]: Json } | undefined;
}

export interface Call {
  readonly token?: string | null;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Default: a connection per call. */
  readonly agent?: Agent;
}

/** One request; its path is sent unchanged. Sends the root token unless another one or null is given. */
export function call(address: string, method: string, path: string, options: Call = {}): Promise<Reply> {
  const { token = rootToken, body, headers, agent = false } = options;
  const { hostname, port } = new URL(address);
  const text = body === undefined || typeof body === 'string' ? body : formatJson(body);
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        hostname,
        port,
        method,
        path,
        agent,
        headers: {
          ...(token === null ? {} : { 'X-Secrets-Token': token }),
          ...(text === undefined ? {} : { 'Content-Length': Buffer.byteLength(text) }),
          ...headers,
        },
      },
      async (response) => {
        try {
          let received = '';
          for await (const chunk of response) received += chunk;
          resolve(reply(response.statusCode ?? 0, response.headers as Reply['headers'], received));
        } catch (error) {
          reject(error);
        }
      },
    );
    sent.on('error', reject);
    sent.end(text);
  });
}

function reply(status: number, headers: Reply['headers'], text: string): Reply {
  let json: Reply['json'];
  try {
    json = parseJson(text) as { [name: string]: Json };
  } catch {
    json = undefined;
  }
  return { status, headers, text, json };
}

/**
 * Sends pieces of bytes on one connection to a server of this process, one packet each; returns at least the
 * expected number of responses, and what else the server sends until it closes the connection.
 */
export async function raw(
  address: string,
  pieces: readonly (string | Buffer)[],
  expected = 1,
): Promise<Reply[]> {
  const { port } = new URL(address);
  const socket = connect({ port: Number(port), host: '127.0.0.1', noDelay: true });
  let received = '';
  const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()));
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1');
  });
  socket.on('error', () => {});
  await once(socket, 'connect');
  const responses = async (count: number): Promise<void> => {
    while (!socket.destroyed && replies(received).length < count) {
      await Promise.race([closed, new Promise((resolve) => socket.once('data', resolve))]);
    }
  };
  let sent = '';
  for (const piece of pieces) {
    socket.write(piece);
    sent += typeof piece === 'string' ? piece : piece.toString('latin1');
    // What is written to a connection of this process is read in the next turn of its event loop.
    for (let turn = 0; turn < 3; turn++) await setImmediate();
    // Each request gets its own packet: the next piece waits for the response to a complete request.
    await responses(completeRequests(sent));
  }
  await responses(expected);
  // The server sends what it still has to send, and closes its half.
  socket.end();
  await closed;
  return replies(received);
}

/** The number of complete requests in the sent bytes: a head, and its body by length or in chunks. */
function completeRequests(sent: string): number {
  let count = 0;
  let rest = sent;
  for (;;) {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) return count;
    const requestHead = rest.slice(0, end);
    rest = rest.slice(end + 4);
    if (/^transfer-encoding:/im.test(requestHead)) {
      const last = rest.search(/(^|\r\n)0\r\n\r\n/);
      if (last < 0) return count;
      rest = rest.slice(rest.indexOf('0\r\n\r\n', last) + 5);
    } else {
      const length = Number(/^content-length: *(\d+)/im.exec(requestHead)?.[1] ?? 0);
      if (rest.length < length) return count;
      rest = rest.slice(length);
    }
    count += 1;
  }
}

function replies(received: string): Reply[] {
  const found: Reply[] = [];
  let rest = received;
  while (rest.startsWith('HTTP/1.1 ')) {
    const [head = '', ...others] = rest.split('\r\n\r\n');
    const [line = '', ...lines] = head.split('\r\n');
    const headers = Object.fromEntries(
      lines.map((each): [string, string] => {
        const at = each.indexOf(': ');
        return [each.slice(0, at).toLowerCase(), each.slice(at + 2)];
      }),
    );
    const length = Number(headers['content-length'] ?? 0);
    const after = others.join('\r\n\r\n');
    found.push(reply(Number(line.split(' ')[1]), headers, after.slice(0, length)));
    rest = after.slice(length);
  }
  return found;
}

/** The head of a request with the root token. */
export function head(method: string, path: string, headers: Readonly<Record<string, string>> = {}): string {
  const lines = Object.entries({ Host: 'localhost', 'X-Secrets-Token': rootToken, ...headers });
  return `${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
}
