import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import type { Request } from '../request.ts';

/** What a sender needs of one request. */
interface SenderInput {
  readonly request: Request;
  /**
   * Opens it, once.
   *
   * @param native options for `node:http`; default: the options of the request, on a kept connection.
   */
  readonly open: (native?: RequestOptions) => ClientRequest;
  /** Until the last byte of the response. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Called with the number of bytes of the body received so far. */
  readonly onData: (size: number) => void;
}

/** A complete response. */
interface Received {
  readonly head: IncomingMessage;
  readonly body: Uint8Array;
}

/**
 * Sends one request and receives its response, whatever that is. A sender decides nothing: no retry, no redirect, no
 * check of the status.
 *
 * @throws Error with a code: of the connection, `ECONNRESET` for an incomplete response, `ETIMEDOUT`.
 */
export type Sender = (input: SenderInput) => Promise<Received>;

let gotModule: Promise<typeof import('got')> | undefined;

/**
 * Sends with got. It is loaded with the first request: an `import()` in a bundle copies the exports of the module every
 * time.
 */
export const sendByGot: Sender = async ({ request, open, timeoutMs, signal, onData }) => {
  gotModule ??= import('got');
  const { default: got } = await gotModule;
  const { method, url, headers, body } = request;
  const responding = got(url, {
    method,
    headers,
    responseType: 'buffer',
    timeout: { request: timeoutMs },
    signal,
    retry: { limit: 0 },
    followRedirect: false,
    throwHttpErrors: false,
    decompress: false,
    request: (_url, native) => {
      const sent = open(native);
      if (body !== undefined) sent.write(body); // As an option, got would load undici for it.
      return sent;
    },
  });
  responding.on('downloadProgress', ({ transferred }) => onData(transferred));
  const head = await responding;
  return { head, body: head.rawBody };
};

/**
 * Sends with `node:http` alone, on a kept connection: got takes longer to load and to check its options than a service
 * to respond.
 */
export const sendLightly: Sender = ({ request: { body }, open, timeoutMs, signal, onData }) =>
  new Promise((resolve, reject) => {
    const running = runningUntil(signal);
    const sent = open();
    const timer = setTimeout(() => sent.destroy(errorWith('ETIMEDOUT')), timeoutMs);
    const end = (): void => {
      clearTimeout(timer);
      running.delete(sent);
    };
    const fail = (error: Error): void => {
      end();
      reject(error);
    };
    running.add(sent);
    sent.on('error', fail);
    sent.on('response', (head) => {
      const chunks: Buffer[] = [];
      let size = 0;
      head.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        size += chunk.length;
        onData(size);
      });
      // Of an incomplete response.
      head.on('error', fail);
      head.on('end', () => {
        end();
        resolve({ head, body: Buffer.concat(chunks) });
      });
    });
    if (signal.aborted) sent.destroy();
    else sent.end(body);
  });

const running = new WeakMap<AbortSignal, Set<ClientRequest>>();

/**
 * The requests that a signal ends. One listener for all: with many requests at once, adding and removing their own takes
 * longer than the rest.
 */
function runningUntil(signal: AbortSignal): Set<ClientRequest> {
  const known = running.get(signal);
  if (known) return known;
  const requests = new Set<ClientRequest>();
  running.set(signal, requests);
  signal.addEventListener('abort', () => {
    for (const request of requests) request.destroy();
  });
  return requests;
}

const errorWith = (code: string): Error => Object.assign(new Error(code), { code });
