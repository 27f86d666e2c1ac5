import { command, flag } from '../../command/command.ts';
import { usage } from '../../errors.ts';
import { listResult } from '../../output/document.ts';
import type { SignedCertificate } from './lib/history/entry.ts';
import { filterFlags, filterOf, select } from './lib/history/filter.ts';
import { historyFlags, openHistory } from './lib/history/history.ts';
import { historyColumns } from './lib/history/view.ts';

export default command({
  description:
    'Reads the record that Lanyard keeps (see "lanyard help ssh-history"), or audit logs. The oldest is first.',
  examples: [
    'lanyard ssh history --record registry:ssh/record --user ada --since 7d',
    'lanyard ssh history --audit-log audit.log --role deploy',
  ],
  service: 'secrets',
  returnsList: () => true,
  flags: {
    ...filterFlags,
    limit: flag.integer('N', 'show only the last N certificates'),
    ...historyFlags,
  },
  async run({ flags }, ctx) {
    const { limit } = flags;
    if (limit === 0) throw usage('invalid --limit: expected at least 1');
    const now = ctx.system.clock();
    const filter = filterOf(flags, now.getTime());
    const history = await openHistory(flags, filter, ctx);
    const rows: SignedCertificate[] = [];
    let canStream = limit === undefined;
    const undecided = { count: 0 };
    for await (const found of select(history.groups, filter, undecided)) {
      if (found.length === 0) continue;
      if (canStream) {
        const shown = await ctx.output.showPartial({ data: found, rows: found, document: [] });
        if (shown === 'closed') return undefined;
        if (shown === 'shown') continue;
        canStream = false;
      }
      for (const entry of found) rows.push(entry);
      if (limit !== undefined && rows.length > limit) rows.splice(0, rows.length - limit);
    }
    if (undecided.count > 0) ctx.output.warn(undecidedText(undecided.count));
    for (const gap of history.gaps()) ctx.output.warn(`the list is incomplete: ${gap}`);
    const empty = history.others(flags.user) ?? 'No certificates.';
    return listResult(rows, empty, historyColumns(now));
  },
});

const undecidedText = (count: number): string =>
  `certificates that may match, but lack a field to compare: ${count}`;
