import { command, flag } from '../../../command/command.ts';
import {
  describeOidcError,
  locateLogin,
  loginDcFlag,
  loginParameters,
  metaFlag,
  methodFlag,
  noStoreFlag,
  readNonce,
  storeLogin,
} from '../lib/login-token.ts';

export default command({
  description:
    'Exchanges the code from the provider for a registry token. The token is stored with the profile, as "acl login" does.',
  examples: [
    'lanyard acl oidc callback --method corp --state st_W4ZV --code env://CODE --client-nonce env://NONCE',
  ],
  service: 'registry',
  writes: true,
  changes: ['profiles', 'tokens', 'acl token'],
  flags: {
    method: methodFlag,
    state: flag.required('STATE', 'state from the redirect'),
    code: flag.source('source of the code from the redirect'),
    clientNonce: flag.source('source of the client nonce of the authorization URL'),
    meta: metaFlag,
    noStore: noStoreFlag,
    dc: loginDcFlag,
  },
  async run({ flags }, ctx) {
    const location = flags.noStore
      ? undefined
      : await locateLogin('--no-store prints the token instead', ctx);
    const Code = await ctx.input.readSecret(flags.code, 'code');
    const nonce = await readNonce(flags.clientNonce, ctx);
    const registry = await ctx.api.registry();
    const { body } = await registry
      .finishOidcLogin({ ...loginParameters(flags), State: flags.state, Code, ...nonce })
      .catch(describeOidcError(flags.method));
    return storeLogin(body, location, { method: flags.method, oidc: true, dc: flags.dc }, ctx);
  },
});
