import type { Context } from '../../context.ts';
import { LanyardError } from '../../errors.ts';
import { parseDuration } from '../../wire/duration.ts';
import { oidcInWords, type throughMethod } from './shared.ts';
import type { Token } from './views.ts';

interface Way {
  /** The local port that the provider redirects the browser to. */
  readonly port: number;
  readonly mayOpen: boolean;
  /** How long to wait for the browser, as a Go duration. */
  readonly wait: string;
}

/**
 * Logs in with the browser: listens on loopback, requests an authorization URL for that address, and exchanges the
 * code from the provider for a token. The client nonce binds the two requests: the URLs in the browser alone are not
 * enough to complete the login.
 *
 * @throws LanyardError forbidden: the provider denied access; unavailable: no redirect arrived in time.
 */
export async function signIn(
  through: ReturnType<typeof throughMethod>,
  { port, mayOpen, wait }: Way,
  ctx: Context,
): Promise<Token> {
  const registry = await ctx.api.registry();
  const inWords = oidcInWords(through.AuthMethod);
  const ClientNonce = Buffer.from(ctx.random(32)).toString('base64url');
  const callback = await ctx.browser.callback(port);
  try {
    const { body } = await registry
      .makeAuthUrl({ ...through, RedirectURI: callback.redirectUri, ClientNonce })
      .catch(inWords);
    const { url, State } = addressIn(body.AuthURL);
    await send(url, callback.redirectUri, mayOpen, ctx);
    const answer = await callback.answer(State, parseDuration(wait) ?? 300);
    const Code = codeIn(answer);
    const { body: token } = await registry
      .finishOidcLogin({ ...through, State, Code, ClientNonce })
      .catch(inWords);
    return token;
  } finally {
    await callback.close();
  }
}

/** Validates the authorization URL before it is opened: it must be an http or https URL with a state. */
function addressIn(text: string): { url: string; State: string } {
  const url = URL.parse(text);
  const State = url?.searchParams.get('state');
  if (url && ['http:', 'https:'].includes(url.protocol) && State) return { url: url.href, State };
  throw new LanyardError(
    'failure',
    'unexpected response from the service registry: invalid authorization URL',
    {
      service: 'registry',
      hint: 'The auth method must return an http or https URL with a state parameter.',
    },
  );
}

/** Opens the URL in a browser if possible, and always prints it. */
async function send(url: string, redirectUri: string, mayOpen: boolean, ctx: Context): Promise<void> {
  const opened = mayOpen && ctx.io.interactive && (await ctx.browser.open(url));
  ctx.io.tell(
    opened
      ? `Log in with the browser. If it does not open, go to this URL:\n${url}`
      : `Open this URL in a browser that can reach ${new URL(redirectUri).origin} on this machine:\n${url}`,
  );
}

/** The code from the provider. @throws LanyardError: the error from the provider (OAuth 2.0, 4.1.2.1). */
function codeIn(answer: URLSearchParams): string {
  const code = answer.get('code');
  const error = answer.get('error');
  if (error === null && code) return code;
  const said = answer.get('error_description');
  throw new LanyardError(
    error === 'access_denied' ? 'forbidden' : 'failure',
    error === null
      ? 'the provider returned neither a code nor an error'
      : `the provider rejected the login: ${error}`,
    { details: said ? [said] : [] },
  );
}
