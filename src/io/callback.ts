import type { RequestListener, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { errorCode, LanyardError, reason } from '../errors.ts';

/** The address of this machine that a provider sends the browser back to after a login. */
export interface Callback {
  /** `http://localhost:PORT/oidc/callback` */
  readonly redirectUri: string;
  /**
   * The query that the browser comes back with. A request with another state is told so, and waited past: it is
   * not from this login.
   *
   * @param seconds how long to wait.
   * @throws LanyardError unavailable: no one came in time; interrupted.
   */
  answer(state: string, seconds: number): Promise<URLSearchParams>;
  /** Listens no more, and ends what is open. */
  close(): Promise<void>;
}

const path = '/oidc/callback';

/**
 * Listens for one login on loopback, in both of its forms where the machine has both: another program on the
 * other one would be sent the browser.
 *
 * @param port 0: a free one.
 * @throws LanyardError usage: the port is taken, or may not be used.
 */
export async function callback(port: number, signal: AbortSignal): Promise<Callback> {
  const { createServer } = await import('node:http');
  const back = Promise.withResolvers<URLSearchParams>();
  let expected: string | undefined;
  const visited = visitor((state) => state !== null && state === expected, back.resolve);
  const servers = [createServer(visited), createServer(visited)] as const;
  const close = async (): Promise<void> => {
    for (const server of servers) {
      server.close();
      server.closeAllConnections();
    }
  };
  try {
    const used = await listen(servers[0], port, '127.0.0.1');
    await listen(servers[1], used, '::1').catch((error: unknown) => {
      // Not every machine has the other form.
      if (!['EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes(errorCode(error) ?? '')) throw error;
    });
    return {
      redirectUri: `http://localhost:${used}${path}`,
      answer(state, seconds) {
        expected = state;
        return inTime(back.promise, seconds, signal);
      },
      close,
    };
  } catch (error) {
    await close();
    const taken = errorCode(error) === 'EADDRINUSE';
    throw new LanyardError(
      'usage',
      `cannot listen on port ${port}: ${taken ? 'already in use' : reason(error)}`,
      {
        hint: 'Choose another port with --callback-port; the auth method must allow its redirect URI.',
        cause: error,
      },
    );
  }
}

function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((done, failed) => {
    server.once('error', failed);
    server.listen({ port, host, exclusive: true }, () => {
      server.off('error', failed);
      done((server.address() as AddressInfo).port);
    });
  });
}

async function inTime<Value>(coming: Promise<Value>, seconds: number, signal: AbortSignal): Promise<Value> {
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = () => reject(new LanyardError('interrupted', 'interrupted while waiting for the browser'));
  const timer = setTimeout(() => reject(nobody(seconds)), seconds * 1000);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    return await Promise.race([coming, promise]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}

const nobody = (seconds: number) =>
  new LanyardError('unavailable', `login timed out: no redirect from the provider within ${seconds} s`, {
    retryable: true,
    hint: 'Log in again, with a longer --wait.',
  });

/** Answers whoever visits; the first visit with the expected state is the one that is handed on. */
function visitor(
  isExpected: (state: string | null) => boolean,
  handOn: (query: URLSearchParams) => void,
): RequestListener {
  let taken = false;
  return (request, response) => {
    const hosts = ['localhost', '127.0.0.1', '[::1]'].map((name) => `${name}:${request.socket.localPort}`);
    // Pages elsewhere can make a browser ask here under a name of theirs.
    if (!hosts.includes(request.headers.host ?? '')) return page(response, 421, 'Unknown host.');
    const url = URL.parse(request.url ?? '', 'http://localhost');
    if (url?.pathname !== path) return page(response, 404, 'Not found.');
    if (request.method !== 'GET') {
      response.setHeader('Allow', 'GET');
      return page(response, 405, 'Only GET is supported.');
    }
    if (taken) return page(response, 409, 'This login has already completed.');
    if (!isExpected(url.searchParams.get('state'))) {
      return page(
        response,
        400,
        'This response belongs to another login. Lanyard is still waiting for its own.',
      );
    }
    taken = true;
    response.once('close', () => handOn(url.searchParams));
    return page(response, 200, whatItSays(url.searchParams));
  };
}

/** What is known at that moment: whether the login succeeds is only seen later. */
function whatItSays(query: URLSearchParams): string {
  const error = query.get('error');
  if (error === null)
    return 'Lanyard received the response of the provider. Close this page and return to the terminal.';
  const why = query.get('error_description');
  return `The provider rejected the login: ${error}${why === null ? '' : ` (${why})`}. You can close this page.`;
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function page(response: ServerResponse, status: number, words: string): void {
  const shown = words.slice(0, 1000).replaceAll(/[&<>"']/g, (letter) => escapes[letter] ?? letter);
  const body = `<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<title>Lanyard</title>\n<p>${shown}</p>\n</html>\n`;
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
