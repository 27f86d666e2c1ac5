import { command, flag } from '../../../command/command.ts';
import { code, text } from '../../../output/document.ts';
import { humanDuration } from '../../../output/humanize.ts';
import { describeMissingLease, describeNotRenewable, leaseArg } from '../lib/leases.ts';

export default command({
  description:
    'The service may grant less than --increment, and nothing beyond the maximum lifetime; some credentials, such as one-time passwords, cannot be renewed.',
  examples: ['lanyard secrets lease renew "$LEASE" --increment 1h'],
  service: 'secrets',
  writes: true,
  args: { lease: leaseArg },
  flags: { increment: flag.duration('requested lifetime from now (default: set by the lease)') },
  async run({ args: { lease: id }, flags }, ctx) {
    const secrets = await ctx.api.secrets();
    const { body } = await secrets
      .renewLease({ lease_id: id, increment: flags.increment })
      .catch(describeMissingLease(id))
      .catch(describeNotRenewable(id));
    const { lease_id, lease_duration, renewable = false } = body;
    return {
      data: { lease_id, lease_duration, renewable },
      document: [text('Renewed lease ', code(lease_id), `: it expires in ${humanDuration(lease_duration)}.`)],
    };
  },
});
