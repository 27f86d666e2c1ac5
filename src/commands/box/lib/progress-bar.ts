import type { Context } from '../../../command/context.ts';
import { timeLeftText } from '../../../output/humanize.ts';
import { displayWidth } from '../../../wire/display-width.ts';

/** Shows the progress of a transfer: a bar on a terminal, otherwise a line from time to time. */
export interface ProgressBar {
  /** Reports the total number of bytes done. */
  update(bytes: number): void;
  stop(): void;
}

const maxBarWidth = 24;
const minBarWidth = 8;
/** Milliseconds between two lines without a terminal. */
const logIntervalMs = 10_000;
const redrawIntervalMs = 100;

/** @param total in bytes, if known. */
export async function startProgressBar(
  what: string,
  total: number | undefined,
  { output, system }: Context,
): Promise<ProgressBar> {
  const progress = await output.progress(what);
  const now = (): number => system.clock().getTime();
  let first: { readonly time: number; readonly bytes: number } | undefined;
  let last = now();
  return {
    update(bytes) {
      const time = now();
      first ??= { time, bytes };
      if (time - last < (progress.columns > 0 ? redrawIntervalMs : logIntervalMs)) return;
      last = time;
      const speed = ((bytes - first.bytes) / Math.max(time - first.time, 1)) * 1000;
      if (progress.columns > 0)
        progress.update(progressLine(what, { bytes, total, speed }, progress.columns));
      else output.note(`${what}: ${progressText({ bytes, total, speed })}`);
    },
    stop: () => progress.stop(),
  };
}

/** Yields the chunks, and reports each consumed one to the progress bar. */
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

interface Transfer {
  readonly bytes: number;
  readonly total: number | undefined;
  /** Bytes per second. */
  readonly speed: number;
}

/** One line of at most `columns` cells: the bar shrinks first, then the text loses details, then the name. */
export function progressLine(what: string, transfer: Transfer, columns: number): string {
  const all = progressText(transfer);
  const barWidth = Math.min(maxBarWidth, columns - displayWidth(what) - all.length - 2);
  if (transfer.total && barWidth >= minBarWidth) return `${what} ${bar(transfer, barWidth)} ${all}`;
  const short = shortText(transfer);
  const texts = [`${what} ${all}`, `${what} ${short}`, all];
  return texts.find((text) => displayWidth(text) <= columns) ?? short;
}

function bar({ bytes, total = 0 }: Transfer, width: number): string {
  const full = Math.round((Math.min(bytes, total) / total) * width);
  return '█'.repeat(full) + '░'.repeat(width - full);
}

function progressText(transfer: Transfer): string {
  const { bytes, total, speed } = transfer;
  const rate = `${formatSize(speed)}/s`;
  if (!total) return `${formatSize(bytes)}, ${rate}`;
  return [`${percent(bytes, total)} of ${formatSize(total)}`, rate, ...timeLeft(transfer)].join(', ');
}

/** Without sizes and rate. */
function shortText(transfer: Transfer): string {
  const { bytes, total } = transfer;
  return total ? [percent(bytes, total), ...timeLeft(transfer)].join(', ') : formatSize(bytes);
}

const percent = (bytes: number, total: number): string => `${Math.floor((bytes / total) * 100)}%`;

const timeLeft = ({ bytes, total = 0, speed }: Transfer): string[] =>
  speed > 0 ? [timeLeftText((total - bytes) / speed)] : [];

const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

/** `1.2 GiB` */
export function formatSize(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), units.length - 1);
  return `${(bytes / 1024 ** power).toFixed(power === 0 ? 0 : 1)} ${units[power]}`;
}
