import { redact, type Secret } from '../../api/redaction.ts';

/** How many secrets of earlier requests are kept: a program may run for months. */
const defaultMax = 10_000;

/** The secrets of requests, which later messages may repeat. */
export class SentSecrets {
  readonly #secrets = new Map<string, Secret>();
  readonly #max: number;

  /** @param max how many secrets of earlier requests are kept, the latest. */
  constructor(max = defaultMax) {
    this.#max = max;
  }

  /** Adds the secrets of a request, before it is sent. */
  add(secrets: readonly Secret[]): void {
    for (const secret of secrets) {
      this.#secrets.delete(String(secret));
      this.#secrets.set(String(secret), secret);
    }
    for (const key of this.#secrets.keys()) {
      if (this.#secrets.size <= this.#max + secrets.length) return;
      this.#secrets.delete(key);
    }
  }

  /** A text without them. */
  redact(text: string): string {
    return redact(text, [...this.#secrets.values()]);
  }
}
