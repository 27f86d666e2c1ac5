/**
 * The bytes do not follow the format. The message completes "it is damaged: ..." and does not show the bytes, which
 * may be a private key.
 */
export class MalformedDataError extends Error {}

const printable = /^[\x21-\x7e]{1,64}$/;

/** Reads the data types of RFC 4251 section 5 in order; every length is checked. */
export class WireReader {
  readonly #bytes: Buffer;
  #offset = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** Number of bytes read. */
  get position(): number {
    return this.#offset;
  }

  get isAtEnd(): boolean {
    return this.#offset === this.#bytes.length;
  }

  /** The bytes read since a position. */
  bytesSince(start: number): Buffer {
    return this.#bytes.subarray(start, this.#offset);
  }

  bytes(length: number): Buffer {
    if (length > this.#bytes.length - this.#offset) throw new MalformedDataError('unexpected end of data');
    const start = this.#offset;
    this.#offset += length;
    return this.bytesSince(start);
  }

  uint32(): number {
    return this.bytes(4).readUInt32BE();
  }

  uint64(): bigint {
    return this.bytes(8).readBigUInt64BE();
  }

  string(): Buffer {
    return this.bytes(this.uint32());
  }

  /** A string of exactly this length. */
  fixed(length: number): Buffer {
    const value = this.string();
    if (value.length !== length) throw new MalformedDataError('a field has the wrong length');
    return value;
  }

  /** A name of the protocol: short, printable ASCII. */
  name(): string {
    const value = this.string().toString('latin1');
    if (!printable.test(value)) throw new MalformedDataError('a name is not printable');
    return value;
  }

  /** UTF-8 text; other bytes become U+FFFD, as in OpenSSH. */
  text(): string {
    const value = this.string();
    if (value.includes(0)) throw new MalformedDataError('a string contains a NUL');
    return value.toString('utf8');
  }

  /** A positive multiple precision integer, without the leading zero of the sign. */
  mpint(): Buffer {
    const value = this.string();
    const [first = 0, second = 0] = value;
    const redundant = first === 0 && second < 0x80;
    if (first >= 0x80 || redundant) throw new MalformedDataError('an integer is not in canonical form');
    return first === 0 ? value.subarray(1) : value;
  }

  /** A string that contains a sequence of fields. */
  nested(): WireReader {
    return new WireReader(this.string());
  }

  requireEnd(): void {
    if (!this.isAtEnd) throw new MalformedDataError('trailing data');
  }
}

export function wireUint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

export function wireString(value: string | Uint8Array): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([wireUint32(bytes.length), bytes]);
}
