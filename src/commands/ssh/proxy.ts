import { arg, command, flag } from '../../command.ts';
import type { Context } from '../../context.ts';
import { LanyardError, usage } from '../../errors.ts';
import { besideKey, readKey } from './key.ts';
import { addToAgent, renew } from './renewal.ts';
import { mountFlag, mountOf } from './shared.ts';

export default command({
  description:
    'For ProxyCommand of ssh, where "ssh config" does not fit: connects standard input and output to the port. With --role the certificate beside the key is renewed first, when it is near its end, and handed to the running ssh-agent: ssh reads certificate files before its proxy command is done, and asks the agent after. When the certificate cannot be had, that is said, and the connection is made all the same: ssh goes on with your ordinary keys.',
  examples: ["ssh -o ProxyCommand='lanyard ssh proxy %h %p --role deploy' ubuntu@web1"],
  service: 'secrets',
  args: { host: arg.text('HOST', 'name or address'), port: arg.text('PORT', 'TCP port') },
  flags: {
    role: flag.text('ROLE', 'the role to sign with (default: no certificate is looked after)'),
    key: flag.text('FILE', 'the public key (default: the first of ~/.ssh/id_{ed25519,ecdsa,rsa}.pub)', {
      completes: 'file',
    }),
    principals: flag.list('A,B', 'user names that the certificate is for'),
    mount: mountFlag,
  },
  async run({ args, flags }, ctx) {
    const port = /^\d{1,5}$/.test(args.port) ? Number(args.port) : 0;
    if (port < 1 || port > 65_535) throw usage(`PORT is a number from 1 to 65535, not "${args.port}"`);
    const { role, ...rest } = flags;
    if (role !== undefined) await refreshed({ role, ...rest }, ctx).catch(goOn(ctx));
    await ctx.tunnel(args.host, port);
    return undefined;
  },
});

interface Wanted {
  readonly role: string;
  readonly key: string | undefined;
  readonly principals: readonly string[] | undefined;
  readonly mount: string | undefined;
}

async function refreshed(wanted: Wanted, ctx: Context): Promise<void> {
  const keys = await ctx.keys();
  const key = await readKey(wanted.key, keys, ctx);
  if (key.path === undefined) throw usage('the key cannot come from standard input, which is ssh’s');
  const request = wanted.principals ? { valid_principals: wanted.principals.join(',') } : {};
  const signing = { mount: mountOf(wanted), role: wanted.role, key, request };
  const { signed, certificate } = await renew(besideKey(key.path), signing, keys, ctx);
  if (ctx.env.SSH_AUTH_SOCK) await addToAgent(key.path, signed, certificate, ctx);
}

const goOn =
  (ctx: Pick<Context, 'io'>) =>
  (error: unknown): void => {
    if (!(error instanceof LanyardError) || error.kind === 'interrupted') throw error;
    ctx.io.warn(`the certificate was not renewed: ${error.message}`);
  };
