import { once } from 'node:events';
import type { RequestListener, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { errorCode, LanyardError, osErrorMessage } from '../errors.ts';

/** The local URL to which a provider redirects the browser after a login. */
export type LoginCallback = Awaited<ReturnType<typeof listenForCallback>>;

const callbackPath = '/oidc/callback';

/**
 * Listens for one login on loopback, on IPv4 and IPv6 if the machine has both: otherwise the browser might reach
 * another program.
 *
 * @param port 0: a free one.
 * @throws LanyardError usage: the port is in use or not permitted.
 */
export async function listenForCallback(port: number, signal: AbortSignal) {
  const { createServer } = await import('node:http');
  const received = Promise.withResolvers<URLSearchParams>();
  let expected: string | undefined;
  const onRequest = requestListener((state) => state !== null && state === expected, received.resolve);
  const servers = [createServer(onRequest), createServer(onRequest)] as const;
  /** Stops listening and closes open connections. */
  const close = async (): Promise<void> => {
    for (const server of servers) {
      server.close();
      server.closeAllConnections();
    }
  };
  try {
    const usedPort = await listen(servers[0], port, '127.0.0.1');
    await listen(servers[1], usedPort, '::1').catch((error: unknown) => {
      // Not every machine has IPv6.
      if (!['EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes(errorCode(error) ?? '')) throw error;
    });
    return {
      redirectUri: `http://localhost:${usedPort}${callbackPath}`,
      /**
       * The query of the redirect. A request with another state is from another login: it gets an error page and is
       * ignored.
       *
       * @param seconds maximum time to wait.
       * @throws LanyardError unavailable: the time is up; interrupted.
       */
      waitForQuery(state: string, seconds: number): Promise<URLSearchParams> {
        expected = state;
        return withTimeout(received.promise, seconds, signal);
      },
      close,
    };
  } catch (error) {
    await close();
    const isTaken = errorCode(error) === 'EADDRINUSE';
    throw new LanyardError(
      'usage',
      `cannot listen on port ${port}: ${isTaken ? 'already in use' : osErrorMessage(error)}`,
      {
        hint: 'Choose another port with --callback-port; the auth method must allow its redirect URI.',
        cause: error,
      },
    );
  }
}

async function listen(server: Server, port: number, host: string): Promise<number> {
  server.listen({ port, host, exclusive: true });
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

async function withTimeout<Value>(
  query: Promise<Value>,
  seconds: number,
  signal: AbortSignal,
): Promise<Value> {
  const ended = new AbortController();
  const timeUp = delay(seconds * 1000, undefined, { signal: AbortSignal.any([signal, ended.signal]) }).then(
    () => Promise.reject(timeoutError(seconds)),
    () => Promise.reject(new LanyardError('interrupted', 'interrupted while waiting for the browser')),
  );
  try {
    return await Promise.race([query, timeUp]);
  } finally {
    ended.abort();
  }
}

const timeoutError = (seconds: number) =>
  new LanyardError('unavailable', `login timed out: no redirect from the provider within ${seconds} s`, {
    retryable: true,
    hint: 'Log in again, with a longer --wait.',
  });

/** Responds to every request; only the first one with the expected state completes the login. */
function requestListener(
  isExpected: (state: string | null) => boolean,
  onQuery: (query: URLSearchParams) => void,
): RequestListener {
  let isTaken = false;
  return (request, response) => {
    const hosts = ['localhost', '127.0.0.1', '[::1]'].map((name) => `${name}:${request.socket.localPort}`);
    // Other pages can make a browser send requests to this port under a host name of theirs.
    if (!hosts.includes(request.headers.host ?? '')) return sendPage(response, 421, 'Unknown host.');
    const url = URL.parse(request.url ?? '', 'http://localhost');
    if (url?.pathname !== callbackPath) return sendPage(response, 404, 'Not found.');
    if (request.method !== 'GET') {
      response.setHeader('Allow', 'GET');
      return sendPage(response, 405, 'Only GET is supported.');
    }
    if (isTaken) return sendPage(response, 409, 'This login has already completed.');
    if (!isExpected(url.searchParams.get('state'))) {
      return sendPage(
        response,
        400,
        'This response belongs to another login. Lanyard is still waiting for its own.',
      );
    }
    isTaken = true;
    response.once('close', () => onQuery(url.searchParams));
    return sendPage(response, 200, pageText(url.searchParams));
  };
}

/** At this point it is not known whether the login succeeds. */
function pageText(query: URLSearchParams): string {
  const error = query.get('error');
  if (error === null)
    return 'Lanyard received the response of the provider. Close this page and return to the terminal.';
  const description = query.get('error_description');
  return `The provider rejected the login: ${error}${description === null ? '' : ` (${description})`}. You can close this page.`;
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function sendPage(response: ServerResponse, status: number, message: string): void {
  const escaped = message.slice(0, 1000).replaceAll(/[&<>"']/g, (letter) => escapes[letter] ?? letter);
  const body = `<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<title>Lanyard</title>\n<p>${escaped}</p>\n</html>\n`;
  response.writeHead(status, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    Connection: 'close',
  });
  response.end(body);
}
