import { HttpError, type HttpService } from './http-service.ts';

/** What a service responds instead of serving requests. */
export interface InterruptionOptions {
  readonly status: number;
  /** The text of the product. */
  readonly message: string;
  /** Milliseconds (default: until `stop`). */
  readonly ms?: number | undefined;
  /** Number of requests (default: unlimited). */
  readonly requests?: number | undefined;
}

/** A time in which a service serves no requests: a restart, an election. */
export class Interruption {
  readonly #clock: () => Date;
  #current: InterruptionOptions | undefined;
  #endMs = 0;
  #requests = 0;

  constructor(clock: () => Date) {
    this.#clock = clock;
  }

  start(options: InterruptionOptions): void {
    this.#current = options;
    this.#endMs = this.#clock().getTime() + (options.ms ?? Number.POSITIVE_INFINITY);
    this.#requests = options.requests ?? Number.POSITIVE_INFINITY;
  }

  stop(): void {
    this.#current = undefined;
  }

  wrap<Service extends HttpService>(service: Service): Service {
    return {
      ...service,
      handle: async (request) => {
        const error = this.#error();
        return error ? service.errorResponse(error) : service.handle(request);
      },
    };
  }

  #error(): HttpError | undefined {
    const current = this.#current;
    if (!current) return undefined;
    this.#requests -= 1;
    if (this.#requests >= 0 && this.#clock().getTime() < this.#endMs)
      return new HttpError(current.status, current.message);
    this.#current = undefined;
    return undefined;
  }
}
