import type { Context } from '../../../cli/context.ts';
import { LanyardError } from '../../../errors.ts';
import { parseDuration } from '../../../wire/duration.ts';
import { describeOidcError, type loginParameters } from './login-token.ts';
import type { Token } from './views.ts';

interface BrowserLoginOptions {
  /** The local port that the provider redirects the browser to. */
  readonly port: number;
  readonly opensBrowser: boolean;
  /** How long to wait for the browser, as a Go duration. */
  readonly waitSeconds: string;
}

/**
 * Logs in with the browser: listens on loopback, requests an authorization URL for that address, and exchanges the
 * code from the provider for a token. The client nonce binds the two requests: the URLs in the browser alone are not
 * enough to complete the login.
 *
 * @throws LanyardError forbidden: the provider denied access; unavailable: no redirect arrived in time.
 */
export async function loginInBrowser(
  parameters: ReturnType<typeof loginParameters>,
  { port, opensBrowser, waitSeconds: wait }: BrowserLoginOptions,
  ctx: Context,
): Promise<Token> {
  const registry = await ctx.api.registry();
  const inWords = describeOidcError(parameters.AuthMethod);
  const ClientNonce = Buffer.from(ctx.system.random(32)).toString('base64url');
  const callback = await ctx.system.listenForCallback(port);
  try {
    const { body } = await registry
      .makeAuthUrl({ ...parameters, RedirectURI: callback.redirectUri, ClientNonce })
      .catch(inWords);
    const { url, State } = findUrl(body.AuthURL);
    await openAuthUrl(url, callback.redirectUri, opensBrowser, ctx);
    const response = await callback.waitForQuery(State, parseDuration(wait) ?? 300);
    const Code = authorizationCode(response);
    const { body: token } = await registry
      .finishOidcLogin({ ...parameters, State, Code, ClientNonce })
      .catch(inWords);
    return token;
  } finally {
    await callback.close();
  }
}

/** Validates the authorization URL before it is opened: it must be an http or https URL with a state. */
function findUrl(text: string): { url: string; State: string } {
  const url = URL.parse(text);
  const State = url?.searchParams.get('state');
  if (url && ['http:', 'https:'].includes(url.protocol) && State) return { url: url.href, State };
  throw new LanyardError(
    'failure',
    'unexpected response from the service registry: invalid authorization URL',
    { service: 'registry', hint: 'The auth method must return an http or https URL with a state parameter.' },
  );
}

/** Opens the URL in a browser if possible, and always prints it. */
async function openAuthUrl(
  url: string,
  redirectUri: string,
  opensBrowser: boolean,
  ctx: Context,
): Promise<void> {
  const isOpened = opensBrowser && ctx.input.isInteractive() && (await ctx.system.openBrowser(url));
  ctx.output.noteNow(
    isOpened
      ? `Log in with the browser. If it does not open, go to this URL:\n${url}`
      : `Open this URL in a browser that can reach ${new URL(redirectUri).origin} on this machine:\n${url}`,
  );
}

/** The code from the provider. @throws LanyardError: the error from the provider (OAuth 2.0, 4.1.2.1). */
function authorizationCode(response: URLSearchParams): string {
  const code = response.get('code');
  const error = response.get('error');
  if (error === null && code) return code;
  const description = response.get('error_description');
  throw new LanyardError(
    error === 'access_denied' ? 'forbidden' : 'failure',
    error === null
      ? 'the provider returned neither a code nor an error'
      : `the provider rejected the login: ${error}`,
    { details: description ? [description] : [] },
  );
}
