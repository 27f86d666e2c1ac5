import { arg, command } from '../../../command/command.ts';
import { secretsAuthMethod } from '../../../objects/mount.ts';
import { enableFlags, enableMount } from '../lib/enable-mount.ts';
import { authMethods } from '../lib/mounts.ts';

export default command({
  description:
    'Types are userpass, approle, jwt and others; configure the auth method with "secrets write auth/PATH/config" next. The exit code is 6 if the path is in use.',
  examples: [
    'lanyard secrets auth enable approle',
    'lanyard secrets auth enable jwt --path ci --description "CI jobs" --max-lease-ttl 1h',
  ],
  service: 'secrets',
  writes: true,
  args: { type: arg.text('TYPE', 'type of the auth method, such as userpass or jwt') },
  flags: enableFlags(secretsAuthMethod),
  run: ({ args: { type }, flags }, ctx) =>
    enableMount(authMethods, { type, schema: secretsAuthMethod, flags }, ctx),
});
