const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** Bytes from here on would bias the result. */
const unbiasedLimit = 256 - (256 % digits.length);

export function base62(length: number, random: (length: number) => Uint8Array): string {
  let text = '';
  while (text.length < length) {
    for (const byte of random(length)) {
      if (byte < unbiasedLimit && text.length < length) text += digits[byte % digits.length];
    }
  }
  return text;
}
