/** Invalid bytes; the message never contains them. */
export class MalformedError extends Error {}

/** Writes a `uint32` (RFC 4251, section 5). */
export function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** Writes a `uint64` (RFC 4251, section 5). */
export function uint64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(value);
  return bytes;
}

/** Writes a `string` (RFC 4251, section 5): its length, then its bytes; text is UTF-8. */
export function string(value: string | Uint8Array): Buffer {
  const bytes = typeof value === 'string' ? Buffer.from(value) : value;
  return Buffer.concat([uint32(bytes.length), bytes]);
}

/** Writes an unsigned big-endian number of any length as an `mpint` (RFC 4251, section 5). */
export function mpint(magnitude: Uint8Array): Buffer {
  const first = magnitude.findIndex((byte) => byte !== 0);
  if (first < 0) return string('');
  const digits = magnitude.subarray(first);
  const signed = (digits[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.from([0]), digits]) : digits;
  return string(signed);
}

/** The number of significant bits of an unsigned big-endian number without leading zeros. */
export function bitLength(magnitude: Uint8Array): number {
  const [first] = magnitude;
  return first === undefined ? 0 : magnitude.length * 8 - Math.clz32(first) + 24;
}

/** Reads values in SSH wire format from untrusted bytes. Every read throws `MalformedError` if it fails. */
export class WireReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** The remaining bytes. */
  remaining(): Buffer {
    return this.#bytes.subarray(this.#at);
  }

  /** @throws MalformedError if bytes remain. */
  expectEnd(): void {
    if (this.#at !== this.#bytes.length) throw new MalformedError('it has trailing data');
  }

  take(length: number): Buffer {
    const end = this.#at + length;
    if (end > this.#bytes.length) throw new MalformedError('it is cut short');
    const bytes = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return bytes;
  }

  uint32(): number {
    return this.take(4).readUInt32BE();
  }

  string(): Buffer {
    return this.take(this.uint32());
  }

  /** A `string` that is a name. */
  text(): string {
    return this.string().toString('latin1');
  }

  /** A positive `mpint` in its only valid encoding, as an unsigned magnitude without leading zeros. */
  mpint(): Buffer {
    const bytes = this.string();
    const [first, second = 0] = bytes;
    if (first === undefined || first >= 0x80)
      throw new MalformedError('it contains a number that is not positive');
    if (first !== 0) return bytes;
    if (second < 0x80) throw new MalformedError('it contains a number that is not in its shortest form');
    return bytes.subarray(1);
  }
}
