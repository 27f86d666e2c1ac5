import { command, flag } from '../../../command/command.ts';
import { raw } from '../../../output/document.ts';
import {
  describeOidcError,
  loginDcFlag,
  loginParameters,
  metaFlag,
  methodFlag,
  readNonce,
} from '../lib/login-token.ts';

export default command({
  description:
    'Prints the URL where the user logs in, for programs that handle the redirect themselves. The provider redirects the browser with a state and a code, which "acl oidc callback" requires. "acl login --oidc" performs both steps.',
  examples: [
    'lanyard acl oidc auth-url --method corp --redirect-uri https://app.example.com/oidc/callback --client-nonce env://NONCE',
  ],
  service: 'registry',
  writes: true,
  flags: {
    method: methodFlag,
    redirectUri: flag.required('URI', 'URI that the provider redirects to; the auth method must allow it'),
    clientNonce: flag.source('source of a secret that the callback must repeat'),
    meta: metaFlag,
    dc: loginDcFlag,
  },
  async run({ flags }, ctx) {
    const nonce = await readNonce(flags.clientNonce, ctx);
    const registry = await ctx.api.registry();
    const { body } = await registry
      .makeAuthUrl({ ...loginParameters(flags), RedirectURI: flags.redirectUri, ...nonce })
      .catch(describeOidcError(flags.method));
    return { data: body, document: [raw(`${body.AuthURL}\n`)] };
  },
});
