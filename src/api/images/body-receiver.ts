import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { BlockRing } from './block-ring.ts';

const headBytes = 16 * 1024;
const collectAfterBytes = 2 * 1024 * 1024;

/**
 * Receives the body of one response into a few blocks, and pauses the connection while none is free.
 *
 * A plain connection with `onread` among its options reads from the socket into the blocks: if the length of the body is
 * known, the HTTP parser gets only the head. That saves two buffers and a copy for each 64 KiB, half of the processor
 * time of a download. Other bodies are copied from the response.
 */
export class BodyReceiver {
  /** An option of the socket (`net.Socket`), for one request only. */
  readonly onread = {
    buffer: (): Uint8Array => (this.#expected === undefined ? this.#head : this.#ring.space()),
    callback: (length: number, bytes: Uint8Array): boolean => this.#read(length, bytes),
  };
  readonly #ring = new BlockRing();
  readonly #head = new Uint8Array(headBytes);
  #socket: Socket | undefined;
  #readsSocket = false;
  #response: IncomingMessage | undefined;
  /** Bytes of the body that are still missing, if they are read from the socket. */
  #expected: number | undefined;
  #isPaused = false;
  #end: { readonly error?: unknown } | undefined;
  #wake: (() => void) | undefined;
  #uncollectedBytes = 0;

  /** Connects it to its request, right after that was made. */
  attach(request: ClientRequest): void {
    request.once('socket', (socket) => {
      this.#socket = socket;
    });
  }

  /** Starts to receive the body; called in the event of the response. */
  begin(response: IncomingMessage): void {
    const { 'content-length': length, 'transfer-encoding': encoding } = response.headers;
    if (this.#readsSocket && length !== undefined && encoding === undefined) this.#expected = Number(length);
    this.#response = response;
    response.on('data', (chunk: Buffer) => this.#copy(chunk));
    response.on('end', () => this.#finish({}));
    response.on('error', (error) => this.#finish({ error }));
    response.on('close', () =>
      this.#finish({ error: Object.assign(new Error('aborted'), { code: 'ECONNRESET' }) }),
    );
  }

  /** The bytes as they arrive, also those before an error. A chunk is valid until the second one after it is requested. */
  async *chunks(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const chunk = this.#ring.take();
      if (this.#isPaused && !this.#ring.isFull) this.#resume();
      if (chunk) yield chunk;
      else if (!this.#end) await this.#change();
      else if ('error' in this.#end) throw this.#end.error;
      else return;
    }
  }

  /** Bytes of the socket: true continues. */
  #read(length: number, bytes: Uint8Array): boolean {
    this.#readsSocket = true;
    if (this.#expected === undefined) {
      // Copied, because a parser may keep what it gets.
      this.#socket?.emit('data', Buffer.from(bytes.subarray(0, length)));
      // The start of the body, if the head has just ended, belongs before what the socket reads next.
      if (this.#expected !== undefined) while (this.#response?.read());
      return true;
    }
    // What follows the body belongs to no request.
    const received = Math.min(length, this.#expected);
    this.#ring.fill(received);
    this.#count(received);
    this.#isPaused = this.#ring.isFull;
    return !this.#isPaused;
  }

  /** Bytes of the response. */
  #copy(chunk: Buffer): void {
    this.#ring.put(chunk);
    this.#count(chunk.length);
    if (this.#ring.isFull && this.#expected === undefined) {
      this.#isPaused = true;
      this.#response?.pause();
    }
    this.#uncollectedBytes += chunk.length;
    if (this.#uncollectedBytes < collectAfterBytes) return;
    this.#uncollectedBytes = 0;
    collectYoungGeneration();
  }

  #count(received: number): void {
    if (this.#expected !== undefined) {
      this.#expected -= received;
      if (this.#expected === 0) this.#end ??= {};
    }
    this.#wake?.();
  }

  #finish(end: { readonly error?: unknown }): void {
    this.#end ??= end;
    this.#wake?.();
  }

  #resume(): void {
    this.#isPaused = false;
    if (this.#expected === undefined) this.#response?.resume();
    else this.#socket?.resume();
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}

// Each chunk of a response has buffers of its own outside of the heap that V8 watches: without this, many megabytes of
// them pile up, more on a busier machine. A collection of the young generation takes less than a millisecond.
let collect: ((options: { readonly type: 'minor' }) => void) | undefined;
function collectYoungGeneration(): void {
  if (collect === undefined) {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') ?? (() => undefined);
  }
  collect?.({ type: 'minor' });
}
