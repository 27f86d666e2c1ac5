import { command } from '../../../command/command.ts';
import { fieldsResult, strong } from '../../../output/document.ts';
import { humanDuration, timestampText } from '../../../output/humanize.ts';
import { findLease, leaseArg } from '../lib/leases.ts';

export default command({
  examples: ['lanyard secrets lease lookup "$LEASE"', 'lanyard secrets lease lookup "$LEASE" --field ttl'],
  service: 'secrets',
  args: { lease: leaseArg },
  async run({ args }, ctx) {
    const lease = await findLease(await ctx.api.secrets(), args.lease);
    return fieldsResult(lease, [
      ['ID', strong(lease.id)],
      ['issued', timestampText(lease.issue_time)],
      ['expires', timestampText(lease.expire_time)],
      ['remaining', humanDuration(lease.ttl)],
      ['renewable', lease.renewable ? 'yes' : 'no'],
      ['renewed', timestampText(lease.last_renewal)],
    ]);
  },
});
