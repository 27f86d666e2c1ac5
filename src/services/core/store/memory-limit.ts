import { type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import { EmbeddedError } from '../errors.ts';
import type { Change, Rows } from './storage.ts';

/** Shares of the heap limit at which a warning is logged (once until `calmShare`), and writes are rejected. */
const calmShare = 0.6;
const warningShare = 0.7;
const rejectionShare = 0.8;

const mebibyte = 2 ** 20;
/** Bytes of the heap limit that are for new objects only. */
const youngGeneration = 192 * mebibyte;

/** Bytes of the heap. */
interface HeapUse {
  readonly used: number;
  readonly limit: number;
}

/** Rejects writes before the heap is full: the runtime ends a process that reaches its heap limit. */
export class MemoryLimit {
  readonly #log: (line: string) => void;
  #use: HeapUse = { used: 0, limit: Number.POSITIVE_INFINITY };
  #isWarned = false;
  #observer: PerformanceObserver | undefined;

  constructor(log: (line: string) => void) {
    this.#log = log;
  }

  /** A limit that is updated after each major garbage collection of this process, until it is stopped. */
  static ofProcess(log: (line: string) => void): MemoryLimit {
    const limit = new MemoryLimit(log);
    limit.#observer = new PerformanceObserver((list) => {
      if (!list.getEntries().some(isMajor)) return;
      const { used_heap_size: used, heap_size_limit: total } = getHeapStatistics();
      limit.update({ used, limit: Math.max(total - youngGeneration, total / 4) });
    });
    limit.#observer.observe({ entryTypes: ['gc'] });
    return limit;
  }

  stop(): void {
    this.#observer?.disconnect();
  }

  /** Updates the limit. @param use measured after a garbage collection */
  update(use: HeapUse): void {
    this.#use = use;
    if (use.used < use.limit * calmShare) this.#isWarned = false;
    if (use.used < use.limit * warningShare || this.#isWarned) return;
    this.#isWarned = true;
    this.#log(`${this.#description}. ${hint}`);
  }

  /** Checks whether changes may be written to rows. @throws EmbeddedError write: too much of the heap is in use */
  check(changes: readonly Change[], rows: Pick<Rows, 'get'>): void {
    if (!this.#isReached || isReducing(changes, rows)) return;
    throw new EmbeddedError('write', `cannot store more: ${this.#description}. ${hint}`);
  }

  /** @throws EmbeddedError data: too much of the heap is in use to read the data of a directory */
  checkOpening(directory: string): void {
    if (!this.#isReached) return;
    throw new EmbeddedError(
      'data',
      `cannot open ${directory}: not enough memory for its data: ${this.#description}. Set NODE_OPTIONS=--max-old-space-size=MIB for a higher limit.`,
    );
  }

  get #isReached(): boolean {
    return this.#use.used >= this.#use.limit * rejectionShare;
  }

  get #description(): string {
    const { used, limit } = this.#use;
    return `${(used / mebibyte).toFixed(0)} of ${(limit / mebibyte).toFixed(0)} MiB of heap memory are in use`;
  }
}

const hint = 'Delete objects, or set NODE_OPTIONS=--max-old-space-size=MIB for a higher limit and restart.';

/** The kind of garbage collection that examines the heap (`NODE_PERFORMANCE_GC_MAJOR`). */
const majorKind = 4;

function isMajor(entry: PerformanceEntry): boolean {
  const { detail } = entry as PerformanceEntry & { readonly detail?: { readonly kind?: number } };
  return detail?.kind === majorKind;
}

/** Whether changes remove keys, and no fewer than they add. */
function isReducing(changes: readonly Change[], rows: Pick<Rows, 'get'>): boolean {
  let removed = 0;
  let added = 0;
  for (const { key, value } of changes) {
    const exists = rows.get(key) !== undefined;
    if (value === undefined && exists) removed++;
    if (value !== undefined && !exists) added++;
  }
  return removed > 0 && removed >= added;
}
