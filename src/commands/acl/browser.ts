import type { Context } from '../../context.ts';
import { LanyardError } from '../../errors.ts';
import { parseDuration } from '../../wire/duration.ts';
import { oidcInWords, type throughMethod } from './shared.ts';
import type { Token } from './views.ts';

interface Way {
  /** The port of this machine that the provider sends the browser to. */
  readonly port: number;
  readonly mayOpen: boolean;
  /** How long to wait for the browser, Go style. */
  readonly wait: string;
}

/**
 * A login in the browser: listens on loopback, has an authorization URL made for that address, and changes what
 * the provider sends there for a token. The client nonce binds the two calls: who only sees the browser's
 * addresses cannot finish the login.
 *
 * @throws LanyardError forbidden: the provider let nobody in; unavailable: nobody came in time.
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

/** The authorization URL is opened as it is, so it has to be an address of the web, with a state to check. */
function addressIn(text: string): { url: string; State: string } {
  const url = URL.parse(text);
  const State = url?.searchParams.get('state');
  if (url && ['http:', 'https:'].includes(url.protocol) && State) return { url: url.href, State };
  throw new LanyardError(
    'failure',
    'the authorization URL of the service registry is not one that can be opened',
    {
      service: 'registry',
      hint: 'It has to be an http or https address with a state.',
    },
  );
}

/** Sends the user there: opens the browser where there is one, and says the address in any case. */
async function send(url: string, redirectUri: string, mayOpen: boolean, ctx: Context): Promise<void> {
  const opened = mayOpen && ctx.io.interactive && (await ctx.browser.open(url));
  ctx.io.tell(
    opened
      ? `Sign in with the browser that opens. If none does, open this address:\n${url}`
      : `Open this address in a browser that reaches ${new URL(redirectUri).origin} on this machine:\n${url}`,
  );
}

/** The provider's code, or why there is none (OAuth 2.0, 4.1.2.1). */
function codeIn(answer: URLSearchParams): string {
  const code = answer.get('code');
  const error = answer.get('error');
  if (error === null && code) return code;
  const said = answer.get('error_description');
  throw new LanyardError(
    error === 'access_denied' ? 'forbidden' : 'failure',
    error === null
      ? 'the provider sent the browser back with neither a code nor an error'
      : `the provider refused the login: ${error}`,
    { details: said ? [said] : [] },
  );
}
