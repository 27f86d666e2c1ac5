import type { HttpRequest, HttpResponse } from '../../core/http/http-service.ts';

/** Types of checksum that a provider may declare (docs/protocol/box.md#boxes-and-versions). */
export const checksumTypes = ['md5', 'sha1', 'sha256', 'sha384', 'sha512'] as const;

export type ChecksumType = (typeof checksumTypes)[number];

/** The record of a complete image. */
export interface StoredImage {
  /** Bytes. */
  readonly size: number;
  /** Lower-case hex, of the received bytes: always `sha256`, and the type that `startUpload` requested. */
  readonly checksums: Readonly<Partial<Record<ChecksumType, string>>> & { readonly sha256: string };
  /** ISO 8601, UTC, milliseconds. */
  readonly stored: string;
}

export interface UploadOptions {
  /** A checksum to compute in addition to `sha256`. */
  readonly checksumType?: ChecksumType;
  /** Direct upload: the image is stored only by `confirmUpload`. */
  readonly requiresConfirmation?: boolean;
  /**
   * Called when the image is stored, before the sender gets the response: of a plain upload to the PUT, of a direct
   * one to `confirmUpload`. Its errors are logged; the image stays.
   */
  readonly onStored?: (image: StoredImage) => void | Promise<void>;
}

/** An upload of one image. */
export interface Upload {
  /** Unguessable; part of the callback of a direct upload, a route of the box registry. */
  readonly id: string;
  /** Absolute, on the upload origin: takes PUT with the bytes, without a token. */
  readonly uploadPath: string;
  /** The upload must begin before. */
  readonly expires: Date;
}

/**
 * The images of the box registry: at most one per provider. A provider is identified by a key that is independent of
 * names and is never reused.
 */
export interface Images {
  /** The image of a provider; incomplete ones do not count. */
  find(key: string): StoredImage | undefined;

  /**
   * Starts another upload for a provider's image. It ends with its first complete upload, or when none begins in
   * time. The existing image stays until another one is complete.
   *
   * @throws HttpError 503: the upload origin does not listen.
   */
  startUpload(key: string, options?: UploadOptions): Upload;

  /**
   * Stores the image of a direct upload; idempotent.
   *
   * @param id of the upload
   * @returns undefined: there was no such upload of this provider, it is not a direct one, it is incomplete, or it
   * expired.
   */
  confirmUpload(key: string, id: string): Promise<StoredImage | undefined>;

  /**
   * The response to GET or HEAD of an image: complete or a range (`Range`, `If-Range`, `If-None-Match`). An image
   * that is replaced or removed in the meantime is sent completely.
   *
   * @returns undefined: none is stored.
   */
  download(key: string, request: Pick<HttpRequest, 'method' | 'headers'>): Promise<HttpResponse | undefined>;

  /** Removes a provider's image, and ends all of its uploads. */
  remove(key: string): Promise<void>;

  /** Removes the images of all other providers, after a process that ended before it removed them. */
  removeAllExcept(keys: ReadonlySet<string>): Promise<void>;
}
