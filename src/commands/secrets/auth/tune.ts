import { arg, command } from '../../../command/command.ts';
import { secretsAuthMethod } from '../../../objects/mount.ts';
import { authMethods } from '../lib/mounts.ts';
import { tuneFlags, tuneMount } from '../lib/tuning.ts';

export default command({
  description: 'Changes the given settings and shows which ones changed; others are kept.',
  examples: ['lanyard secrets auth tune approle --default-lease-ttl 1h --listing-visibility unauth'],
  service: 'secrets',
  writes: true,
  readsFirst: true,
  returnsList: () => true,
  args: {
    path: arg.text('PATH', 'path of the auth method, below auth/', { completes: { live: 'secrets-auth' } }),
  },
  flags: tuneFlags(secretsAuthMethod),
  run: ({ args, flags }, ctx) =>
    tuneMount(authMethods, { given: args.path, schema: secretsAuthMethod, flags }, ctx),
});
