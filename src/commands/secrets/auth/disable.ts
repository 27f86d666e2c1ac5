import { command } from '../../../command/command.ts';
import { disableMount } from '../lib/disable-mount.ts';
import { authMethods, authPathArg } from '../lib/mounts.ts';

export default command({
  description:
    'Deletes the configuration of the auth method and revokes the tokens of its logins. Prompts for confirmation.',
  examples: ['lanyard secrets auth disable ci-jobs', 'lanyard secrets auth disable approle --yes'],
  service: 'secrets',
  writes: 'after reads',
  changes: ['secrets'],
  args: { path: authPathArg },
  run: ({ args }, ctx) => disableMount(authMethods, args.path, ctx),
});
