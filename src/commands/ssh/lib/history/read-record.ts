import type { Context } from '../../../../command/context.ts';
import { type SignedCertificate, serialOfName } from './entry.ts';
import type { Filter } from './filter.ts';
import type { RecordLocation } from './location.ts';
import { openStore } from './open-store.ts';

/** Days that are read at the same time. */
const lookahead = 4;

/** Certificates in the order in which they were signed, in groups. */
export interface History {
  readonly groups: AsyncIterable<readonly SignedCertificate[]>;
  /** What is missing in it, as sentences without a full stop; complete after the last group. */
  readonly gaps: () => readonly string[];
}

/**
 * Reads the record, one day after the other.
 *
 * @param serial reads only entries with this serial number.
 */
export async function readRecord(
  location: RecordLocation,
  { since, until }: Pick<Filter, 'since' | 'until'>,
  serial: string | undefined,
  ctx: Pick<Context, 'api'>,
): Promise<History> {
  const store = await openStore(location, ctx, { forMany: true });
  let damaged = 0;
  let others = 0;
  let isPartial = false;
  const isWanted = (name: string): boolean => {
    const found = serialOfName(name);
    if (found === undefined) others += 1;
    return found !== undefined && (serial === undefined || found === serial);
  };
  async function* groups() {
    const listed = await store.listDays();
    others += listed.others;
    isPartial ||= listed.isPartial;
    const days = listed.days.filter((day) => isBetween(day, since, until));
    const reading: ReturnType<typeof store.readDay>[] = [];
    const readNext = (): void => {
      const day = days.shift();
      if (day === undefined) return;
      const page = store.readDay(day, isWanted);
      // It is thrown where the page is awaited.
      page.catch(() => {});
      reading.push(page);
    };
    for (let count = 0; count < lookahead; count += 1) readNext();
    for (let page = reading.shift(); page !== undefined; page = reading.shift()) {
      const { entries, isPartial: isDayPartial } = await page;
      readNext();
      isPartial ||= isDayPartial;
      const known = entries.flatMap(({ entry }) => entry ?? []);
      damaged += entries.length - known.length;
      yield known;
    }
  }
  return {
    groups: groups(),
    gaps: () => [
      ...(isPartial ? ['the token has no permission to read some entries'] : []),
      ...(damaged > 0 ? [`damaged entries: ${damaged}`] : []),
      ...(others > 0 ? [`other names at this location: ${others}`] : []),
    ],
  };
}

const dayMs = 86_400_000;

/** Whether a day has times in a range, in unix milliseconds. */
function isBetween(day: string, since = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY): boolean {
  const start = Date.parse(day);
  return start + dayMs > since && start <= until;
}
