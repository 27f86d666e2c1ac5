import { isIPv4, isIPv6, SocketAddress } from 'node:net';

/** An IP address. An IPv4-mapped IPv6 address (`::ffff:10.0.0.1`) is an IPv4 address. */
export interface Address {
  readonly family: 4 | 6;
  readonly value: bigint;
  /** The canonical text of the address: dotted, or as in RFC 5952. */
  readonly text: string;
}

/** A CIDR block: the addresses of a family with the same prefix. */
export interface Block {
  readonly family: 4 | 6;
  readonly prefix: bigint;
  /** Number of bits after the prefix. */
  readonly free: bigint;
}

const widths = { 4: 32, 6: 128 } as const;

/** The prefix of an IPv4-mapped IPv6 address (RFC 4291, section 2.5.5.2). */
const mappedPrefix = 0xffffn;

/** Parses an IPv4 or IPv6 address without a zone; undefined if invalid. */
export function parseAddress(text: string): Address | undefined {
  if (isIPv4(text)) return { family: 4, value: parseDotted(text), text };
  if (!isIPv6(text) || text.includes('%')) return undefined;
  const value = parseGroups(text);
  if (value >> 32n === mappedPrefix) return ofIPv4(value & 0xffff_ffffn);
  return { family: 6, value, text: new SocketAddress({ family: 'ipv6', address: text }).address };
}

/** Parses `address/bits`; bits of the address after the prefix are ignored. undefined if invalid. */
export function parseBlock(text: string): Block | undefined {
  const [, before = '', digits = ''] = /^([^/]*)\/(\d{1,3})$/.exec(text) ?? [];
  const address = parseAddress(before);
  if (address === undefined) return undefined;
  const notation = isIPv4(before) ? 4 : 6;
  if (Number(digits) > widths[notation]) return undefined;
  const free = BigInt(widths[notation] - Number(digits));
  if (notation === address.family) return { family: notation, prefix: address.value >> free, free };
  if (free <= 32n) return { family: 4, prefix: address.value >> free, free };
  return { family: 6, prefix: ((mappedPrefix << 32n) | address.value) >> free, free };
}

export function isWithin(address: Address, block: Block): boolean {
  return address.family === block.family && address.value >> block.free === block.prefix;
}

function ofIPv4(value: bigint): Address {
  const text = [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 0xffn).join('.');
  return { family: 4, value, text };
}

function parseDotted(text: string): bigint {
  return text.split('.').reduce((value, part) => (value << 8n) | BigInt(part), 0n);
}

/** The number of a valid IPv6 address: eight groups, where `::` replaces one or more zero groups. */
function parseGroups(text: string): bigint {
  const [before = [], after = []] = text.split('::').map(readGroups);
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => 0n);
  return [...before, ...zeros, ...after].reduce((value, group) => (value << 16n) | group, 0n);
}

function readGroups(text: string): bigint[] {
  if (text === '') return [];
  return text.split(':').flatMap((group) => {
    if (!group.includes('.')) return [BigInt(`0x${group}`)];
    const dotted = parseDotted(group);
    return [dotted >> 16n, dotted & 0xffffn];
  });
}
