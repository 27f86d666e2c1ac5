import type { Context } from '../../context.ts';

/** Shows the progress of a transfer: a bar on a terminal, otherwise a line from time to time. */
export interface Meter {
  /** Reports the total number of bytes done. */
  at(bytes: number): void;
  stop(): void;
}

const barWidth = 24;
/** Milliseconds between two lines without a terminal. */
const often = 10_000;
const redrawn = 100;

/** @param total in bytes, if known. */
export async function meter(
  what: string,
  total: number | undefined,
  { io, clock }: Pick<Context, 'io' | 'clock'>,
): Promise<Meter> {
  const progress = await io.progress(what);
  const now = (): number => clock().getTime();
  let first: { readonly time: number; readonly bytes: number } | undefined;
  let last = now();
  return {
    at(bytes) {
      const time = now();
      first ??= { time, bytes };
      if (time - last < (progress.shown ? redrawn : often)) return;
      last = time;
      const speed = ((bytes - first.bytes) / Math.max(time - first.time, 1)) * 1000;
      if (progress.shown) progress.update(`${what} ${bar(bytes, total)} ${words(bytes, total, speed)}`);
      else io.note(`${what}: ${words(bytes, total, speed)}`);
    },
    stop: () => progress.stop(),
  };
}

/** Yields the chunks, and reports each consumed one to the meter. */
export async function* metered(chunks: AsyncIterable<Uint8Array>, to: Meter): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of chunks) {
    yield chunk;
    bytes += chunk.length;
    to.at(bytes);
  }
}

function bar(bytes: number, total: number | undefined): string {
  if (!total) return '';
  const full = Math.round((Math.min(bytes, total) / total) * barWidth);
  return '█'.repeat(full) + '░'.repeat(barWidth - full);
}

function words(bytes: number, total: number | undefined, speed: number): string {
  const rate = `${size(speed)}/s`;
  if (!total) return `${size(bytes)}, ${rate}`;
  const share = `${Math.floor((bytes / total) * 100)}% of ${size(total)}, ${rate}`;
  return speed > 0 ? `${share}, ${duration((total - bytes) / speed)} left` : share;
}

const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

/** `1.2 GiB` */
export function size(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), units.length - 1);
  return `${(bytes / 1024 ** power).toFixed(power === 0 ? 0 : 1)} ${units[power]}`;
}

function duration(seconds: number): string {
  const whole = Math.max(Math.ceil(seconds), 0);
  if (whole < 60) return `${whole} s`;
  return whole < 3600 ? `${Math.ceil(whole / 60)} min` : `${(whole / 3600).toFixed(1)} h`;
}
