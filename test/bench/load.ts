import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** An answer to one request: its status, its head as it came, and its body as text. */
interface Reply {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** The bytes of a request, made once and sent often; an empty token is left out. */
export function encoded(method: string, path: string, token: string, body?: object): Buffer {
  const text = body === undefined ? '' : JSON.stringify(body);
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'Host: localhost',
    ...(token === '' ? [] : [`X-Secrets-Token: ${token}`]),
    ...(text === '' ? [] : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(text)}`]),
  ];
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${text}`);
}

const endOfHead = Buffer.from('\r\n\r\n');

/**
 * A kept-alive connection with one request on its way at a time. It knows only answers that tell their length: a
 * whole HTTP client would take more of the machine than the service that is measured.
 */
export class Connection {
  readonly #socket: Socket;
  #received: Buffer = Buffer.alloc(0);
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
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
    const bodyAt = this.#received.indexOf(endOfHead) + endOfHead.length;
    if (bodyAt < endOfHead.length) return;
    const head = this.#received.toString('latin1', 0, bodyAt);
    const length = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0);
    if (this.#received.length < bodyAt + length) return;
    const body = this.#received.toString('utf8', bodyAt, bodyAt + length);
    this.#received = Buffer.alloc(0);
    this.#done({ status: Number(head.slice(9, 12)), head, body });
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
