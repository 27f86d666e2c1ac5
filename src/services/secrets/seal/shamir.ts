/**
 * Shamir's secret sharing, byte by byte over GF(2^8) with the AES polynomial (x^8 + x^4 + x^3 + x + 1). A
 * share is the values of the polynomials at its point, followed by the point (1 to 255) as the last byte.
 */

const exponent = new Uint8Array(255);
const logarithm = new Uint8Array(256);
for (let power = 0, value = 1; power < 255; power++) {
  exponent[power] = value;
  logarithm[value] = power;
  // Times 3, a generator of the field.
  value ^= (value << 1) ^ (value & 0x80 ? 0x11b : 0);
}

function multiply(a: number, b: number): number {
  if (a === 0 || b === 0) return 0;
  return exponent[((logarithm[a] ?? 0) + (logarithm[b] ?? 0)) % 255] ?? 0;
}

function divide(a: number, b: number): number {
  if (a === 0) return 0;
  return exponent[((logarithm[a] ?? 0) - (logarithm[b] ?? 0) + 255) % 255] ?? 0;
}

/** Splits a secret into shares, any `threshold` of which restore it; a single one is the secret. */
export function split(
  secret: Uint8Array,
  count: number,
  threshold: number,
  random: (length: number) => Uint8Array,
): Uint8Array[] {
  if (count === 1) return [secret];
  const shares = Array.from({ length: count }, (_, index) => {
    const share = new Uint8Array(secret.length + 1);
    share[secret.length] = index + 1;
    return share;
  });
  for (const [at, byte] of secret.entries()) {
    const coefficients = [byte, ...random(threshold - 1)];
    for (const [index, share] of shares.entries()) {
      share[at] = coefficients.reduceRight((sum, coefficient) => multiply(sum, index + 1) ^ coefficient, 0);
    }
  }
  return shares;
}

/** Restores the secret from enough shares of one split, at different points; others give random bytes. */
export function combine(shares: readonly Uint8Array[]): Uint8Array {
  const [first] = shares;
  if (!first || shares.length === 1) return first ?? new Uint8Array();
  const points = shares.map((share) => share.at(-1) ?? 0);
  // Lagrange polynomials at zero; subtraction is exclusive or.
  const weights = points.map((own) =>
    points.reduce(
      (product, other) => (other === own ? product : multiply(product, divide(other, other ^ own))),
      1,
    ),
  );
  return first
    .slice(0, -1)
    .map((_, at) =>
      shares.reduce((sum, share, index) => sum ^ multiply(share[at] ?? 0, weights[index] ?? 0), 0),
    );
}
