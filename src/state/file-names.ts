import { createHash } from 'node:crypto';
import type { Identity, Kind } from './kind.ts';

/**
 * The path of the file of an object: `SERVICE/KIND/[SCOPE/...]NAME.yaml`, with `/`. Every character but lower-case
 * letters, digits, `-`, `_` and `.` is percent-encoded, so that names that differ in case only are different files on
 * every system.
 */
export function pathOf(
  { name, service, scope, nameIs, keyOf }: Kind,
  { scope: scopes, key }: Identity,
): string {
  const kindName = name.slice(service.length + 1);
  const isNamed = nameIs !== undefined || keyOf !== undefined;
  const parts = [...scope.map((each) => scopes[each.name] ?? ''), ...(isNamed ? [key] : [])];
  return `${[service, kindName, ...parts].map(encodePart).join('/')}.yaml`;
}

/** Bytes of a name; file systems permit 255, and temporary files have longer names. */
const maxLength = 160;
/** Names of devices on Windows, with any extension. */
const reservedPattern = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/;

function encodePart(part: string): string {
  // A name that begins with a period is hidden, and one that ends with it is another name on Windows.
  const encoded = [...Buffer.from(part)]
    .map((byte) => {
      const character = String.fromCharCode(byte);
      return /[a-z0-9_.-]/.test(character) ? character : percent(byte);
    })
    .join('')
    .replace(/^\.|\.$/g, percent(0x2e));
  if (encoded === '') return '%';
  const safe = reservedPattern.test(encoded)
    ? `${percent(encoded.charCodeAt(0))}${encoded.slice(1)}`
    : encoded;
  if (safe.length <= maxLength) return safe;
  const digest = createHash('sha256').update(part).digest('hex').slice(0, 16);
  return `${safe.slice(0, maxLength - digest.length - 1).replace(/%.?$/, '')}%${digest}`;
}

const percent = (byte: number): string => `%${byte.toString(16).padStart(2, '0')}`;
