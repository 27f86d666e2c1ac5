import { arg, command } from '../../../command/command.ts';
import { namesTable } from '../../../output/document.ts';
import { leaseNames, leasePrefix } from '../lib/leases.ts';

export default command({
  description:
    'Names that end with "/" are longer prefixes. Requires a token with sudo on sys/leases/lookup.',
  examples: ['lanyard secrets lease list', 'lanyard secrets lease list ssh/creds/otp --select "[0]"'],
  service: 'secrets',
  args: { prefix: arg.optional('PREFIX', 'path of the leases, such as ssh/creds/otp') },
  async run({ args }, ctx) {
    const prefix = args.prefix === undefined ? undefined : leasePrefix(args.prefix);
    const names = await leaseNames(await ctx.api.secrets(), prefix);
    return { data: names, rows: names, document: [namesTable('NAME', names, 'No leases.')] };
  },
});
