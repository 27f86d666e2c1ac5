import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { SignJWT } from 'jose';
import { rsaPair } from './keys.ts';
import { listening } from './ports.ts';

/** A local issuer of OIDC tokens, with the endpoint from which a job of GitHub Actions requests them. */
export interface ActionsIssuer {
  readonly issuer: string;
  /** The key of the signatures, in PEM. */
  readonly publicKey: string;
  /** What the runner sets for a job with the permission `id-token: write`. */
  readonly env: Readonly<Record<string, string>>;
  readonly requestToken: string;
  readonly requests: { readonly url: string; readonly headers: IncomingHttpHeaders }[];
  /** The tokens that were issued. */
  readonly tokens: string[];
  /** The responses before the next token: a status, or `reset`. */
  readonly failures: (number | 'reset' | 'redirect' | 'page' | 'empty')[];
  /** A token for the audience, as an id_token of GitLab. */
  sign(audience: string, claims?: object): Promise<string>;
  close(): Promise<void>;
}

/** Starts the issuer on a free port of the loopback. */
export async function actionsIssuer(): Promise<ActionsIssuer> {
  const { privateKey, publicKey } = rsaPair();
  const keyId = 'key-1';
  const requestToken = `request-token-${crypto.randomUUID()}`;
  const requests: ActionsIssuer['requests'] = [];
  const tokens: string[] = [];
  const failures: ActionsIssuer['failures'] = [];
  const server = createServer();
  const { address: issuer } = await listening(server);
  const sign = async (audience: string, claims: object = {}): Promise<string> => {
    const token = await new SignJWT({ repository: 'octo-org/app', ref: 'refs/heads/main', ...claims })
      .setProtectedHeader({ alg: 'RS256', kid: keyId, typ: 'JWT' })
      .setIssuer(issuer)
      .setSubject('repo:octo-org/app:ref:refs/heads/main')
      .setAudience(audience)
      .setIssuedAt()
      .setExpirationTime('5m')
      .sign(privateKey);
    tokens.push(token);
    return token;
  };
  server.on('request', async (request, response) => {
    const url = new URL(request.url ?? '/', issuer);
    const send = (body: object, status = 200): void => {
      response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8' });
      response.end(JSON.stringify(body));
    };
    if (url.pathname === '/.well-known/openid-configuration')
      return send({ issuer, jwks_uri: `${issuer}/jwks`, id_token_signing_alg_values_supported: ['RS256'] });
    if (url.pathname === '/jwks')
      return send({
        keys: [{ ...publicKey.export({ format: 'jwk' }), kid: keyId, alg: 'RS256', use: 'sig' }],
      });
    requests.push({ url: request.url ?? '', headers: request.headers });
    const failure = failures.shift();
    if (failure === 'reset') return request.socket.resetAndDestroy();
    if (failure === 'redirect') {
      response.writeHead(302, { Location: `${issuer}/elsewhere` });
      return response.end();
    }
    if (failure === 'page') return response.end('<html>sign in</html>');
    if (failure === 'empty') return send({ count: 0, value: '' });
    if (failure !== undefined) return send({ message: 'try again' }, failure);
    if (url.pathname !== '/token' || request.headers.authorization !== `Bearer ${requestToken}`)
      return send({ message: 'not authorized' }, 401);
    const token = await sign(url.searchParams.get('audience') ?? 'https://github.com/octo-org');
    send({ count: token.length, value: token });
  });
  return {
    issuer,
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    env: {
      GITHUB_ACTIONS: 'true',
      ACTIONS_ID_TOKEN_REQUEST_URL: `${issuer}/token?api-version=2.0`,
      ACTIONS_ID_TOKEN_REQUEST_TOKEN: requestToken,
    },
    requestToken,
    requests,
    tokens,
    failures,
    sign,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
