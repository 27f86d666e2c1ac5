import type { HttpRequest, HttpResponse } from '../../core/http/http-service.ts';
import * as s from '../../core/store/schema.ts';
import { type RowOf, table } from '../../core/store/table.ts';

/** Kinds of checksum that a provider may declare (docs/protocol/box.md#boxes-and-versions). */
export const checksumTypes = ['md5', 'sha1', 'sha256', 'sha384', 'sha512'] as const;

export type ChecksumType = (typeof checksumTypes)[number];

const checksum = s.optional(s.string);

/** The stored records of the images, with the file name in the folder. */
export const imageRecords = table('', {
  /** Bytes. */
  size: s.number,
  /** Lower-case hex, of the bytes as received: always `sha256`, and the type specified to `startUpload`. */
  checksums: s.object({
    md5: checksum,
    sha1: checksum,
    sha256: s.string,
    sha384: checksum,
    sha512: checksum,
  }),
  /** ISO 8601, UTC, milliseconds. */
  stored: s.string,
  file: s.string,
});
/** A completely stored image. */
export type StoredImage = Omit<RowOf<typeof imageRecords>, 'file'>;

export interface UploadOptions {
  /** A checksum to compute beside `sha256`. */
  readonly checksumType?: ChecksumType;
  /** Direct upload: what is received waits, and becomes the image only with `confirmUpload`. */
  readonly requiresConfirmation?: boolean;
  /**
   * Told when the image is the provider's, before the sender has its answer: of a plain upload the PUT of the bytes,
   * of a held one the `confirmUpload`. What it throws is logged; the image stays.
   */
  readonly onStored?: (image: StoredImage) => void | Promise<void>;
}

/** A way in for one image. */
export interface Upload {
  /** Unguessable; goes into the callback of a direct upload, a route of the box registry's own. */
  readonly id: string;
  /** Absolute, on the upload origin: takes PUT with the bytes and no token. */
  readonly uploadPath: string;
  /** The upload has to begin before. */
  readonly expires: Date;
}

/**
 * The images of the box registry: at most one for a provider. A provider is named by a key that stays its own when
 * it, its version or its box is renamed, and that no later provider gets again.
 */
export interface Images {
  /** What is stored for a provider. An image that is still on its way is not. */
  find(key: string): StoredImage | undefined;

  /**
   * Opens a way to upload a provider's image, and leaves the ones that are open. It ends with the first upload that
   * completes through it, and by itself when none begins in time. The image that is there stays until another is whole.
   *
   * @throws HttpError 503: the upload origin does not listen.
   */
  startUpload(key: string, options?: UploadOptions): Upload;

  /**
   * Makes what a held upload received the provider's image; doing so twice is doing so once.
   *
   * @param id the upload's
   * @returns undefined: there is no such upload of this provider, it is not held, it received nothing whole, or it
   * waited for too long.
   */
  confirmUpload(key: string, id: string): Promise<StoredImage | undefined>;

  /**
   * The answer to GET or HEAD of an image: whole or a range, as the request says (`Range`, `If-Range`,
   * `If-None-Match`). An image that is replaced or removed meanwhile is sent to its end.
   *
   * @returns undefined: none is stored.
   */
  download(key: string, request: Pick<HttpRequest, 'method' | 'headers'>): Promise<HttpResponse | undefined>;

  /** Removes a provider's image, if there is one, and ends every upload that was begun for it. */
  remove(key: string): Promise<void>;

  /** Removes the images of all other providers: those that went when the process ended before their images had gone. */
  removeAllExcept(keys: ReadonlySet<string>): Promise<void>;
}
