const units = [
  { seconds: 86_400, short: 'd', long: 'day' },
  { seconds: 3600, short: 'h', long: 'hour' },
  { seconds: 60, short: 'min', long: 'minute' },
  { seconds: 1, short: 's', long: 'second' },
] as const;

/**
 * The distance to a time: "in 29 minutes", "in 1 h 30 min", "4 days ago", "now". A second unit is added while the
 * first is below ten. Rounded down, so that it never promises too much.
 *
 * @param seconds from now; negative for the past.
 */
export function relativeTime(seconds: number): string {
  const words = formatUnits(Math.trunc(Math.abs(seconds)));
  if (words === undefined) return 'now';
  return seconds > 0 ? `in ${words}` : `${words} ago`;
}

function formatUnits(seconds: number): string | undefined {
  const [first, second] = units.filter((unit) => seconds >= unit.seconds);
  if (first === undefined) return undefined;
  const count = Math.trunc(seconds / first.seconds);
  const rest = second === undefined ? 0 : Math.trunc((seconds % first.seconds) / second.seconds);
  if (count < 10 && second !== undefined && rest > 0)
    return `${count} ${first.short} ${rest} ${second.short}`;
  return `${count} ${first.long}${count === 1 ? '' : 's'}`;
}

/** A duration as text: "32 days", "1 h 30 min", "0 seconds". */
export const humanDuration = (seconds: number): string => formatUnits(Math.trunc(seconds)) ?? '0 seconds';

/** The remaining time of a transfer or batch, rounded up: "50 s left", "3 min left", "1.5 h left". */
export function timeLeftText(seconds: number): string {
  const rounded = Math.max(Math.ceil(seconds), 0);
  if (rounded < 60) return `${rounded} s left`;
  return rounded < 3600 ? `${Math.ceil(rounded / 60)} min left` : `${(rounded / 3600).toFixed(1)} h left`;
}

/** A time to the second, in UTC: `2026-11-20 16:04:35 UTC`. */
export function formatTimestamp(date: Date): string {
  return date
    .toISOString()
    .replace('T', ' ')
    .replace(/\.\d+Z$/, ' UTC');
}

/** A time of a service, in ISO 8601, as text; undefined: it is missing or invalid. */
export function timestampText(iso: string | null | undefined): string | undefined {
  const date = new Date(iso ?? '');
  return Number.isNaN(date.getTime()) ? undefined : formatTimestamp(date);
}

/** `1 file`, `2 files`. */
export const countText = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

const sizeUnits = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const;

/** A number of bytes for people, in multiples of 1024: `512 B`, `1.5 KiB`, `650 MiB`. */
export function formatSize(bytes: number): string {
  let value = bytes;
  let multiple = 0;
  // From 1023.5 on the value would be rounded to 1024.
  while (value >= 1023.5 && multiple < sizeUnits.length - 1) {
    value /= 1024;
    multiple += 1;
  }
  const rounded = value < 9.95 && multiple > 0 ? value.toFixed(1).replace('.0', '') : value.toFixed(0);
  return `${rounded} ${sizeUnits[multiple]}`;
}
