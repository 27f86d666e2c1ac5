import type { IncomingMessage } from 'node:http';

/** The bytes shown to the parser (`replacement`) for a token that it does not support (`sent`), of equal length. */
const aliases = [
  { method: 'SCAN', sent: Buffer.from('SCAN '), alias: 'LOCK', replacement: Buffer.from('LOCK ') },
  { method: 'LIST', sent: Buffer.from('LIST '), alias: 'LINK', replacement: Buffer.from('LINK ') },
  // The parser skips extra spaces before the target.
  { method: 'RECOVER', sent: Buffer.from('RECOVER '), alias: 'REPORT', replacement: Buffer.from('REPORT  ') },
] as const;

const CR = 13;
const LF = 10;
const blankLine = '\r\n\r\n';

/**
 * Adds the methods LIST, RECOVER and SCAN, which Node's HTTP parser rejects, to a connection: it sees the bytes
 * before the parser and rewrites the method token in place, only where a request begins. For that it tracks
 * where requests end (blank line, then Content-Length bytes or the last chunk) and rewrites only where its
 * own tracking and the parser's agree.
 *
 * Bytes after the end of a request in the same packet (pipelining) are not rewritten, nor is anything later
 * on that connection: a pipelined one of these gets 400, and is never read as another method.
 */
export class MethodReader {
  /** The part of a request that the next byte belongs to; undefined: no longer known. */
  #phase: 'line' | 'head' | 'body' | undefined = 'line';
  #alias: (typeof aliases)[number] | undefined;
  /** Bytes matched of the method token (phase line) or of the blank line (phase head). */
  #matched = 0;
  #method: string | undefined;
  #message: IncomingMessage | undefined;
  #bodyBytes = 0;
  /** The last bytes. A chunked body has at least five: none of the head is among them when it ends. */
  #tail = '';

  /** Inspects, and may rewrite, bytes before the parser sees them. */
  observe(chunk: Buffer): void {
    const message = this.#message;
    if (this.#phase === 'body' && message?.complete) this.#next(message);
    let at = 0;
    if (this.#phase === 'line') at = this.#line(chunk);
    if (this.#phase === 'head') at = this.#head(chunk, at);
    if (this.#phase === 'body') this.#body(chunk, at);
  }

  /** Called with the request that the parser made of the bytes; returns its method as sent. */
  methodOf(message: IncomingMessage): string {
    const method = this.#method;
    const expectedAlias = this.#alias?.alias;
    this.#method = undefined;
    // A second request from the same packet: the state below describes the first.
    if (this.#message) this.#phase = undefined;
    this.#message = message;
    return method !== undefined && message.method === expectedAlias ? method : (message.method ?? '');
  }

  #next(ended: IncomingMessage): void {
    this.#phase = this.#endsPacket(ended) ? 'line' : undefined;
    this.#alias = undefined;
    this.#method = undefined;
    this.#message = undefined;
    this.#matched = 0;
    this.#bodyBytes = 0;
    this.#tail = '';
  }

  /** Reports whether the last packet ended exactly where the request did. */
  #endsPacket({ headers }: IncomingMessage): boolean {
    if (headers['transfer-encoding'] !== undefined) return this.#tail === blankLine;
    return this.#bodyBytes === Number(headers['content-length'] ?? 0);
  }

  #line(chunk: Buffer): number {
    let at = 0;
    if (this.#matched === 0) {
      while (chunk[at] === CR || chunk[at] === LF) at++;
      if (at === chunk.length) return at;
      this.#alias = aliases.find(({ sent, replacement }) => {
        const isSimilar = sent[0] === replacement[0];
        return sent[0] === chunk[at] && (isSimilar || startsAlike(chunk, at, sent));
      });
    }
    if (this.#alias) {
      const { sent, replacement, method } = this.#alias;
      while (at < chunk.length && chunk[at] === sent[this.#matched]) {
        chunk[at++] = replacement[this.#matched++] ?? 0;
      }
      if (this.#matched === sent.length) this.#method = method;
      else if (at === chunk.length) return at;
    }
    this.#phase = 'head';
    this.#matched = 0;
    return at;
  }

  #head(chunk: Buffer, from: number): number {
    for (let at = from; at < chunk.length; at++) {
      const byte = chunk[at];
      if (byte === blankLine.charCodeAt(this.#matched)) this.#matched++;
      else this.#matched = byte === CR ? 1 : 0;
      if (this.#matched === blankLine.length) {
        this.#phase = 'body';
        return at + 1;
      }
    }
    return chunk.length;
  }

  #body(chunk: Buffer, from: number): void {
    this.#bodyBytes += chunk.length - from;
    const last = chunk.subarray(-blankLine.length).toString('latin1');
    this.#tail = (this.#tail + last).slice(-blankLine.length);
  }
}

/** Whether the bytes of a token, as far as they are in a chunk, are those of another: other methods begin with S. */
function startsAlike(chunk: Buffer, at: number, token: Buffer): boolean {
  const seen = chunk.subarray(at, at + token.length);
  return seen.equals(token.subarray(0, seen.length));
}
