import { command, flag } from '../../../command.ts';
import { raw } from '../../../output/document.ts';
import { metaFlag, methodFlag, oidcInWords, throughMethod } from '../shared.ts';

export default command({
  description:
    'The first half of a login with a browser, for programs that do the rest themselves: the address where the user signs in. The provider sends the browser to the redirect URI with a state and a code, which "acl oidc callback" takes. "acl login --oidc" does both halves.',
  examples: [
    'lanyard acl oidc auth-url --method corp --redirect-uri https://app.example.com/oidc/callback --client-nonce env://NONCE',
  ],
  service: 'registry',
  writes: true,
  args: {},
  flags: {
    method: methodFlag,
    redirectUri: flag.required('URI', 'where the provider sends the browser; the method has to allow it'),
    clientNonce: flag.text('SRC', 'a secret that the callback has to know too: -, @FILE or env://NAME', {
      completes: 'file',
    }),
    meta: metaFlag,
  },
  async run({ flags }, ctx) {
    const nonce =
      flags.clientNonce === undefined
        ? {}
        : { ClientNonce: await ctx.io.secret(flags.clientNonce, 'client nonce') };
    const registry = await ctx.api.registry();
    const { body } = await registry
      .makeAuthUrl({ ...throughMethod(flags), RedirectURI: flags.redirectUri, ...nonce })
      .catch(oidcInWords(flags.method));
    return { data: body, document: [raw(`${body.AuthURL}\n`)] };
  },
});
