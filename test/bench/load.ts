import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** The response to one request: status, unparsed head, and body as text, which is decoded when it is read. */
interface Reply {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** The bytes of a request, made once and sent often; an empty token is left out. */
export function encoded(
  method: string,
  path: string,
  token: string,
  body?: object,
  tokenHeader = 'X-Secrets-Token',
): Buffer {
  const text = body === undefined ? '' : JSON.stringify(body);
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'Host: localhost',
    ...(token === '' ? [] : [`${tokenHeader}: ${token}`]),
    ...(text === '' ? [] : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(text)}`]),
  ];
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${text}`);
}

const endOfHead = Buffer.from('\r\n\r\n');

/**
 * A kept connection that sends one request at a time. It reads only responses that have a length or come in chunks: a
 * complete HTTP client would take more of the machine than the service that is measured.
 */
export class Connection {
  readonly #socket: Socket;
  /** What came before the end of the head was seen. */
  #start: Buffer = Buffer.alloc(0);
  #head = '';
  #body: Body | undefined;
  #done: (reply: Reply) => void = () => {};
  #fail: (error: Error) => void = () => {};

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (chunk: Buffer) => this.#take(chunk));
    socket.on('error', (error) => this.#fail(error));
    socket.on('close', () => this.#fail(new Error('the connection was closed')));
  }

  static open(address: string): Promise<Connection> {
    const { hostname, port } = new URL(address);
    return new Promise((done, fail) => {
      const socket = connect({ host: hostname, port: Number(port), noDelay: true });
      socket.once('error', fail);
      socket.once('connect', () => done(new Connection(socket)));
    });
  }

  /** Sends a request. @throws Error the answer is not 200 or 204 */
  async send(request: Buffer): Promise<Reply> {
    const reply = await new Promise<Reply>((done, fail) => {
      this.#done = done;
      this.#fail = fail;
      this.#socket.write(request);
    });
    if (reply.status !== 200 && reply.status !== 204) throw new Error(`${reply.status} ${reply.body}`);
    return reply;
  }

  close(): void {
    this.#socket.destroy();
  }

  #take(chunk: Buffer): void {
    let bytes = chunk;
    if (!this.#body) {
      this.#start = this.#start.length === 0 ? chunk : Buffer.concat([this.#start, chunk]);
      const bodyAt = this.#start.indexOf(endOfHead) + endOfHead.length;
      if (bodyAt < endOfHead.length) return;
      this.#head = this.#start.toString('latin1', 0, bodyAt);
      this.#body = bodyOf(this.#head);
      bytes = this.#start.subarray(bodyAt);
      this.#start = Buffer.alloc(0);
    }
    const body = this.#body;
    if (!body.take(bytes)) return;
    this.#body = undefined;
    const head = this.#head;
    this.#done({
      status: Number(head.slice(9, 12)),
      head,
      get body() {
        return Buffer.concat(body.parts).toString();
      },
    });
  }
}

/** What comes behind a head, piece by piece. */
interface Body {
  readonly parts: readonly Buffer[];
  /** Takes what came; says whether it was the end. */
  take(bytes: Buffer): boolean;
}

function bodyOf(head: string): Body {
  const length = /^content-length: (\d+)/im.exec(head)?.[1];
  return length === undefined && /^transfer-encoding: chunked/im.test(head)
    ? new ChunkedBody()
    : new MeasuredBody(Number(length ?? 0));
}

class MeasuredBody implements Body {
  readonly parts: Buffer[] = [];
  #left: number;

  constructor(length: number) {
    this.#left = length;
  }

  take(bytes: Buffer): boolean {
    this.parts.push(bytes);
    this.#left -= bytes.length;
    return this.#left <= 0;
  }
}

/** The chunks that Go sends: no extensions, no trailers. */
class ChunkedBody implements Body {
  readonly parts: Buffer[] = [];
  /** The line with the size of the next chunk, as far as it came. */
  #line = '';
  /** Bytes that the current chunk still has, with the end of its line. */
  #left = 0;
  #isLast = false;

  take(bytes: Buffer): boolean {
    for (let at = 0; at < bytes.length; ) {
      if (this.#left === 0) {
        const end = bytes.indexOf('\n', at) + 1;
        this.#line += bytes.toString('latin1', at, end === 0 ? bytes.length : end);
        if (end === 0) return false;
        at = end;
        const size = Number.parseInt(this.#line, 16);
        this.#line = '';
        this.#isLast = size === 0;
        this.#left = size + 2;
      }
      const taken = Math.min(this.#left, bytes.length - at);
      const data = Math.min(taken, this.#left - 2);
      if (data > 0) this.parts.push(bytes.subarray(at, at + data));
      at += taken;
      this.#left -= taken;
      if (this.#left === 0 && this.#isLast) return true;
    }
    return false;
  }
}

/** When a load ends: after so many milliseconds, or so many acts. */
export type Extent = { readonly milliseconds: number } | { readonly acts: number };

/** What was seen of a load. */
export interface Seen {
  /** Acts a second. */
  readonly rate: number;
  /** What each act took, in milliseconds. */
  readonly waits: readonly number[];
}

/** Performs an act again and again on some connections at once; `act` gets the number of its turn. */
export async function drive(
  address: string,
  connections: number,
  extent: Extent,
  act: (connection: Connection, turn: number) => Promise<unknown>,
): Promise<Seen> {
  const open = await Promise.all(Array.from({ length: connections }, () => Connection.open(address)));
  const waits: number[] = [];
  const begun = performance.now();
  const goesOn = (turn: number): boolean =>
    'acts' in extent ? turn < extent.acts : performance.now() - begun < extent.milliseconds;
  let turns = 0;
  const caller = async (connection: Connection): Promise<void> => {
    for (let turn = turns++; goesOn(turn); turn = turns++) {
      const started = performance.now();
      await act(connection, turn);
      waits.push(performance.now() - started);
    }
  };
  try {
    await Promise.all(open.map(caller));
    return { rate: waits.length / ((performance.now() - begun) / 1000), waits };
  } finally {
    for (const connection of open) connection.close();
  }
}

/** Performs an act again and again, a pause between two, until it is told to stop; gives what each took, in milliseconds. */
export function watch(
  act: () => Promise<unknown>,
  pauseFor: number,
): { readonly stop: () => Promise<number[]> } {
  const waits: number[] = [];
  let goesOn = true;
  const watching = (async () => {
    while (goesOn) {
      const started = performance.now();
      await act();
      waits.push(performance.now() - started);
      await pause(pauseFor);
    }
  })();
  return {
    async stop() {
      goesOn = false;
      await watching;
      return waits;
    },
  };
}
