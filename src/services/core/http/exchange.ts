/** A request and its response, until the response was sent or the connection is closed. */
export class Exchange {
  /** Sends `100 Continue`, if the client waits for it. */
  readonly sendContinue: (() => void) | undefined;
  #controller: AbortController | undefined;
  #ended = false;

  constructor(sendContinue?: () => void) {
    this.sendContinue = sendContinue;
  }

  /** Aborted when the exchange ends. Created when it is first asked for: most requests do not wait. */
  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#ended) this.#controller.abort();
    }
    return this.#controller.signal;
  }

  end(): void {
    this.#ended = true;
    this.#controller?.abort();
  }
}
