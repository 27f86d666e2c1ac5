import { type KeyObject, sign, verify } from 'node:crypto';
import { promisify } from 'node:util';
import * as s from '../../core/schema/types.ts';
import type { Storage } from '../../core/store/storage.ts';
import { checkTables, table } from '../../core/store/table.ts';
import { badRequest } from '../errors.ts';
import { curves } from './curves.ts';
import { generateEd25519, generateOnCurve, generateRsa } from './generate-key.ts';
import { parsePrivateKey, publicBlob } from './private-key.ts';
import { parsePublicKey } from './public-key.ts';
import type { AlgorithmSigner } from './role.ts';
import { mpint, string } from './wire.ts';

// The callback forms run on the thread pool, so that signing does not block the event loop.
const signAsync = promisify(sign);
const verifyAsync = promisify(verify);

const rsaHashes = { 'ssh-rsa': 'sha1', 'rsa-sha2-256': 'sha256', 'rsa-sha2-512': 'sha512' } as const;

export class CaKeyPair {
  readonly #key: KeyObject;
  /** Its public key in SSH wire format. */
  readonly blob: Buffer;
  readonly #type: string;

  constructor(key: KeyObject) {
    this.#key = key;
    this.blob = publicBlob(key);
    this.#type = parsePublicKey(this.blob).type;
  }

  /** `type base64`, an authorized_keys line without comment and newline. */
  get publicKeyLine(): string {
    return `${this.#type} ${this.blob.toString('base64')}`;
  }

  /** A signature blob (RFC 4253, 5656, 8332, 8709). @throws SecretsError 400: the algorithm needs an RSA key */
  async sign(data: Buffer, signer: AlgorithmSigner): Promise<Buffer> {
    if (this.#type === 'ssh-rsa') {
      const format = signer === 'default' ? 'rsa-sha2-256' : signer;
      return signatureBlob(format, await signAsync(rsaHashes[format], data, this.#key));
    }
    if (signer !== 'default') {
      throw badRequest(
        `algorithm_signer '${signer}' requires an RSA CA key, but the CA key is ${this.#type}; set it to 'default' in the role`,
      );
    }
    const curve = curves.find(({ keyType }) => keyType === this.#type);
    if (curve === undefined) return signatureBlob(this.#type, await signAsync(null, data, this.#key));
    const signature = await signAsync(curve.hash, data, { key: this.#key, dsaEncoding: 'ieee-p1363' });
    const [r, s] = [signature.subarray(0, curve.width), signature.subarray(curve.width)];
    return signatureBlob(this.#type, Buffer.concat([mpint(r), mpint(s)]));
  }

  /** Reports whether the private key matches the public key: a file may combine numbers of different keys. */
  async isConsistent(): Promise<boolean> {
    const probe = Buffer.from('probe');
    const hash = this.#key.asymmetricKeyType === 'ed25519' ? null : 'sha256';
    try {
      return await verifyAsync(hash, probe, this.#key, await signAsync(hash, probe, this.#key));
    } catch {
      return false;
    }
  }

  /** The private key for storage. Never part of a response. */
  exportPrivate(): string {
    return this.#key.export({ type: 'pkcs8', format: 'pem' }).toString();
  }
}

function signatureBlob(format: string, signature: Buffer): Buffer {
  return Buffer.concat([string(format), string(signature)]);
}

/**
 * Generates a signing key.
 * @param type a `key_type` of config/ca.
 * @param bits 0 for the default of the type.
 * @returns undefined if the type is unknown.
 * @throws SecretsError 400 for a size that the type does not support.
 */
export async function generateCaKeyPair(type: string, bits: number): Promise<CaKeyPair | undefined> {
  const namedCurve = curves.find(({ keyType }) => keyType === type);
  if (namedCurve !== undefined) return new CaKeyPair(await generateOnCurve(namedCurve));
  switch (type) {
    case 'rsa':
    case 'ssh-rsa':
      if (bits !== 0 && (bits < 2048 || bits > 8192))
        throw badRequest(`key_bits of an RSA key must be between 2048 and 8192, not ${bits}`);
      return new CaKeyPair(await generateRsa(bits || 4096));
    case 'ec': {
      const curve = curves.find((candidate) => candidate.bits === (bits || 256));
      if (curve === undefined) throw badRequest(`key_bits of an ec key must be 256, 384 or 521, not ${bits}`);
      return new CaKeyPair(await generateOnCurve(curve));
    }
    case 'ed25519':
    case 'ssh-ed25519':
      return new CaKeyPair(await generateEd25519());
    default:
      return undefined;
  }
}

/** The CA: a table of one row. */
const storedCa = table('ca', { public_key: s.string(), private_key: s.string() });

/** The CA of a mount: stored, and parsed once so that signing is fast. */
export class CaStore {
  readonly #storage: Storage;
  #cached: { readonly privateKey: string; readonly ca: CaKeyPair } | undefined;

  /** @throws EmbeddedError data: the stored CA is damaged */
  constructor(storage: Storage) {
    checkTables(storage, [storedCa]);
    this.#storage = storage;
  }

  /** With a trailing newline. */
  publicKey(): string | undefined {
    return this.#stored()?.public_key;
  }

  current(): CaKeyPair | undefined {
    const privateKey = this.#stored()?.private_key;
    if (privateKey === undefined) return undefined;
    if (this.#cached?.privateKey !== privateKey) {
      this.#cached = { privateKey, ca: new CaKeyPair(parsePrivateKey(privateKey)) };
    }
    return this.#cached.ca;
  }

  async put(ca: CaKeyPair, publicKey: string): Promise<void> {
    const change = storedCa.put('', { public_key: publicKey, private_key: ca.exportPrivate() });
    await this.#storage.write([change]);
  }

  /** Replaces the CA with the CA in another storage; false: that storage has no CA. */
  async restore(from: Storage): Promise<boolean> {
    const ca = new CaStore(from).#stored();
    if (ca === undefined) return false;
    await this.#storage.write([storedCa.put('', ca)]);
    return true;
  }

  async remove(): Promise<void> {
    this.#cached = undefined;
    await this.#storage.write([storedCa.remove('')]);
  }

  #stored() {
    return storedCa.get(this.#storage, '');
  }
}
