import { badRequest } from '../errors.ts';
import { isWithin, parseAddress, parseBlock } from '../ssh/address.ts';

/** Addresses and CIDR blocks of a request: an address for a block of one address. @throws SecretsError 400 */
export function boundCidrsOf(texts: readonly string[] | undefined): string[] | undefined {
  return texts?.map((text) => {
    if (parseBlock(text)) return withoutFullWidth(text);
    if (parseAddress(text)) return text;
    const problem = 'Unable to convert "TEXT" to an IPv4 or IPv6 address';
    throw badRequest(`error parsing address "${text}": ${problem.replace('TEXT', text)}`);
  });
}

/** CIDR blocks of a request. @param noun of the blocks, for errors @throws SecretsError 400 */
export function cidrBlocksOf(texts: readonly string[] | undefined, noun = 'CIDR blocks') {
  return texts?.map((text) => {
    if (parseBlock(text)) return text;
    throw badRequest(`failed to validate ${noun}: invalid CIDR address: ${text}`);
  });
}

/** Whether an address is in one of the blocks. */
export function isBound(address: string, cidrs: readonly string[]): boolean {
  const parsed = parseAddress(address);
  return parsed !== undefined && cidrs.map(toBlock).some((block) => block && isWithin(parsed, block));
}

/** Checks that each block of a secret ID is in one of the role, if that has any. @throws SecretsError 400 */
export function checkCidrSubset(blocks: readonly string[], ofRole: readonly string[]): void {
  const isSubset = blocks.every((text) => {
    const inner = toBlock(text);
    return ofRole.map(toBlock).some((outer) => {
      if (!inner || outer?.family !== inner.family || outer.free < inner.free) return false;
      return inner.prefix >> (outer.free - inner.free) === outer.prefix;
    });
  });
  if (ofRole.length === 0 || isSubset) return;
  const [role, secretId] = [ofRole, blocks].map((all) => `[${all.map((each) => `"${each}"`).join(' ')}]`);
  throw badRequest(
    `failed to verify subset relationship between CIDR blocks on the role ${role} and CIDR blocks on the secret ID ${secretId}`,
  );
}

/** A block of one address as that address. */
export function withoutFullWidth(block: string): string {
  return block.replace(/^([\d.]+)\/32$|^([\da-fA-F:.]+)\/128$/, '$1$2');
}

function toBlock(text: string) {
  return parseBlock(text) ?? parseBlock(`${text}/${text.includes(':') ? 128 : 32}`);
}
