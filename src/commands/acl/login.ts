import { command, flag } from '../../command.ts';
import { usage } from '../../errors.ts';
import { signIn } from './browser.ts';
import {
  homeFor,
  loginInWords,
  metaFlag,
  methodFlag,
  noStoreFlag,
  settleIn,
  throughMethod,
} from './shared.ts';

/** The port that auth methods for command lines are usually set up with. */
const usualPort = 8550;

export default command({
  description:
    'Changes a proof of who you are for a token of the registry. The proof is a bearer token (a JWT, or a service account token of Kubernetes), or with --oidc a login in the browser: the provider sends the browser back to a port of this machine, so the auth method has to allow http://localhost:8550/oidc/callback. The token is stored with the profile, in the keyring or a file of mode 0600, and replaces the one that was there: one that no login made after asking only.',
  examples: [
    'lanyard acl login --method minikube --bearer-token @/var/run/secrets/kubernetes.io/serviceaccount/token',
    'lanyard acl login --method ci --bearer-token env://CI_JOB_JWT --meta pipeline=42 --no-store',
    'lanyard acl login --method corp --oidc',
  ],
  service: 'registry',
  writes: true,
  args: {},
  flags: {
    method: methodFlag,
    bearerToken: flag.text('SRC', 'where the bearer token comes from: -, @FILE or env://NAME', {
      completes: 'file',
    }),
    meta: metaFlag,
    oidc: flag.boolean('log in with the browser'),
    callbackPort: flag.integer('PORT', `with --oidc: the port of the callback (default ${usualPort})`),
    noBrowser: flag.boolean('with --oidc: print the address, and open nothing'),
    wait: flag.duration('with --oidc: how long to wait for the browser (default 5m)'),
    noStore: noStoreFlag,
  },
  async run({ flags }, ctx) {
    if (flags.oidc && flags.bearerToken !== undefined)
      throw usage('--oidc and --bearer-token exclude each other');
    const { callbackPort: port = usualPort } = flags;
    if (port > 65_535) throw usage(`--callback-port ${port} is no port: the highest is 65535`);
    const odd =
      !flags.oidc && (flags.callbackPort !== undefined || flags.noBrowser || flags.wait !== undefined);
    if (odd) throw usage('--callback-port, --no-browser and --wait mean nothing without --oidc');
    const home = await homeFor(flags.noStore, ctx);
    const through = throughMethod(flags);
    if (flags.oidc) {
      const token = await signIn(through, { port, mayOpen: !flags.noBrowser, wait: flags.wait ?? '5m' }, ctx);
      return settleIn(token, home, ctx);
    }
    const BearerToken = await ctx.io.secret(flags.bearerToken, 'bearer token');
    const registry = await ctx.api.registry();
    const { body } = await registry.login({ ...through, BearerToken }).catch(loginInWords(flags.method));
    return settleIn(body, home, ctx);
  },
});
