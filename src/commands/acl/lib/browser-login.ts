import type { Context } from '../../../command/context.ts';
import type { BrowserLoginOptions } from '../../../command/input.ts';
import { describeOidcError, type loginParameters } from './login-token.ts';
import type { Token } from './views.ts';

/**
 * Logs in with the browser, and exchanges the code from the provider for a token. The client nonce binds the two
 * requests: the URLs in the browser alone are not enough to complete the login.
 *
 * @throws LanyardError forbidden: the provider denied access; unavailable: no redirect arrived in time.
 */
export async function loginInBrowser(
  parameters: ReturnType<typeof loginParameters>,
  options: Omit<BrowserLoginOptions, 'service'>,
  ctx: Context,
): Promise<Token> {
  const registry = await ctx.api.registry();
  const describe = describeOidcError(parameters.AuthMethod);
  const ClientNonce = Buffer.from(ctx.system.random(32)).toString('base64url');
  const { state: State, code: Code } = await ctx.input.authorizeInBrowser(
    { service: 'registry', ...options },
    async (RedirectURI) => {
      const request = { ...parameters, RedirectURI, ClientNonce };
      return (await registry.makeAuthUrl(request).catch(describe)).body.AuthURL;
    },
  );
  const { body } = await registry
    .finishOidcLogin({ ...parameters, State, Code, ClientNonce })
    .catch(describe);
  return body;
}
