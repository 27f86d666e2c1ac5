import { command, flag } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import { partiallyAppliedError, usage } from '../../../errors.ts';
import { code, textResult } from '../../../output/document.ts';
import { formatTimestamp } from '../../../output/humanize.ts';
import { mapConcurrently } from '../../../wire/concurrently.ts';
import { parseTime } from '../lib/history/filter.ts';
import { noRecordError, recordFlag } from '../lib/history/history.ts';
import { locationText } from '../lib/history/location.ts';
import { openStore } from '../lib/history/open-store.ts';
import type { RecordStore } from '../lib/history/store.ts';
import { recordLocation } from '../lib/record.ts';

export default command({
  description:
    'Deletes the entries of certificates that expired before a time; those of valid certificates and of certificates without an end are kept, because "ssh revoke --user" needs them. What cannot be read as an entry is kept, too.',
  examples: ['lanyard ssh record prune --before 90d --record registry:ssh/record --yes'],
  service: 'secrets',
  writes: 'after reads',
  changes: ['registry kv', 'kv'],
  waitsForRateLimits: true,
  flags: {
    before: flag.required('TIME', 'a date, a time (RFC 3339), or a duration such as 90d'),
    record: recordFlag,
  },
  async run({ flags }, ctx) {
    const now = ctx.system.clock().getTime();
    const before = parseTime(flags.before, '--before', now);
    if (before > now) throw usage('--before must not be in the future: valid certificates are kept');
    const location = await recordLocation(flags.record, ctx);
    if (location === undefined) throw await noRecordError(ctx);
    const store = await openStore(location, ctx, { forMany: true });
    const found = await readExpired(store, before);
    const { names, kept, isPartial } = found;
    if (isPartial) ctx.output.warn('some entries are kept: the token has no permission to read them');
    const data = {
      record: locationText(location),
      /** RFC 3339. */
      before: new Date(before).toISOString(),
      /** Entries. */
      deleted: names.length,
      /** Entries that were read on the days before that time, and kept. */
      kept,
    };
    const entries = names.length === 1 ? '1 entry' : `${names.length} entries`;
    const what = `${entries} of certificates that expired before ${formatTimestamp(new Date(before))}`;
    if (names.length > 0) {
      await ctx.input.confirm(`Delete ${what} from ${data.record}? This cannot be undone.`);
      await removeAll(store, names, ctx);
    }
    return textResult(data, `Deleted ${what} from `, code(data.record), '.');
  },
});

/** The names of the entries whose certificates expired before a time, in unix milliseconds. */
async function readExpired(store: RecordStore, before: number) {
  const listed = await store.listDays();
  const days = listed.days.filter((day) => Date.parse(day) <= before);
  const names: string[] = [];
  let kept = 0;
  let isPartial = listed.isPartial;
  for (const day of days) {
    const page = await store.readDay(day, () => true);
    isPartial ||= page.isPartial;
    for (const { name, entry } of page.entries) {
      const end = entry?.validBefore;
      if (typeof end === 'string' && Date.parse(end) < before) names.push(name);
      else kept += 1;
    }
  }
  return { names, kept, isPartial };
}

async function removeAll(store: RecordStore, names: readonly string[], ctx: Context): Promise<void> {
  if (ctx.output.isDryRun) return ctx.output.sequentially(names, (name) => store.remove(name));
  let done = 0;
  try {
    await mapConcurrently(names, async (name) => {
      await store.remove(name);
      done += 1;
    });
  } catch (error) {
    throw partiallyAppliedError(error, done === 0 ? [] : [`entries deleted: ${done}`]);
  }
}
