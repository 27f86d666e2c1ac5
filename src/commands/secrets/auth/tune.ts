import { command } from '../../../command/command.ts';
import { secretsAuthMethod } from '../../../objects/mount.ts';
import { authMethods, authPathArg } from '../lib/mounts.ts';
import { tuneFlags, tuneMount } from '../lib/tuning.ts';

export default command({
  description: 'Changes the given settings and shows which ones changed; others are unchanged.',
  examples: ['lanyard secrets auth tune approle --default-lease-ttl 1h --listing-visibility unauth'],
  service: 'secrets',
  writes: 'after reads',
  returnsList: () => true,
  args: { path: authPathArg },
  flags: tuneFlags(secretsAuthMethod),
  run: ({ args, flags }, ctx) =>
    tuneMount(authMethods, { given: args.path, schema: secretsAuthMethod, flags }, ctx),
});
