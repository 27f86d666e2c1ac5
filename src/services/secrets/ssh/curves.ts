/** A NIST curve with its names in SSH (RFC 5656), OpenSSL and JSON Web Keys. */
export interface Curve {
  readonly name: string;
  /** The key type in SSH wire format, also the signature type. */
  readonly keyType: string;
  readonly openssl: string;
  readonly jwk: string;
  readonly bits: number;
  /** Bytes of one coordinate. */
  readonly width: number;
  /** The hash for signatures with this curve (RFC 5656, section 6.2.1). */
  readonly hash: string;
}

export const p256: Curve = curve(256, 'prime256v1', 'sha256');
const p384: Curve = curve(384, 'secp384r1', 'sha384');
const p521: Curve = curve(521, 'secp521r1', 'sha512');

export const curves: readonly Curve[] = [p256, p384, p521];

function curve(bits: number, openssl: string, hash: string): Curve {
  const name = `nistp${bits}`;
  return {
    name,
    keyType: `ecdsa-sha2-${name}`,
    openssl,
    jwk: `P-${bits}`,
    bits,
    width: Math.ceil(bits / 8),
    hash,
  };
}
