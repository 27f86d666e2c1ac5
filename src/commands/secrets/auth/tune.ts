import { arg, command } from '../../../command/command.ts';
import { unsetFlagOf, withUnset } from '../../../command/unset-flag.ts';
import { authMethods } from '../lib/mounts.ts';
import { settingFlags, tokenTypeFlag, tunedFlags, tuneMount } from '../lib/tuning.ts';

const fieldFlags = { ...tunedFlags, ...tokenTypeFlag };

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
  flags: { ...settingFlags, ...tokenTypeFlag, unset: unsetFlagOf(fieldFlags) },
  run: ({ args, flags }, ctx) =>
    tuneMount(authMethods, { given: args.path, flags: withUnset(flags, fieldFlags) }, ctx),
});
