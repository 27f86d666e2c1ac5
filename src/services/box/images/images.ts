import * as s from '../../core/schema/types.ts';
import { type RowOf, table } from '../../core/store/table.ts';

export const checksumTypes = ['md5', 'sha1', 'sha256', 'sha384', 'sha512'] as const;

export type ChecksumType = (typeof checksumTypes)[number];

const checksum = s.optional(s.string());

/** The stored records of the images, with the file name in the directory. */
export const imageRecords = table('', {
  /** Bytes. */
  size: s.number(),
  /** Lower-case hex, of the bytes as received: always `sha256`, and the type specified to `startUpload`. */
  checksums: s.object({
    md5: checksum,
    sha1: checksum,
    sha256: s.string(),
    sha384: checksum,
    sha512: checksum,
  }),
  /** ISO 8601, UTC, milliseconds. */
  stored: s.string(),
  file: s.string(),
});
export type StoredImage = Omit<RowOf<typeof imageRecords>, 'file'>;

export interface UploadOptions {
  /** A checksum to compute in addition to `sha256`. */
  readonly checksumType?: ChecksumType;
  /** Direct upload: a received image is not used before `confirmUpload`. */
  readonly requiresConfirmation?: boolean;
}

export interface Upload {
  /** Unguessable; part of the path of the callback of a direct upload. */
  readonly id: string;
  /** Absolute, on the upload origin; PUT the image there, without a token. */
  readonly uploadPath: string;
  /** The image must be sent before. */
  readonly expires: Date;
}
