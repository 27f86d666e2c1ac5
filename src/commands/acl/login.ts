import { command, flag } from '../../command/command.ts';
import { usage } from '../../errors.ts';
import { loginInBrowser } from './lib/browser-login.ts';
import {
  describeLoginError,
  locateLogin,
  loginDcFlag,
  loginParameters,
  metaFlag,
  methodFlag,
  noStoreFlag,
  storeLogin,
} from './lib/login-token.ts';

/** The callback port that auth methods for command lines usually allow. */
const defaultPort = 8550;

export default command({
  description:
    'Exchanges a bearer token (a JWT, or a Kubernetes service account token) for a registry token, which is stored with the profile, in the keyring or a file of mode 0600. With --oidc the login is in the browser; the auth method must allow http://localhost:8550/oidc/callback. Prompts before replacing a stored token that no login created.',
  examples: [
    'lanyard acl login --method minikube --bearer-token @/var/run/secrets/kubernetes.io/serviceaccount/token',
    'lanyard acl login --method ci --bearer-token env://CI_JOB_JWT --meta pipeline=42 --no-store',
    'lanyard acl login --method corp --oidc',
  ],
  service: 'registry',
  writes: true,
  changes: ['profiles', 'tokens', 'acl token'],
  flags: {
    method: methodFlag,
    bearerToken: flag.jwt('source of the bearer token'),
    meta: metaFlag,
    oidc: flag.boolean('log in with the browser'),
    callbackPort: flag.integer('PORT', `with --oidc: callback port (default ${defaultPort})`),
    noBrowser: flag.boolean('with --oidc: print the URL instead of opening a browser'),
    wait: flag.duration('with --oidc: time to wait for the browser (default 5m)'),
    noStore: noStoreFlag,
    dc: loginDcFlag,
  },
  async run({ flags }, ctx) {
    if (flags.oidc && flags.bearerToken !== undefined)
      throw usage('--oidc cannot be combined with --bearer-token');
    const { callbackPort: port = defaultPort } = flags;
    if (port > 65_535) throw usage(`invalid --callback-port ${port}: expected at most 65535`);
    const unsupported =
      !flags.oidc && (flags.callbackPort !== undefined || flags.noBrowser || flags.wait !== undefined);
    if (unsupported) throw usage('--callback-port, --no-browser and --wait require --oidc');
    const location = flags.noStore
      ? undefined
      : await locateLogin('--no-store prints the token instead', ctx);
    const parameters = loginParameters(flags);
    const { method, bearerToken, oidc, dc } = flags;
    const login = { method, bearerToken, oidc, dc };
    if (flags.oidc) {
      const token = await loginInBrowser(
        parameters,
        { port, opensBrowser: !flags.noBrowser, wait: flags.wait ?? '5m' },
        ctx,
      );
      return storeLogin(token, location, login, ctx);
    }
    const BearerToken = await ctx.input.readJwt(flags.bearerToken, 'bearer token');
    const registry = await ctx.api.registry();
    const { body } = await registry
      .login({ ...parameters, BearerToken })
      .catch(describeLoginError(flags.method));
    return storeLogin(body, location, login, ctx);
  },
});
