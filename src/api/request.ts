import { LanyardError, usage } from '../errors.ts';
import { getOrCreate } from '../wire/maps.ts';
import type { ServiceName } from '../wire/services.ts';
import type { Endpoint } from './endpoint.ts';
import { homeOf, isPlainHttpRefused } from './http/connection.ts';
import type { Call } from './http/response.ts';
import { type Operation, target } from './operation.ts';
import { basicAuthSecrets, type Secret, secretsIn, tokenSecret } from './redaction.ts';
import { ownVariable, plainHttpHint, services } from './services.ts';

/** A request without its token. */
export interface Request {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
}

const headerName = /^[A-Za-z0-9-]+$/;
const headerValue = /^[\x20-\x7e]*$/;
const tokenValue = /^[\x21-\x7e]+$/;

/**
 * Joins an operation with its endpoint: address, namespace, region, datacenter and the headers that go with every call.
 *
 * @throws LanyardError usage: an input that makes no route or no header, an address that is no http(s) URL or
 * holds credentials, plain http to a host that is not loopback.
 */
export function requestOf<Input extends object, Output>(
  endpoint: Endpoint,
  operation: Operation<Input, Output>,
  input: Input,
): Request {
  const { method, path, from, prefixed, body, contentType } = target(operation, input);
  const last = lastRoutes.get(endpoint);
  const isSame = last?.operation === operation && last.path === path && from === 'address';
  if (isSame && operation.headers === undefined)
    return { method, url: last.url, headers: last.headers, body };
  const service = services[endpoint.service];
  const address = addressOf(endpoint);
  const url = new URL((from === 'origin' ? address.origin : withoutBase(endpoint, address)) + path);
  const { region, datacenter } = endpoint;
  const namespace = operation.namespace === 'none' ? undefined : endpoint.namespace;
  if (service.namespace === 'query') {
    setDefault(url, endpoint.service === 'registry' ? 'ns' : 'namespace', namespace);
  }
  if (endpoint.service === 'scheduler') setDefault(url, 'region', region);
  if (endpoint.service === 'registry' && hasDatacenter(operation)) setDefault(url, 'dc', datacenter);
  const own: Readonly<Record<string, string>> = {
    ...service.always,
    ...(service.namespace === 'header' && namespace ? { Namespace: namespace } : {}),
    ...prefixed,
  };
  if (!endpoint.headerPrefixes.every((prefix) => headerName.test(prefix))) {
    throw usage(`invalid header prefix for the ${service.title}: expected a header name`);
  }
  const unfit = Object.keys(own).find((name) => !headerValue.test(own[name] ?? ''));
  if (unfit)
    throw usage(
      `cannot ${operation.name}: invalid value for the header ${endpoint.headerPrefixes[0]}-${unfit}: expected printable ASCII`,
    );
  const headers = {
    Accept: 'application/json, text/plain',
    ...(contentType === undefined ? {} : { 'Content-Type': contentType }),
    ...prefixedHeaders(endpoint, own),
  };
  if (from === 'address') lastRoutes.set(endpoint, { operation, path, url, headers });
  return { method, url, headers, body };
}

/** What the requests of an operation to one path share. */
interface Route extends Pick<Request, 'url' | 'headers'> {
  readonly operation: unknown;
  readonly path: string;
}

/** The last route of each endpoint: the requests of a batch have the same one. */
const lastRoutes = new WeakMap<Endpoint, Route>();

/**
 * What goes with every request of a call (token, HTTP authentication), and what messages about it need.
 *
 * @throws LanyardError as `requestOf`, `tokenFor` and `authHeaders`.
 */
export async function callOf<Input extends object, Output>(
  endpoint: Endpoint,
  operation: Operation<Input, Output>,
  input: Input,
): Promise<{
  readonly call: Call;
  /** To the endpoint's own address. */
  readonly request: Request;
  readonly headers: Readonly<Record<string, string>>;
}> {
  const request = requestOf(endpoint, operation, input);
  const token = await tokenFor(endpoint, operation);
  const { headers, secrets } = await credentialOf(endpoint, token);
  const call: Call = {
    operation,
    mount: operation.engine && (input as { readonly mount?: string }).mount,
    path: operation.handedOut === undefined ? request.url.pathname : undefined,
    namespace: operation.namespace === 'none' ? undefined : endpoint.namespace,
    tokenSent: token !== undefined,
    tokenHint: endpoint.tokenHint,
    secrets: [...secrets, ...withoutNames(secretsIn(request.body, operation), request.url)],
  };
  return { call, request, headers };
}

/** Values of a body that are no segment of the path, nor the address: messages must name what the request was about. */
function withoutNames(secrets: readonly string[], { href, origin, pathname }: URL): readonly string[] {
  if (secrets.length === 0) return secrets;
  const names = new Set(pathname.split('/'));
  const isAddress = (text: string): boolean => text.length >= origin.length && href.startsWith(text);
  return secrets.filter((secret) => !names.has(encodeURIComponent(secret)) && !isAddress(secret));
}

/** How a request authenticates, and what must not be shown of it. */
interface Credential {
  readonly headers: Readonly<Record<string, string>>;
  readonly secrets: readonly Secret[];
}

/** The credential of the last call to each endpoint: the calls of a batch have the same one. */
const lastCredentials = new WeakMap<
  Endpoint,
  Credential & { readonly token: string | undefined; readonly auth: string | undefined }
>();

async function credentialOf(endpoint: Endpoint, token: string | undefined): Promise<Credential> {
  const auth = await endpoint.httpAuth?.();
  const last = lastCredentials.get(endpoint);
  if (last && last.token === token && last.auth === auth) return last;
  const basic = authHeaders(endpoint, auth);
  const credential = {
    token,
    auth,
    headers: { ...basic.headers, ...(token === undefined ? {} : tokenHeaders(endpoint, token)) },
    secrets: [...(token === undefined ? [] : [tokenSecret(token)]), ...basic.secrets],
  };
  lastCredentials.set(endpoint, credential);
  return credential;
}

/** The headers that carry a token to this endpoint. */
export function tokenHeaders(endpoint: Endpoint, token: string): Readonly<Record<string, string>> {
  return services[endpoint.service].token === 'bearer'
    ? { Authorization: `Bearer ${token}` }
    : prefixedHeaders(endpoint, { Token: token });
}

/**
 * The header of HTTP basic authentication, and what must not be shown of it. Every request has it, also one without a
 * token: a proxy in front of the service may require it.
 *
 * @throws LanyardError usage: it is not `user:password` in printable characters.
 */
function authHeaders(endpoint: Endpoint, auth: string | undefined): Credential {
  if (!auth) return { headers: {}, secrets: [] };
  if (/\p{Cc}/u.test(auth)) {
    throw usage(
      `invalid HTTP authentication for the ${services[endpoint.service].title}: it contains a control character`,
      { hint: 'Use the form user:password.' },
    );
  }
  // As the products' clients: without a colon the password is empty.
  const text = auth.includes(':') ? auth : `${auth}:`;
  const encoded = Buffer.from(text).toString('base64');
  return { headers: { Authorization: `Basic ${encoded}` }, secrets: basicAuthSecrets(text, encoded) };
}

/** Each header once for every prefix of the endpoint. */
function prefixedHeaders(
  { headerPrefixes }: Endpoint,
  headers: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    headerPrefixes.flatMap((prefix) =>
      Object.entries(headers).map(([name, value]) => [`${prefix}-${name}`, value]),
    ),
  );
}

/**
 * Reads the token for an operation; undefined: none is sent. The service decides then: an agent or proxy in front of it
 * may add a token, access control may be off, boxes may be public.
 *
 * @throws LanyardError unauthenticated, before anything is sent: there is no token, and the operation is about the token, or
 * it needs one and the profile has one for another address; the account service has no agents that add one.
 */
export async function tokenFor(
  endpoint: Endpoint,
  operation: Pick<Operation<never, unknown>, 'name' | 'service' | 'token' | 'retry'>,
): Promise<string | undefined> {
  if (operation.token === 'none') return undefined;
  const token = await endpoint.token();
  if (token) {
    if (tokenValue.test(token)) return token;
    throw usage(
      `invalid token for the ${services[endpoint.service].title}: it contains a space, a line end or a non-ASCII character`,
      { hint: 'Check where the token comes from (a file or an environment variable).' },
    );
  }
  const isLocal = operation.service === 'accounts' || endpoint.isTokenWithheld === true;
  const isSent = operation.token !== 'required' && !(isLocal && needsToken(operation));
  if (isSent) return undefined;
  throw new LanyardError(
    'unauthenticated',
    `cannot ${operation.name}: no token for the ${services[endpoint.service].title}`,
    { service: endpoint.service, hint: endpoint.tokenHint ?? howToLogIn(endpoint.service) },
  );
}

/** Whether the service rejects this operation without a token, unless something in front of it adds one. */
export function needsToken(
  operation: Pick<Operation<never, unknown>, 'service' | 'token' | 'retry'>,
): boolean {
  if (operation.token !== undefined) return operation.token === 'required';
  if (operation.service === 'box') return operation.retry !== 'read';
  return operation.service === 'secrets' || operation.service === 'accounts';
}

const logins: { readonly [S in ServiceName]?: string } = {
  secrets: 'Log in with `lanyard secrets login`',
  registry: 'Log in with `lanyard acl login`',
  box: 'Create one with `lanyard box token create`',
  accounts: 'Log in with `lanyard account login`',
};

/** Where a token of a service comes from, as one sentence. */
export function howToLogIn(service: ServiceName): string {
  const { product } = services[service];
  // Of two names of the same variable the last one is more common.
  const variables = [ownVariable(service, 'token'), ...(product.token ?? []).slice(-1)].join(' or ');
  const login = logins[service];
  return `${login === undefined ? 'Set' : `${login}, or set`} ${variables}, or set a token in the profile.`;
}

const addresses = new WeakMap<Endpoint, URL>();

/** The checked address of an endpoint. @throws LanyardError usage: as `requestOf`. */
const addressOf = (endpoint: Endpoint): URL =>
  getOrCreate(addresses, endpoint, () => checkedAddress(endpoint));

function checkedAddress(endpoint: Endpoint): URL {
  const { title } = services[endpoint.service];
  const address = homeOf(endpoint);
  if (address.username || address.password || address.search || address.hash) {
    throw usage(`invalid address for the ${title}: expected only a scheme, host, port and path`, {
      hint: 'Remove credentials and queries from the address: they would show in logs.',
    });
  }
  if (isPlainHttpRefused(endpoint, address)) {
    throw usage(
      `plain http to ${address.host} is not allowed: tokens and secrets would be sent unencrypted`,
      {
        service: endpoint.service,
        hint: `Use https. To allow it, ${plainHttpHint(endpoint.service)}`,
      },
    );
  }
  return address;
}

// The address of a box registry or an account service is often given with the base of its API, as for other clients.
const apiBase: { readonly [S in ServiceName]?: RegExp } = { box: /\/api\/v[12]$/, accounts: /\/v1$/ };

function withoutBase({ service }: Endpoint, { origin, pathname }: URL): string {
  const path = pathname.replace(/\/+$/, '');
  const base = apiBase[service];
  return origin + (base ? path.replace(base, '') : path);
}

// Not every operation of the registry has a datacenter: a login is with the agent that receives it.
const hasDatacenter = <Input, Output>({ query }: Operation<Input, Output>): boolean =>
  query?.some((name) => name === 'dc') ?? false;

function setDefault(url: URL, name: string, value: string | undefined): void {
  if (value && !url.searchParams.has(name)) url.searchParams.append(name, value);
}

/** A request with more headers: these, and the length of its body, if it has one. */
export function withHeaders({ method, url, headers, body }: Request, more: Request['headers']): Request {
  const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
  return { method, url, headers: { ...headers, ...more, ...length }, body };
}
