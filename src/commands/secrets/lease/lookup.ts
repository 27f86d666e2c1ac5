import { command } from '../../../command/command.ts';
import { fields, type StyledText, strong } from '../../../output/document.ts';
import { humanDuration, timestampText } from '../../../output/humanize.ts';
import { findLease, leaseArg } from '../lib/leases.ts';

export default command({
  examples: ['lanyard secrets lease lookup "$LEASE"', 'lanyard secrets lease lookup "$LEASE" --field ttl'],
  service: 'secrets',
  args: { lease: leaseArg },
  async run({ args }, ctx) {
    const lease = await findLease(await ctx.api.secrets(), args.lease);
    const time = (
      label: string,
      value: string | null | undefined,
    ): readonly (readonly [string, StyledText])[] => {
      const shown = timestampText(value);
      return shown === undefined ? [] : [[label, shown]];
    };
    return {
      data: lease,
      document: [
        fields([
          ['ID', [strong(lease.id)]],
          ...time('issued', lease.issue_time),
          ...time('expires', lease.expire_time),
          ['remaining', humanDuration(lease.ttl)],
          ['renewable', lease.renewable ? 'yes' : 'no'],
          ...time('renewed', lease.last_renewal),
        ]),
      ],
    };
  },
});
