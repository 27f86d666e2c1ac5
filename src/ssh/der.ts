const integer = 0x02;
const bitString = 0x03;
const sequence = 0x30;
const dsaIdentifier = Buffer.from('06072a8648ce380401', 'hex');

/**
 * A DSA public key as SubjectPublicKeyInfo (RFC 3279 section 2.3.2), the only format that node:crypto imports; it
 * imports other keys as JSON Web Keys. The numbers are unsigned, big endian.
 */
export function dsaPublicKey(p: Buffer, q: Buffer, g: Buffer, y: Buffer): Buffer {
  const parameters = der(sequence, unsigned(p), unsigned(q), unsigned(g));
  const key = der(bitString, Buffer.of(0), unsigned(y));
  return der(sequence, der(sequence, dsaIdentifier, parameters), key);
}

function unsigned(value: Buffer): Buffer {
  const [first = 0] = value;
  return first < 0x80 ? der(integer, value) : der(integer, Buffer.of(0), value);
}

function der(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  return Buffer.concat([Buffer.of(tag), length(content.length), content]);
}

function length(value: number): Buffer {
  if (value < 0x80) return Buffer.of(value);
  const bytes = Buffer.from(value.toString(16).padStart(value < 0x100 ? 2 : 4, '0'), 'hex');
  return Buffer.concat([Buffer.of(0x80 | bytes.length), bytes]);
}
