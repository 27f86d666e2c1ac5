import { flag } from '../../command.ts';
import type { Context } from '../../context.ts';
import { usage } from '../../errors.ts';
import { present, textForms, textFrom } from './shared.ts';

/** What can be said of a box. */
export const boxFlags = {
  private: flag.boolean('only those whom the owner lets may see it'),
  public: flag.boolean('anyone may see it'),
  shortDescription: flag.text('TEXT', 'one line, shown in searches'),
  description: flag.text(textForms, 'the whole description, in Markdown', { completes: 'file' }),
} as const;

export const descriptionFlag = flag.text(textForms, 'what is in the version, in Markdown', {
  completes: 'file',
});

interface BoxFields {
  short_description: string;
  description: string;
  is_private: boolean;
}

/** The fields of a box that flags name. */
export async function boxFields(
  flags: {
    readonly private: boolean;
    readonly public: boolean;
    readonly shortDescription: string | undefined;
    readonly description: string | undefined;
  },
  ctx: Pick<Context, 'files' | 'io'>,
): Promise<Partial<BoxFields>> {
  if (flags.private && flags.public) throw usage('--private and --public exclude each other');
  return present<BoxFields>({
    short_description: flags.shortDescription,
    description: await textFrom(flags.description, 'the description', ctx),
    is_private: flags.private ? true : flags.public ? false : undefined,
  });
}

/** Hexadecimal digits of a checksum by its type. */
const digits = { md5: 32, sha1: 40, sha256: 64, sha384: 96, sha512: 128 } as const;

export type ChecksumType = keyof typeof digits;

export const checksumTypes = Object.keys(digits) as ChecksumType[];

/** What can be said of a provider. */
export const providerFlags = {
  url: flag.text('URL', 'where the image is, if it is not uploaded'),
  checksum: flag.text('HEX', 'of the image; whoever downloads it compares'),
  checksumType: flag.choice(checksumTypes, 'of --checksum (default: by its length)'),
} as const;

interface ProviderFields {
  url: string;
  checksum: string;
  checksum_type: ChecksumType;
}

/**
 * The fields of a provider that flags name.
 * @throws LanyardError usage: a URL that is none, a checksum that its type does not have.
 */
export function providerFields(flags: {
  readonly url: string | undefined;
  readonly checksum: string | undefined;
  readonly checksumType: ChecksumType | undefined;
}): Partial<ProviderFields> {
  const { url, checksum, checksumType } = flags;
  if (url !== undefined && !['http:', 'https:'].includes(URL.parse(url)?.protocol ?? ''))
    throw usage(`--url takes an http or https URL, not "${url}"`);
  if (checksum === undefined) {
    if (checksumType !== undefined) throw usage('--checksum-type means nothing without --checksum');
    return present<ProviderFields>({ url });
  }
  return present<ProviderFields>({ url, ...checkedChecksum(checksum, checksumType) });
}

function checkedChecksum(checksum: string, type: ChecksumType | undefined) {
  if (!/^[0-9a-f]+$/i.test(checksum))
    throw usage('--checksum takes hexadecimal digits', { hint: 'As sha256sum and its like print it.' });
  const found = checksumTypes.find((each) => digits[each] === checksum.length);
  if (type !== undefined && found !== type)
    throw usage(`a checksum of type ${type} has ${digits[type]} digits, and this one has ${checksum.length}`);
  if (found === undefined)
    throw usage(
      `no type of checksum has ${checksum.length} digits: ${checksumTypes.map((each) => `${each} has ${digits[each]}`).join(', ')}`,
    );
  return { checksum: checksum.toLowerCase(), checksum_type: found };
}
