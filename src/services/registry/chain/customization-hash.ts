/** The overrides that had an effect; others are empty or 0. */
export interface Customization {
  readonly meshGateway: string;
  readonly protocol: string;
  /** Nanoseconds. */
  readonly connectTimeout: number;
}

/** 8 hexadecimal digits as in Consul: its hash of a Go struct is built of FNV-1 hashes of names and values. */
export function customizationHash({ meshGateway, protocol, connectTimeout }: Customization): string {
  const hash = hashStruct('', [
    ['OverrideMeshGateway', hashStruct('MeshGatewayConfig', [['Mode', hashText(meshGateway)]])],
    ['OverrideProtocol', hashText(protocol)],
    ['OverrideConnectTimeout', fnv1(littleEndian(BigInt(connectTimeout)))],
  ]);
  return hash.toString(16).slice(0, 8);
}

/** The order of the fields has no effect. */
function hashStruct(name: string, fields: readonly (readonly [name: string, hash: bigint])[]): bigint {
  return fields.reduce(
    (hash, [field, value]) =>
      hash ^ fnv1(Buffer.concat([littleEndian(hashText(field)), littleEndian(value)])),
    hashText(name),
  );
}

const hashText = (text: string): bigint => fnv1(Buffer.from(text));

function littleEndian(value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return bytes;
}

const offsetBasis = 0xcbf29ce484222325n;
const prime = 0x100000001b3n;

function fnv1(bytes: Uint8Array): bigint {
  return bytes.reduce((hash, byte) => BigInt.asUintN(64, hash * prime) ^ BigInt(byte), offsetBasis);
}
