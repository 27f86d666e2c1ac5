const unit = { ns: 1e-9, us: 1e-6, µs: 1e-6, ms: 1e-3, s: 1, m: 60, h: 3600 } as const;
const part = /(\d+(?:\.\d+)?)(ns|us|µs|ms|s|m|h)/gy;

/**
 * Reads a duration of a service or a flag: Go style (`30s`, `1h30m`), a bare number of seconds (text or number), or
 * empty for none.
 *
 * @returns seconds, or `undefined` if it is not a duration.
 */
export function parseDuration(value: string | number): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  const text = value.trim();
  if (text === '') return 0;
  if (/^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  const sign = text.startsWith('-') ? -1 : 1;
  let at = sign < 0 ? 1 : 0;
  if (at === text.length) return undefined;
  let seconds = 0;
  while (at < text.length) {
    part.lastIndex = at;
    const match = part.exec(text);
    if (!match) return undefined;
    seconds += Number(match[1]) * unit[match[2] as keyof typeof unit];
    at = part.lastIndex;
  }
  return sign * seconds;
}

/**
 * Converts days to hours, the largest unit that every service reads: `1d` → `24h`, `1d12h` → `36h`. A text without
 * days, or one that is not a duration, is returned unchanged.
 */
export function withoutDays(text: string): string {
  const [, days, rest = ''] = /^\s*(\d+(?:\.\d+)?)d(.*?)\s*$/s.exec(text) ?? [];
  const seconds = days === undefined || /^[\s+-]/.test(rest) ? undefined : parseDuration(rest);
  if (seconds === undefined || (rest !== '' && !/[a-zµ]$/.test(rest))) return text;
  const total = Number(days) * 86_400 + seconds;
  return shortDuration(total);
}

/** Writes seconds as people do: `1h`, `1h30m`, `45s`, `0.7s`. */
export const shortDuration = (seconds: number): string =>
  Number.isInteger(seconds)
    ? formatDuration(seconds).replace(/m0s$/, 'm').replace(/h0m$/, 'h')
    : `${seconds}s`;

/** Writes whole seconds as Go does (`90` → `1m30s`, `3600` → `1h0m0s`); 0 is `0s`. */
export function formatDuration(seconds: number): string {
  const totalSeconds = Math.trunc(Math.abs(seconds));
  const sign = seconds < 0 ? '-' : '';
  const h = Math.trunc(totalSeconds / 3600);
  const m = Math.trunc((totalSeconds % 3600) / 60);
  const s = totalSeconds % 60;
  if (h > 0) return `${sign}${h}h${m}m${s}s`;
  if (m > 0) return `${sign}${m}m${s}s`;
  return `${sign}${s}s`;
}
