import { flag, type Values } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import { emptied, flagsOf, givenFields, unsetFields } from '../../../command/object-flags.ts';
import { readFields } from '../../../command/read-fields.ts';
import { usage } from '../../../errors.ts';
import {
  type BoxFields,
  box,
  boxProvider,
  type ChecksumType,
  checksumTypes as checksumDigits,
  type ProviderFields,
} from '../../../objects/box.ts';
import type { ObjectSchema } from '../../../objects/schema.ts';
import { compact } from '../../../wire/objects.ts';

/** The flags of the fields of a box. */
export const boxFlags = {
  private: flag.boolean('make the box visible only to authorized users'),
  public: flag.boolean('make the box visible to everyone'),
  ...flagsOf(box),
};

type FlagValues = Readonly<Record<string, unknown>> & { readonly unset?: readonly string[] };

/** The fields of a box or version that flags change: given ones, and those in `--unset`. */
export const changedFields = async (schema: ObjectSchema, flags: FlagValues, ctx: Context) => ({
  ...emptied(unsetFields(schema, { ...flags, unset: flags.unset ?? [] })),
  ...(await readFields(schema, flags, ctx)),
});

export async function boxFields(
  flags: FlagValues & Pick<Values<typeof boxFlags>, 'private' | 'public'>,
  ctx: Context,
): Promise<BoxFields> {
  if (flags.private && flags.public) throw usage('--private cannot be combined with --public');
  return {
    ...(await changedFields(box, flags, ctx)),
    ...compact({ is_private: flags.private ? true : flags.public ? false : undefined }),
  };
}

export const checksumTypes = Object.keys(checksumDigits) as ChecksumType[];

/** The flags of the fields of a provider. */
export const providerFlags = flagsOf(boxProvider);

/**
 * The fields of a provider that are given by flags.
 * @throws LanyardError usage: an invalid URL, or a checksum that does not match its type.
 */
export function providerFields(flags: FlagValues): ProviderFields {
  const given: ProviderFields = givenFields(boxProvider, flags);
  const { url, checksum, checksum_type: checksumType } = given;
  if (url !== undefined && !['http:', 'https:'].includes(URL.parse(url)?.protocol ?? ''))
    throw usage(`invalid --url "${url}": expected an http or https URL`);
  if (checksum === undefined && checksumType !== undefined)
    throw usage('--checksum-type requires --checksum');
  return {
    ...given,
    ...(checksum === undefined ? {} : checkChecksum(checksum, checksumType as ChecksumType)),
  };
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
