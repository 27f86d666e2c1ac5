/** Objects of a type in a snapshot. */
export interface RecordCount {
  readonly Type: string;
  readonly Count: number;
  /** Bytes in the state. */
  readonly Size: number;
}

/** Types of objects in a snapshot of Consul, by their numbers (docs/protocol/registry.md#snapshots). */
const consulTypes: { readonly [number: number]: string } = {
  0: 'Register',
  2: 'KVS',
  3: 'Session',
  5: 'Tombstone',
  6: 'CoordinateBatchUpdate',
  7: 'PreparedQuery',
  9: 'Autopilot',
  11: 'ACLBootstrap',
  12: 'Intention',
  13: 'ConnectCA',
  14: 'ConnectCAProviderState',
  15: 'ConnectCAConfig',
  16: 'Index',
  17: 'ACLToken',
  19: 'ACLPolicy',
  22: 'ConfigEntry',
  23: 'ACLRole',
  25: 'ACLBindingRule',
  27: 'ACLAuthMethod',
  29: 'ChunkingState',
  30: 'FederationState',
  31: 'SystemMetadata',
  32: 'ServiceVirtualIP',
  33: 'FreeVirtualIP',
  34: 'KindServiceName',
  35: 'Peering',
  38: 'PeeringTrustBundle',
  40: 'PeeringSecret',
  42: 'Resource',
};

/** Bytes of a type that are kept until the object is complete. */
const maxObjectBytes = 64 * 1024 * 1024;

/**
 * Counts the objects in the state of a snapshot while it passes: MessagePack objects of Consul, or JSON lines of an
 * embedded registry (docs/protocol/registry.md#snapshots).
 */
export function recordCounter() {
  const counts = new Map<string, { count: number; size: number }>();
  let rest = Buffer.alloc(0);
  let isHeader = true;
  let isKnown = true;
  let isEmbedded: boolean | undefined;
  const add = (type: string, size: number) => {
    const { count = 0, size: before = 0 } = counts.get(type) ?? {};
    counts.set(type, { count: count + 1, size: before + size });
  };
  /** Takes the first object of `rest` from an offset. @returns the end of it; undefined: it is incomplete */
  function take(from: number): number | undefined {
    if (isEmbedded) {
      const end = rest.indexOf(0x0a, from);
      if (end < 0) return undefined;
      if (!isHeader) add(tableOf(rest.toString('utf8', from, Math.min(end, from + 64))), end + 1 - from);
      isHeader = false;
      return end + 1;
    }
    const end = skip(rest, isHeader ? from : from + 1);
    if (end === undefined) return undefined;
    const type = rest[from] ?? 0;
    if (!isHeader) add(consulTypes[type] ?? `type ${type}`, end - from);
    isHeader = false;
    return end;
  }
  return {
    push(chunk: Uint8Array): void {
      if (!isKnown) return;
      rest = Buffer.concat([rest, chunk]);
      isEmbedded ??= rest[0] === 0x7b;
      let at = 0;
      try {
        for (let end = take(at); end !== undefined && at < rest.length; end = take(at)) at = end;
      } catch {
        isKnown = false;
      }
      rest = rest.subarray(at);
      if (rest.length > maxObjectBytes) isKnown = false;
    },
    /** The types by their sizes, the largest first; null: the state has another form. */
    counts(): readonly RecordCount[] | null {
      if (!isKnown || rest.length > 0 || isHeader) return null;
      return [...counts]
        .map(([Type, { count, size }]) => ({ Type, Count: count, Size: size }))
        .sort((one, other) => other.Size - one.Size || (one.Type < other.Type ? -1 : 1));
    },
  };
}

/** The table of a row `["kv/app/a",{...}]`. */
const tableOf = (line: string): string => /^\["([^/"]+)/.exec(line)?.[1] ?? 'unknown';

/**
 * The end of a MessagePack value (https://github.com/msgpack/msgpack/blob/master/spec.md).
 *
 * @returns undefined: it is incomplete. @throws Error: not MessagePack
 */
function skip(bytes: Buffer, start: number): number | undefined {
  let at = start;
  for (let values = 1; values > 0; values--) {
    const type = bytes[at];
    if (type === undefined) return undefined;
    const head = headOf(type);
    if (at + head.lengthBytes + 1 > bytes.length) return undefined;
    const length =
      head.lengthBytes === 0 ? head.length : bytes.readUIntBE(at + 1, head.lengthBytes) + head.length;
    at += 1 + head.lengthBytes;
    if (head.isNested) values += length * head.isNested;
    else at += length;
    if (at > bytes.length) return undefined;
  }
  return at;
}

interface Head {
  /** Bytes of the length after the type. */
  readonly lengthBytes: 0 | 1 | 2 | 4;
  /** The length, or what is added to it: bytes, or items. */
  readonly length: number;
  /** Values of an item; 0: the length is in bytes. */
  readonly isNested: 0 | 1 | 2;
}

const plain = (length: number): Head => ({ lengthBytes: 0, length, isNested: 0 });
const sized = (lengthBytes: 1 | 2 | 4, length = 0, isNested: 0 | 1 | 2 = 0): Head => ({
  lengthBytes,
  length,
  isNested,
});

/** By the first byte from 0xc0 to 0xdf, in order: nil, (unused), booleans, bin, ext, float, integers, fixext, str, array, map. */
const heads: readonly (Head | undefined)[] = [
  ...[plain(0), undefined, plain(0), plain(0)],
  ...[sized(1), sized(2), sized(4)],
  ...[sized(1, 1), sized(2, 1), sized(4, 1)],
  ...[plain(4), plain(8)],
  ...[plain(1), plain(2), plain(4), plain(8), plain(1), plain(2), plain(4), plain(8)],
  ...[plain(2), plain(3), plain(5), plain(9), plain(17)],
  ...[sized(1), sized(2), sized(4)],
  ...[sized(2, 0, 1), sized(4, 0, 1), sized(2, 0, 2), sized(4, 0, 2)],
];

function headOf(type: number): Head {
  if (type < 0x80 || type >= 0xe0) return plain(0);
  if (type < 0x90) return { lengthBytes: 0, length: type & 0x0f, isNested: 2 };
  if (type < 0xa0) return { lengthBytes: 0, length: type & 0x0f, isNested: 1 };
  if (type < 0xc0) return plain(type & 0x1f);
  const head = heads[type - 0xc0];
  if (!head) throw new Error('not MessagePack');
  return head;
}
