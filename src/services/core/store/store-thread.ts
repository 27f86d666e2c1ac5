import { Worker } from 'node:worker_threads';
import { EmbeddedError, messageOf } from '../errors.ts';
import { workerSource } from './store-worker.ts';

interface WorkerResponse {
  readonly rows?: string[];
  /** Whether there are more rows. */
  readonly hasMore?: boolean;
  readonly error?: { readonly kind: string; readonly message: string };
}

/** Sends requests to the thread that owns the database, one at a time. */
export class StoreThread {
  readonly #path: string;
  readonly #worker: Worker;
  #resolve: (response: WorkerResponse) => void = () => {};
  #reject: (error: unknown) => void = () => {};
  #failure: unknown;

  constructor(path: string) {
    this.#path = path;
    this.#worker = new Worker(workerSource, { eval: true, workerData: { path }, execArgv: [] });
    this.#worker.on('message', (response: WorkerResponse) => this.#resolve(response));
    this.#worker.on('error', (error) => this.#fail(messageOf(error)));
    this.#worker.on('exit', () => this.#fail('the storage thread exited'));
  }

  /** Sends changes (keys and values in turn; null: removed), a part of a larger write, or another command. */
  request(
    message: (string | null)[] | { readonly part: (string | null)[] } | 'more' | 'compact' | null,
  ): Promise<WorkerResponse> {
    const response = this.nextResponse();
    this.#worker.postMessage(message);
    return response;
  }

  async nextResponse(): Promise<WorkerResponse> {
    if (this.#failure) throw this.#failure;
    const response = await new Promise<WorkerResponse>((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    if (response.error) throw storeError(this.#path, response.error.kind, response.error.message);
    return response;
  }

  async close(): Promise<void> {
    await this.request(null);
    await this.stop();
  }

  async stop(): Promise<void> {
    await this.#worker.terminate();
  }

  #fail(message: string): void {
    this.#failure ??= new EmbeddedError('write', `cannot write to ${this.#path}: ${message}`);
    this.#reject(this.#failure);
  }
}

export function damagedError(path: string, detail: string): EmbeddedError {
  return new EmbeddedError(
    'data',
    `the database ${path} is damaged (${detail}); restore it from a backup, or move it away to start with an empty one`,
  );
}

function storeError(path: string, kind: string, message: string): EmbeddedError {
  switch (kind) {
    case 'locked':
      return new EmbeddedError(
        kind,
        `${path} is in use by another process; stop that process or choose another directory`,
      );
    case 'damaged':
      return damagedError(path, message);
    case 'foreign':
      return new EmbeddedError('data', `${path} was not created by Lanyard; choose another directory`);
    case 'newer':
      return new EmbeddedError(
        'data',
        `${path} was created by a newer version of Lanyard: ${message}; upgrade Lanyard`,
      );
    default:
      return new EmbeddedError(
        'write',
        `cannot write to ${path}: ${message}${kind === 'full' ? '; free disk space' : ''}`,
      );
  }
}
