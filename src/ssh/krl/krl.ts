import { mergeRanges, rangeOf, type SerialRange, subtractRanges } from './serial-ranges.ts';

/** What one CA, or any CA, has revoked. */
export interface RevokedCertificates {
  /** Sorted and merged. */
  readonly serials: readonly SerialRange[];
  /** The bytes of the key IDs as latin1 text: they may have any encoding. */
  readonly keyIds: ReadonlySet<string>;
}

/** A key revocation list of OpenSSH (PROTOCOL.krl). Binary values are in base64 with padding. */
export interface Krl {
  /** From 0 to 2^64-1, higher after each change. */
  readonly version: bigint;
  /** Unix seconds. */
  readonly generated: bigint;
  readonly comment: string;
  /** By the public key blob of the CA; `''`: certificates of any CA. */
  readonly certificates: ReadonlyMap<string, RevokedCertificates>;
  /** Public key blobs. */
  readonly keys: ReadonlySet<string>;
  /** Hashes of public key blobs. */
  readonly sha1: ReadonlySet<string>;
  readonly sha256: ReadonlySet<string>;
}

/** One entry of a list; `ca` is the public key blob of the CA in base64, or `''` for any CA. */
export type RevokedEntry =
  | ({ readonly by: 'serial'; readonly ca: string } & SerialRange)
  /** The bytes of the key ID as latin1 text. */
  | { readonly by: 'key ID'; readonly ca: string; readonly keyId: string }
  | { readonly by: 'key'; readonly key: string }
  | { readonly by: 'SHA1' | 'SHA256'; readonly hash: string };

/** A list that revokes nothing. */
export const emptyKrl: Krl = {
  version: 0n,
  generated: 0n,
  comment: '',
  certificates: new Map(),
  keys: new Set(),
  sha1: new Set(),
  sha256: new Set(),
};

/** The entries in the order of the file. Adjoining serials are one entry. */
export function entriesOf(krl: Krl): readonly RevokedEntry[] {
  return [
    ...[...krl.certificates].flatMap(([ca, { serials, keyIds }]): RevokedEntry[] => [
      ...serials.map((range): RevokedEntry => ({ by: 'serial', ca, ...range })),
      ...[...keyIds].map((keyId): RevokedEntry => ({ by: 'key ID', ca, keyId })),
    ]),
    ...[...krl.keys].map((key): RevokedEntry => ({ by: 'key', key })),
    ...[...krl.sha1].map((hash): RevokedEntry => ({ by: 'SHA1', hash })),
    ...[...krl.sha256].map((hash): RevokedEntry => ({ by: 'SHA256', hash })),
  ];
}

/** The list with more entries; version and date are unchanged. */
export const withEntries = (krl: Krl, entries: readonly RevokedEntry[]): Krl =>
  combine(krl, entries, {
    serials: (before, added) => mergeRanges([...before, ...added]),
    names: (before, added) => before.union(added),
  });

/** The list without some entries, also where they are part of a range; version and date are unchanged. */
export const withoutEntries = (krl: Krl, entries: readonly RevokedEntry[]): Krl =>
  combine(krl, entries, {
    serials: (before, removed) => subtractRanges(before, mergeRanges(removed)),
    names: (before, removed) => before.difference(removed),
  });

/** The entries that the list does not have. */
export function missingEntries(krl: Krl, entries: readonly RevokedEntry[]): readonly RevokedEntry[] {
  return entries.filter((entry) => {
    switch (entry.by) {
      case 'serial': {
        const range = rangeOf(krl.certificates.get(entry.ca)?.serials ?? [], entry.from);
        return range === undefined || range.to < entry.to;
      }
      case 'key ID':
        return !krl.certificates.get(entry.ca)?.keyIds.has(entry.keyId);
      case 'key':
        return !krl.keys.has(entry.key);
      default:
        return !(entry.by === 'SHA1' ? krl.sha1 : krl.sha256).has(entry.hash);
    }
  });
}

/** The entries that the list has, also in part: a range of which some serials are revoked. */
export function presentEntries(krl: Krl, entries: readonly RevokedEntry[]): readonly RevokedEntry[] {
  return entries.filter((entry) => {
    if (entry.by !== 'serial') return missingEntries(krl, [entry]).length === 0;
    const [left, ...others] = subtractRanges([entry], krl.certificates.get(entry.ca)?.serials ?? []);
    return others.length > 0 || left?.from !== entry.from || left.to !== entry.to;
  });
}

interface Combination {
  readonly serials: (before: readonly SerialRange[], given: readonly SerialRange[]) => readonly SerialRange[];
  readonly names: (before: ReadonlySet<string>, given: ReadonlySet<string>) => ReadonlySet<string>;
}

function combine(krl: Krl, entries: readonly RevokedEntry[], { serials, names }: Combination): Krl {
  const given = {
    certificates: new Map<string, { serials: SerialRange[]; keyIds: Set<string> }>(),
    key: new Set<string>(),
    SHA1: new Set<string>(),
    SHA256: new Set<string>(),
  };
  const ofCa = (ca: string) => {
    const found = given.certificates.get(ca) ?? { serials: [], keyIds: new Set() };
    given.certificates.set(ca, found);
    return found;
  };
  for (const entry of entries) {
    if (entry.by === 'serial') ofCa(entry.ca).serials.push({ from: entry.from, to: entry.to });
    else if (entry.by === 'key ID') ofCa(entry.ca).keyIds.add(entry.keyId);
    else if (entry.by === 'key') given.key.add(entry.key);
    else given[entry.by].add(entry.hash);
  }
  const certificates = new Map(krl.certificates);
  for (const [ca, more] of given.certificates) {
    const before = certificates.get(ca) ?? { serials: [], keyIds: new Set<string>() };
    const after = {
      serials: serials(before.serials, more.serials),
      keyIds: names(before.keyIds, more.keyIds),
    };
    if (after.serials.length + after.keyIds.size === 0) certificates.delete(ca);
    else certificates.set(ca, after);
  }
  return {
    ...krl,
    certificates,
    keys: names(krl.keys, given.key),
    sha1: names(krl.sha1, given.SHA1),
    sha256: names(krl.sha256, given.SHA256),
  };
}
