import { connect, type Socket } from 'node:net';

export interface Piped {
  readonly method: string;
  readonly path: string;
  readonly token?: string;
  readonly body?: object;
}

export interface PipedReply {
  readonly status: number;
  readonly body: string;
}

/** Sends requests on one connection without waiting for answers, and gives the answers in their order. */
export function pipeline(address: string, requests: readonly Piped[]): Promise<PipedReply[]> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port: Number(new URL(address).port), host: '127.0.0.1' });
    const replies: PipedReply[] = [];
    let received = '';
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      received += chunk;
      let at = 0;
      for (let next = replyAt(received, at); next; next = replyAt(received, at)) {
        replies.push(next.reply);
        at = next.end;
      }
      received = received.slice(at);
      if (replies.length === requests.length) socket.end();
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(replies));
    socket.write(requests.map(bytesOf).join(''));
  });
}

function bytesOf({ method, path, token, body }: Piped): string {
  const text = body === undefined ? '' : JSON.stringify(body);
  const head = `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${Buffer.byteLength(text)}\r\n`;
  return `${head}${token === undefined ? '' : `X-Secrets-Token: ${token}\r\n`}\r\n${text}`;
}

/** Sends requests of any bytes one after the other, on one connection until the service ends it. */
export class RawClient {
  readonly #address: string;
  #socket: Socket | undefined;

  constructor(address: string) {
    this.#address = address;
  }

  /** @returns undefined when the connection ended without an answer */
  ask(request: Buffer): Promise<PipedReply | undefined> {
    const socket = this.#connected();
    return new Promise((resolve) => {
      let received = '';
      const settle = (reply: PipedReply | undefined): void => {
        socket.off('data', look).off('close', lost);
        // A rejection of what is no request is the last answer of its connection.
        if (/\r\nconnection: close/i.test(received)) this.close();
        resolve(reply);
      };
      const lost = () => settle(undefined);
      const look = (chunk: string): void => {
        received += chunk;
        const found = replyAt(received, 0);
        if (found) settle(found.reply);
      };
      socket.on('data', look).on('close', lost);
      socket.write(request);
    });
  }

  close(): void {
    this.#socket?.destroy();
    this.#socket = undefined;
  }

  #connected(): Socket {
    if (!this.#socket || this.#socket.destroyed) {
      const socket = connect({ port: Number(new URL(this.#address).port), host: '127.0.0.1', noDelay: true });
      this.#socket = socket.setEncoding('latin1').on('error', () => {});
    }
    return this.#socket;
  }
}

/** The reply that begins there, if all of it is there. */
function replyAt(received: string, at: number): { reply: PipedReply; end: number } | undefined {
  const headEnd = received.indexOf('\r\n\r\n', at);
  if (headEnd < 0) return undefined;
  const head = received.slice(at, headEnd);
  const end = headEnd + 4 + Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
  if (received.length < end) return undefined;
  return { reply: { status: Number(head.split(' ', 2)[1]), body: received.slice(headEnd + 4, end) }, end };
}
