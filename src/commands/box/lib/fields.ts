import { flag, type Values } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import { usage } from '../../../errors.ts';
import { compact } from '../../../wire/objects.ts';
import { readTextSource, textForms } from './confirmed-writes.ts';

export const boxFlags = {
  private: flag.boolean('make the box visible only to authorized users'),
  public: flag.boolean('make the box visible to everyone'),
  shortDescription: flag.text('TEXT', 'short description, shown in search results'),
  description: flag.file(textForms, 'description in Markdown'),
} as const;

export const descriptionFlag = flag.file(textForms, 'description of the version in Markdown');

export async function boxFields(flags: Values<typeof boxFlags>, ctx: Context) {
  if (flags.private && flags.public) throw usage('--private cannot be combined with --public');
  return compact({
    short_description: flags.shortDescription,
    description: await readTextSource(flags.description, 'description', ctx),
    is_private: flags.private ? true : flags.public ? false : undefined,
  });
}

/** The number of hexadecimal digits of each checksum type. */
const checksumDigits = { md5: 32, sha1: 40, sha256: 64, sha384: 96, sha512: 128 } as const;

export type ChecksumType = keyof typeof checksumDigits;

export const checksumTypes = Object.keys(checksumDigits) as ChecksumType[];

export const providerFlags = {
  url: flag.text('URL', 'URL of the image, instead of an upload'),
  checksum: flag.text('HEX', 'checksum of the image, verified on download'),
  checksumType: flag.choice(checksumTypes, 'type of --checksum (default: by its length)'),
} as const;

/**
 * The fields of a provider that are given by flags.
 * @throws LanyardError usage: an invalid URL, or a checksum that does not match its type.
 */
export function providerFields({ url, checksum, checksumType }: Values<typeof providerFlags>) {
  if (url !== undefined && !['http:', 'https:'].includes(URL.parse(url)?.protocol ?? ''))
    throw usage(`invalid --url "${url}": expected an http or https URL`);
  if (checksum === undefined && checksumType !== undefined)
    throw usage('--checksum-type requires --checksum');
  return compact({ url, ...(checksum === undefined ? {} : checkChecksum(checksum, checksumType)) });
}

function checkChecksum(checksum: string, type: ChecksumType | undefined) {
  if (!/^[0-9a-f]+$/i.test(checksum))
    throw usage('invalid --checksum: expected hexadecimal digits, as printed by sha256sum');
  const found = checksumTypes.find((each) => checksumDigits[each] === checksum.length);
  if (type !== undefined && found !== type)
    throw usage(
      `invalid --checksum: expected ${checksumDigits[type]} digits for ${type}, got ${checksum.length}`,
    );
  if (found === undefined)
    throw usage(
      `invalid --checksum: expected ${checksumTypes.map((each) => `${checksumDigits[each]} (${each})`).join(', ')} digits, got ${checksum.length}`,
    );
  return { checksum: checksum.toLowerCase(), checksum_type: found };
}
