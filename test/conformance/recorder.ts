import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { bytesOf, serve } from './server.ts';

/** A request and its response as they were on the wire, without values of headers that carry a token. */
export interface RawExchange {
  readonly step: string;
  readonly method: string;
  readonly path: string;
  readonly requestType: string;
  readonly requestBody: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Recorder {
  /** Where requests go instead of to the service. */
  readonly address: string;
  readonly exchanges: readonly RawExchange[];
  /** The step that the next requests belong to. */
  step: string;
  close(): Promise<void>;
}

// Headers of one connection, which are not passed on.
const hopByHop = ['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'host'];

/**
 * A reverse proxy in front of one service, on a free port of the loopback, that keeps what passes.
 *
 * @param target the address of the service, http or https with a certificate that Node accepts
 */
export async function recorder(target: string): Promise<Recorder> {
  const exchanges: RawExchange[] = [];
  const current = { step: '' };
  const server = await serve(async (method, request, response) => {
    const { step } = current;
    exchanges.push({ step, ...(await pass(method, request, response, target)) });
  });
  return {
    address: server.address,
    exchanges,
    get step() {
      return current.step;
    },
    set step(step) {
      current.step = step;
    },
    close: server.close,
  };
}

async function pass(
  method: string,
  request: IncomingMessage,
  response: ServerResponse,
  target: string,
): Promise<Omit<RawExchange, 'step'>> {
  const requestBody = await bytesOf(request);
  const url = new URL((request.url ?? '/').replace(/^\/*/, '/'), target);
  // As the client wrote it: URL would resolve dots.
  const path = request.url ?? '/';
  const headers = Object.fromEntries(
    Object.entries(request.headers).filter(
      ([name]) => !hopByHop.includes(name) && name !== 'accept-encoding',
    ),
  );
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const outgoing = send({
    hostname: url.hostname,
    port: url.port,
    path,
    method,
    headers,
    agent: false,
  });
  // As it came: with a length, and not in chunks.
  outgoing.useChunkedEncodingByDefault = false;
  outgoing.end(requestBody.length === 0 ? undefined : requestBody);
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
  const body = await bytesOf(incoming);
  const received = Object.fromEntries(
    Object.entries(incoming.headers).filter(([name]) => !hopByHop.includes(name)),
  ) as Record<string, string>;
  response.writeHead(incoming.statusCode ?? 502, received);
  response.end(method === 'HEAD' ? undefined : body);
  return {
    method,
    path,
    requestType: String(request.headers['content-type'] ?? ''),
    requestBody: requestBody.toString(),
    status: incoming.statusCode ?? 0,
    headers: received,
    body: body.toString(),
  };
}
