import type { ClientRequest, IncomingMessage } from 'node:http';

interface Received {
  readonly head: IncomingMessage;
  readonly body: Buffer;
}

/** Sends requests of `node:http` and reads their responses. The signal aborts all that are running. */
export class PlainRequests {
  readonly #running = new Set<ClientRequest>();
  readonly #signal: AbortSignal;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
    // One listener for all: with many requests at once, adding and removing their own takes longer than the rest.
    signal.addEventListener('abort', () => {
      for (const request of this.#running) request.destroy();
    });
  }

  /**
   * Sends an open request with its body, and reads the response.
   *
   * @param timeoutMs until the last byte of the response.
   * @param onData called with the bytes received so far.
   * @throws Error with a code: of the connection, `ECONNRESET` for an incomplete response, `ETIMEDOUT`.
   */
  send(
    request: ClientRequest,
    body: string | Uint8Array | undefined,
    timeoutMs: number,
    onData: (size: number) => void,
  ): Promise<Received> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => request.destroy(errorWith('ETIMEDOUT')), timeoutMs);
      const end = (): void => {
        clearTimeout(timer);
        this.#running.delete(request);
      };
      const fail = (error: Error): void => {
        end();
        reject(error);
      };
      this.#running.add(request);
      request.on('error', fail);
      request.on('response', (head) => {
        const chunks: Buffer[] = [];
        let size = 0;
        head.on('data', (chunk: Buffer) => {
          chunks.push(chunk);
          size += chunk.length;
          onData(size);
        });
        head.on('error', fail);
        head.on('end', () => {
          end();
          if (head.complete) resolve({ head, body: Buffer.concat(chunks) });
          else reject(errorWith('ECONNRESET'));
        });
      });
      if (this.#signal.aborted) request.destroy();
      else request.end(body);
    });
  }

  /** Waits for a time, or until the signal. */
  pause(milliseconds: number): Promise<undefined> {
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        this.#signal.removeEventListener('abort', end);
        resolve(undefined);
      };
      const timer = setTimeout(end, milliseconds);
      if (this.#signal.aborted) end();
      else this.#signal.addEventListener('abort', end);
    });
  }
}

const errorWith = (code: string): Error => Object.assign(new Error(code), { code });
