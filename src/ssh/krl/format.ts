/** Names and limits of the format (OpenSSH's PROTOCOL.krl), and of its implementation in OpenSSH (krl.c, sshbuf). */

export const magic = Buffer.from('SSHKRL\n\0', 'latin1');
export const formatVersion = 1;

export const sections = {
  certificates: 1,
  key: 2,
  sha1: 3,
  signature: 4,
  sha256: 5,
  extension: 255,
} as const;

export const certificateSections = {
  serialList: 0x20,
  serialRange: 0x21,
  serialBitmap: 0x22,
  keyId: 0x23,
  extension: 0x39,
} as const;

/** Bits of one bitmap: OpenSSH reads no longer integers (SSHBUF_MAX_BIGNUM) and rejects the list. */
export const maxBitmapBits = 16_384;

/** Bytes of a list, far below what sshd reads (128 MiB). */
export const maxKrlBytes = 32 * 1024 * 1024;

/** Keys, key IDs and ranges of serials of a list: a few bytes of bitmap have many ranges. */
export const maxEntries = 1_000_000;
