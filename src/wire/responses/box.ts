/** Fields of responses of the box registry that are shown (docs/protocol/box.md). */

/** Times are in RFC 3339. */
interface Times {
  /** RFC 3339. */
  created_at?: string | null;
  /** RFC 3339. */
  updated_at?: string | null;
}

interface Described {
  description_markdown?: string | null;
  /** The description as HTML. */
  description_html?: string | null;
}

export interface Provider extends Times {
  /** The image is stored in the registry. */
  hosted?: boolean | null;
  hosted_token?: string | null;
  /** The URL of an image that is stored elsewhere. */
  original_url?: string | null;
  download_url?: string | null;
  /** Hexadecimal. */
  checksum?: string | null;
  checksum_type?: string | null;
  architecture?: string | null;
  /** The image for clients that name no architecture. */
  default_architecture?: boolean | null;
}

export interface Version extends Times, Described {
  /** The same as `version`. */
  number?: string;
  /** `unreleased`, `active` or `revoked`. */
  status?: string | null;
  release_url?: string;
  revoke_url?: string;
}

export interface Box extends Times, Described {
  /** `USERNAME/NAME`. */
  tag?: string | null;
  private?: boolean | null;
  /** The number of downloads. */
  downloads?: number | null;
  short_description?: string | null;
}

export interface Organization {
  avatar_url?: string | null;
  profile_markdown?: string | null;
  profile_html?: string | null;
}
