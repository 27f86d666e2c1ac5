import { createServer } from 'node:http';
import { Provider as OidcProvider } from 'oidc-provider';
import { onTestFinished } from 'vitest';
import { rsaPair } from './keys.ts';
import { listening } from './ports.ts';

/** Who may sign in at the provider, by login name: the claims that its ID token tells of them. */
export type People = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** A real OpenID Connect provider on loopback. */
export interface Provider {
  /** Also the address that its discovery document is found below. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /**
   * Does what a person with a browser does: follows the authorization URL, signs in and consents.
   *
   * @returns where the provider sends the browser back to, `code` and `state` (or `error`) in its query; it was not
   * requested yet
   * @throws Error the provider shows an error page
   */
  signIn(authUrl: string, login: string): Promise<URL>;
}

/**
 * Starts a provider on a free port; it ends with the test. It has one client, which is confidential, and demands
 * PKCE of it.
 *
 * @param redirectUris where the client lets the browser be sent back to; a loopback one with any port
 */
export async function provider(redirectUris: readonly string[], people: People): Promise<Provider> {
  const server = createServer();
  const { address: issuer } = await listening(server);
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const client = { clientId: 'registry', clientSecret: 'a-secret-of-the-client' };
  const claims = [...new Set(Object.values(people).flatMap((each) => Object.keys(each)))];
  const { privateKey } = rsaPair();
  const oidc = new OidcProvider(issuer, {
    clients: [
      {
        client_id: client.clientId,
        client_secret: client.clientSecret,
        redirect_uris: [...redirectUris],
        response_types: ['code'],
        grant_types: ['authorization_code'],
        application_type: 'native',
        token_endpoint_auth_method: 'client_secret_basic',
      },
    ],
    claims: { openid: ['sub', ...claims] },
    // The claims are in the ID token, not only at the endpoint that tells of the person.
    conformIdTokenClaims: false,
    cookies: { keys: ['one-key-for-the-cookies'] },
    findAccount: (_ctx, login) => {
      const person = Object.hasOwn(people, login) ? people[login] : undefined;
      return person && { accountId: login, claims: () => ({ ...person, sub: login }) };
    },
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig' }] },
    pkce: { required: () => true },
    ttl: {
      AccessToken: 600,
      AuthorizationCode: 60,
      Grant: 600,
      IdToken: 600,
      Interaction: 600,
      Session: 600,
    },
  });
  server.on('request', oidc.callback());
  return { issuer, ...client, signIn: (authUrl, login) => signIn(issuer, authUrl, login) };
}

async function signIn(issuer: string, authUrl: string, login: string): Promise<URL> {
  const cookies = new Map<string, string>();
  let url = new URL(authUrl);
  let form: URLSearchParams | undefined;
  for (let step = 0; step < 20; step++) {
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form && { method: 'POST', body: form }),
    });
    const text = await response.text();
    form = undefined;
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get('location');
    if (location) {
      url = new URL(location, url);
      if (url.origin !== issuer) return url;
      continue;
    }
    // A page to fill in: first who it is, then that the client may know of them.
    const [, prompt] = /name="prompt" value="(\w+)"/.exec(text) ?? [];
    if (!prompt) throw new Error(`the provider answered ${response.status}: ${text}`);
    form = new URLSearchParams(prompt === 'login' ? { prompt, login, password: 'any' } : { prompt });
  }
  throw new Error('the provider does not send the browser back');
}
