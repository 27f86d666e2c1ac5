import { createServer, type IncomingHttpHeaders, request as send } from 'node:http';
import type { Socket } from 'node:net';
import { MethodReader } from '../../src/services/core/http/method-reader.ts';
import { type ServiceName, serviceNames } from '../../src/wire/services.ts';
import type { Target } from '../conformance/run.ts';
import { listening } from '../support/ports.ts';

/** A request that came through the proxy. */
export interface Passed {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** Its response was broken. */
  readonly faulty: boolean;
}

/** A response as the service sent it. */
export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/**
 * What to do with the response of a request: writes bytes to the client's socket and ends or destroys it.
 * @param reply what the service sent; a response of status 200 where the request was not forwarded
 */
export type Play = (socket: Socket, reply: Reply, request: Omit<Passed, 'faulty'>) => void;

/** What the proxy does with the requests that come. */
export interface Plan {
  readonly play: Play;
  /** The requests whose response is broken; `count` is the number of requests that were picked before. */
  readonly picks: (request: Omit<Passed, 'faulty'>, count: number) => boolean;
  /** Broken responses come after the service has done what was asked; else it never sees the request. */
  readonly forwards: boolean;
}

export interface FaultProxy {
  /** The targets, with addresses of the proxy. */
  readonly targets: Readonly<Record<ServiceName, Target>>;
  /** The requests since the last `begin`. */
  readonly passed: Passed[];
  /** The last response of a picked request that was forwarded. */
  readonly lost: () => Reply | undefined;
  /** Forgets what came, and follows another plan; without one, everything passes. */
  readonly begin: (plan?: Plan) => void;
  /** Until the next `begin`: called with each request; one is forwarded when its promise is fulfilled. */
  readonly hold: (wait: (request: Omit<Passed, 'faulty'>) => Promise<void> | undefined) => void;
  readonly close: () => Promise<void>;
}

/** Reads that are sent as a POST, because a secret or a list is in the body. */
const questions =
  /^\/v1\/(auth\/token\/lookup(-accessor)?|auth\/[^/]+\/role\/[^/]+\/secret-id-accessor\/lookup|sys\/(capabilities[\w-]*|leases\/lookup))$/;

export const isWrite = ({ method, url = '' }: { readonly method: string; readonly url?: string }): boolean =>
  !['GET', 'HEAD', 'LIST'].includes(method) && !questions.test(url);

/** Starts one proxy in front of each service. Between plans all connections end. */
export async function faultProxy(behind: Readonly<Record<ServiceName, Target>>): Promise<FaultProxy> {
  const passed: Passed[] = [];
  const sockets = new Set<Socket>();
  const readers = new WeakMap<Socket, MethodReader>();
  let plan: Plan | undefined;
  let picked = 0;
  let lost: Reply | undefined;
  let wait: Parameters<FaultProxy['hold']>[0] | undefined;
  const started = await Promise.all(
    serviceNames.map(async (service) => {
      const { address } = behind[service];
      const server = createServer({ keepAliveTimeout: 60_000 }, async (request, response) => {
        const method = readers.get(request.socket)?.methodOf(request) ?? '';
        const chunks: Buffer[] = [];
        try {
          for await (const chunk of request) chunks.push(chunk);
        } catch {
          return;
        }
        const body = Buffer.concat(chunks);
        const { url = '', headers } = request;
        const seen = { method, url, headers, body: body.toString() };
        const now = plan;
        const faulty = now?.picks(seen, picked) ?? false;
        passed.push({ ...seen, faulty });
        await wait?.(seen);
        if (!now || !faulty) {
          const reply = await forward(address, seen, body);
          return void response.writeHead(reply.status, contentOf(reply)).end(reply.body);
        }
        picked++;
        const reply = now.forwards ? await forward(address, seen, body) : nothing;
        if (now.forwards) lost = reply;
        now.play(request.socket, reply, seen);
      });
      server.on('connection', (socket) => {
        sockets.add(socket);
        const reader = new MethodReader();
        readers.set(socket, reader);
        socket.prependListener('data', (chunk: Buffer) => reader.observe(chunk));
        socket.on('error', () => {}).on('close', () => sockets.delete(socket));
      });
      const listened = await listening(server);
      return { service, server, target: { ...behind[service], address: listened.address } };
    }),
  );
  const endAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    targets: Object.fromEntries(started.map(({ service, target }) => [service, target])) as Record<
      ServiceName,
      Target
    >,
    passed,
    lost: () => lost,
    begin(next) {
      endAll();
      passed.length = 0;
      picked = 0;
      lost = undefined;
      plan = next;
      wait = undefined;
    },
    hold(next) {
      wait = next;
    },
    async close() {
      endAll();
      await Promise.all(
        started.map(({ server }) => new Promise<void>((resolve) => server.close(() => resolve()))),
      );
    },
  };
}

const nothing: Reply = {
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from('{}'),
};

const contentOf = ({ headers, body }: Reply): Record<string, string | string[]> => {
  const { connection: _connection, 'transfer-encoding': _coding, 'keep-alive': _kept, ...kept } = headers;
  const fields = Object.entries(kept).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  return { ...Object.fromEntries(fields), 'content-length': String(body.length) };
};

function forward(
  address: string,
  { method, url, headers }: Pick<Passed, 'method' | 'url' | 'headers'>,
  body: Buffer,
): Promise<Reply> {
  const { host: _host, connection: _connection, ...kept } = headers;
  return new Promise((resolve, reject) => {
    const request = send(
      address + (method === 'LIST' ? `${url}${url.includes('?') ? '&' : '?'}list=true` : url),
      { method: method === 'LIST' ? 'GET' : method, headers: kept, agent: false },
      async (response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of response) chunks.push(chunk);
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) });
      },
    );
    request.on('error', reject);
    request.end(body);
  });
}
