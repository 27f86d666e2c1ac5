import type { Context } from '../../../cli/context.ts';

/** Shows the progress of a transfer: a bar on a terminal, otherwise a line from time to time. */
export interface ProgressBar {
  /** Reports the total number of bytes done. */
  update(bytes: number): void;
  stop(): void;
}

const barWidth = 24;
/** Milliseconds between two lines without a terminal. */
const logIntervalMs = 10_000;
const redrawIntervalMs = 100;

/** @param total in bytes, if known. */
export async function startProgressBar(
  what: string,
  total: number | undefined,
  { output, system }: Pick<Context, 'output' | 'system'>,
): Promise<ProgressBar> {
  const progress = await output.progress(what);
  const now = (): number => system.clock().getTime();
  let first: { readonly time: number; readonly bytes: number } | undefined;
  let last = now();
  return {
    update(bytes) {
      const time = now();
      first ??= { time, bytes };
      if (time - last < (progress.isVisible ? redrawIntervalMs : logIntervalMs)) return;
      last = time;
      const speed = ((bytes - first.bytes) / Math.max(time - first.time, 1)) * 1000;
      if (progress.isVisible)
        progress.update(`${what} ${bar(bytes, total)} ${progressText(bytes, total, speed)}`);
      else output.note(`${what}: ${progressText(bytes, total, speed)}`);
    },
    stop: () => progress.stop(),
  };
}

/** Yields the chunks, and reports each consumed one to the meter. */
export async function* withProgress(
  chunks: AsyncIterable<Uint8Array>,
  to: ProgressBar,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of chunks) {
    yield chunk;
    bytes += chunk.length;
    to.update(bytes);
  }
}

function bar(bytes: number, total: number | undefined): string {
  if (!total) return '';
  const full = Math.round((Math.min(bytes, total) / total) * barWidth);
  return '█'.repeat(full) + '░'.repeat(barWidth - full);
}

function progressText(bytes: number, total: number | undefined, speed: number): string {
  const rate = `${formatSize(speed)}/s`;
  if (!total) return `${formatSize(bytes)}, ${rate}`;
  const share = `${Math.floor((bytes / total) * 100)}% of ${formatSize(total)}, ${rate}`;
  return speed > 0 ? `${share}, ${formatSeconds((total - bytes) / speed)} left` : share;
}

const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

/** `1.2 GiB` */
export function formatSize(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), units.length - 1);
  return `${(bytes / 1024 ** power).toFixed(power === 0 ? 0 : 1)} ${units[power]}`;
}

function formatSeconds(seconds: number): string {
  const roundedSeconds = Math.max(Math.ceil(seconds), 0);
  if (roundedSeconds < 60) return `${roundedSeconds} s`;
  return roundedSeconds < 3600
    ? `${Math.ceil(roundedSeconds / 60)} min`
    : `${(roundedSeconds / 3600).toFixed(1)} h`;
}
