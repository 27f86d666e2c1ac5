import { arg, command, flag } from '../../../command/command.ts';
import { usage } from '../../../errors.ts';
import { secretsEngine } from '../../../objects/mount.ts';
import { enableFlags, enableMount } from '../lib/enable-mount.ts';
import { engines } from '../lib/mounts.ts';

export default command({
  description:
    'Mounts a secrets engine of a type such as kv, ssh, pki or transit. The exit code is 6 if the path is in use.',
  examples: [
    'lanyard secrets mount enable kv --version 2 --path team/kv --description "Team secrets"',
    'lanyard secrets mount enable ssh --path ssh-hosts --default-lease-ttl 30m --max-lease-ttl 1h',
    'lanyard secrets mount enable kv --dry-run',
  ],
  service: 'secrets',
  writes: true,
  args: { type: arg.text('TYPE', 'type of the engine, such as kv or ssh') },
  flags: { version: flag.integer('1|2', 'version of a key-value engine'), ...enableFlags(secretsEngine) },
  async run({ args: { type }, flags }, ctx) {
    if (flags.version !== undefined && flags.version !== 1 && flags.version !== 2)
      throw usage(`invalid --version ${flags.version}: expected 1 or 2`);
    if (flags.version !== undefined && type !== 'kv')
      throw usage(`--version is only valid for type "kv", not "${type}"`);
    return enableMount(engines, { type, schema: secretsEngine, flags }, ctx);
  },
});
