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

/** The callback port that auth methods for command lines usually allow. */
const usualPort = 8550;

export default command({
  description:
    'Exchanges a bearer token (a JWT, or a Kubernetes service account token) for a registry token, which is stored with the profile, in the keyring or a file of mode 0600. With --oidc the login is in the browser; the auth method must allow http://localhost:8550/oidc/callback. Asks before it replaces a stored token that was not created by a login.',
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
    bearerToken: flag.text('SRC', 'source of the bearer token: -, @FILE or env://NAME', {
      completes: 'file',
    }),
    meta: metaFlag,
    oidc: flag.boolean('log in with the browser'),
    callbackPort: flag.integer('PORT', `with --oidc: callback port (default ${usualPort})`),
    noBrowser: flag.boolean('with --oidc: print the URL instead of opening a browser'),
    wait: flag.duration('with --oidc: time to wait for the browser (default 5m)'),
    noStore: noStoreFlag,
  },
  async run({ flags }, ctx) {
    if (flags.oidc && flags.bearerToken !== undefined)
      throw usage('--oidc cannot be combined with --bearer-token');
    const { callbackPort: port = usualPort } = flags;
    if (port > 65_535) throw usage(`invalid --callback-port ${port}: expected at most 65535`);
    const odd =
      !flags.oidc && (flags.callbackPort !== undefined || flags.noBrowser || flags.wait !== undefined);
    if (odd) throw usage('--callback-port, --no-browser and --wait require --oidc');
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
