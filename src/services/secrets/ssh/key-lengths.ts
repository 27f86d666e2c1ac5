import type { Json, JsonObject } from '../../../wire/json.ts';
import { badRequest } from '../errors.ts';
import { toInteger } from '../reading-rules.ts';
import { curves } from './curves.ts';
import type { PublicKey } from './public-key.ts';

/** Key types that a role allows, each with the allowed sizes. */
export type KeyLengths = Record<string, number[]>;

interface KeyFamily {
  readonly name: string;
  /** Names for which a size must be listed. */
  readonly sized: readonly string[];
  /** Names that imply the size, so that listed sizes are ignored. */
  readonly fixed: readonly string[];
}

const families: ReadonlyMap<string, KeyFamily> = new Map<string, KeyFamily>([
  ['ssh-rsa', { name: 'rsa', sized: ['rsa', 'ssh-rsa'], fixed: [] }],
  ['ssh-dss', { name: 'dsa', sized: ['dsa', 'ssh-dss'], fixed: [] }],
  ['ssh-ed25519', { name: 'ed25519', sized: [], fixed: ['ed25519', 'ssh-ed25519'] }],
  ...curves.map(
    ({ keyType }) => [keyType, { name: 'ecdsa', sized: ['ecdsa', 'ec'], fixed: [keyType] }] as const,
  ),
  ...['sk-ssh-ed25519@openssh.com', 'sk-ecdsa-sha2-nistp256@openssh.com'].map(
    (keyType) => [keyType, { name: keyType, sized: [], fixed: [keyType] }] as const,
  ),
]);

const knownNames = new Set([...families.values()].flatMap(({ sized, fixed }) => [...sized, ...fixed]));

/** Sizes by key type: an integer, an array, or comma-separated text. @throws SecretsError 400 */
export function parseKeyLengths(lengths: JsonObject): KeyLengths {
  return Object.fromEntries(
    Object.entries(lengths).map(([name, value]) => {
      if (!knownNames.has(name))
        throw badRequest(`error processing allowed_user_key_lengths: unknown key type "${name}"`);
      return [name, parseSizes(name, value)];
    }),
  );
}

function parseSizes(name: string, value: Json): number[] {
  const items = typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value : [value];
  const sizes = items.map((item) => toInteger(item) ?? -1);
  if (sizes.some((size) => size < 0)) {
    throw badRequest(
      `error processing allowed_user_key_lengths: "${name}" must be an integer, an array of integers, or integers separated by commas`,
    );
  }
  return sizes;
}

type KeySize = Pick<PublicKey, 'type' | 'bits'>;

/** The errors for a key of a type, or a size, that a role does not allow. */
interface Problems {
  type(family: string): string;
  readonly size: string;
}

/** @throws SecretsError 400 if the role restricts keys and this one is not allowed. */
export function checkKeyLength(key: KeySize, lengths: KeyLengths): void {
  checkSize(key, lengths, {
    type: (family) => `public_key failed to meet the key requirements: key of type ${family} is not allowed`,
    size: `public_key failed to meet the key requirements: key is of an invalid size: ${key.bits}`,
  });
}

/** The same for a key that is not generated yet (docs/protocol/ssh.md#key-sizes). @throws SecretsError 400 */
export function checkNewKeyLength(key: KeySize, lengths: KeyLengths): void {
  checkSize(key, lengths, {
    type: () => 'provided key_type value not in allowed_user_key_types',
    size: "provided key_bits value not in list of role's allowed_user_key_types",
  });
}

function checkSize(key: KeySize, lengths: KeyLengths, problems: Problems): void {
  const { name, sized, fixed } = families.get(key.type) ?? { name: key.type, sized: [], fixed: [key.type] };
  const isListed = (candidate: string) => Object.hasOwn(lengths, candidate);
  if (Object.keys(lengths).length === 0 || fixed.some(isListed)) return;
  const listed = sized.filter(isListed);
  if (listed.length === 0) throw badRequest(problems.type(name));
  if (!listed.some((candidate) => lengths[candidate]?.includes(key.bits))) throw badRequest(problems.size);
}
