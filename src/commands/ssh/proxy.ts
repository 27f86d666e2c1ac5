import { arg, command, flag } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import { isFailure, usage } from '../../errors.ts';
import { certificatePath } from '../../wire/key-paths.ts';
import { addToAgent } from './lib/add-to-agent.ts';
import { signingDefaults } from './lib/defaults.ts';
import { readKey } from './lib/key-files.ts';
import { optionalMountFlag } from './lib/mount.ts';
import { recordChanges, recordFlag } from './lib/record.ts';
import { renew } from './lib/renewal.ts';

export default command({
  description:
    'Connects standard input and output to the port, for ProxyCommand of ssh. With --role the certificate is renewed first if needed and added to the ssh-agent (see "lanyard help ssh-certificates"). If the renewal fails, a warning is printed and the connection is made anyway.',
  examples: ["ssh -o ProxyCommand='lanyard ssh proxy %h %p --role deploy' ubuntu@web1"],
  service: 'secrets',
  changes: ['files', 'ssh files', ...recordChanges],
  args: { host: arg.text('HOST', 'host name or address'), port: arg.text('PORT', 'TCP port') },
  flags: {
    role: flag.text('ROLE', 'role to sign with (default: no renewal)', {
      completes: 'ssh-role',
    }),
    key: flag.file('FILE', 'public key file (default ~/.ssh/id_ed25519.pub, else id_ecdsa, id_rsa)'),
    principals: flag.list('A,B', 'principals: user names'),
    record: recordFlag,
    mount: optionalMountFlag,
  },
  async run({ args, flags }, ctx) {
    const port = /^\d{1,5}$/.test(args.port) ? Number(args.port) : 0;
    if (port < 1 || port > 65_535)
      throw usage(`invalid PORT "${args.port}": expected a number from 1 to 65535`);
    const { role, ...rest } = flags;
    if (role !== undefined) await renewCertificate({ role, ...rest }, ctx).catch(warnAndContinue(ctx));
    await ctx.system.tunnel(args.host, port);
    return undefined;
  },
});

interface ProxyOptions {
  readonly role: string;
  readonly key: string | undefined;
  readonly principals: readonly string[] | undefined;
  readonly mount: string | undefined;
  readonly record: string | undefined;
}

async function renewCertificate(desired: ProxyOptions, ctx: Context): Promise<void> {
  const keys = await ctx.ssh.keys();
  const key = await readKey(desired.key, keys, ctx);
  if (key.path === undefined) throw usage('cannot read the key from standard input: ssh uses it');
  const mount = desired.mount ?? (await ctx.profile.sshDefaults()).mount;
  const { role, principals } = await signingDefaults({ ...desired, mount }, ctx);
  const request = principals ? { valid_principals: principals.join(',') } : {};
  const signing = { mount, role, key, request, record: desired.record };
  const { signed, certificate } = await renew(certificatePath(key.path), signing, keys, ctx);
  if (ctx.system.env.SSH_AUTH_SOCK) await addToAgent(key.path, signed, certificate, ctx);
}

const warnAndContinue =
  (ctx: Context) =>
  (error: unknown): void => {
    if (!isFailure(error)) throw error;
    ctx.output.warn(`cannot renew the certificate: ${error.message}`);
  };
