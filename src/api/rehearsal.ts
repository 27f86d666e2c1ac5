import { formatJson } from '../wire/json.ts';
import type { ServiceName } from '../wire/services.ts';
import type { Body, Operation } from './operation.ts';
import { hideSecrets, redacted, redactUrl, textOf } from './redaction.ts';
import { needsToken, proxyOf, requestOf, tokenHeader } from './request.ts';
import type { Endpoint, Rehearsal, Send } from './transport.ts';

/** Thrown in the place of sending; `main` prints the one or the other. Neither holds a secret. */
export class Rehearsed extends Error {
  readonly rehearsal: Rehearsal;
  /** The equivalent curl line. */
  readonly curl: string;

  constructor(rehearsal: Rehearsal, curl: string) {
    super('rehearsed: nothing was sent');
    this.name = 'Rehearsed';
    this.rehearsal = rehearsal;
    this.curl = curl;
  }
}

/**
 * A `Send` that shows instead of sending: throws `Rehearsed` with the first operation. In a command that writes,
 * reads before the first write are really sent, so that the write is the one that would follow from them; in
 * every command what is asked on the way is.
 *
 * @param send what reads go through; undefined: they are shown too.
 * @param mode `otherProxy`: the environment has a proxy, which curl would take and Lanyard does not.
 */
export function rehearsing(
  send: Send | undefined,
  endpoint: Endpoint,
  mode: { readonly writes: boolean; readonly otherProxy?: boolean },
): Send {
  return async (operation, input) => {
    const isOnTheWay = operation.preflight === true || (mode.writes && operation.retry === 'read');
    if (send && isOnTheWay) return send(operation, input);
    const token = operation.token !== 'none' && (needsToken(operation) || Boolean(await endpoint.token()));
    const rehearsal = rehearse(endpoint, operation, input, token);
    throw new Rehearsed(rehearsal, curlLine(rehearsal, endpoint, undefined, mode.otherProxy));
  };
}

/**
 * The request of an operation as it would be sent, with `<redacted>` for the secrets of its body and a reference
 * in the place of the token.
 *
 * @param token whether a token would be sent.
 * @throws LanyardError usage, as sending would.
 */
export function rehearse<Input extends object, Output>(
  endpoint: Endpoint,
  operation: Operation<Input, Output>,
  input: Input,
  token: boolean = operation.token !== 'none',
): Rehearsal {
  const { method, url, headers, body } = requestOf(endpoint, operation, input);
  return {
    service: endpoint.service,
    method,
    url: redactUrl(url),
    headers: {
      ...headers,
      ...(token ? Object.fromEntries([tokenHeader(endpoint, tokenReference(endpoint.service))]) : {}),
    },
    ...shownBody(body, operation.secretBody),
  };
}

function shownBody(
  body: string | Uint8Array | undefined,
  isSecret: boolean | undefined,
): Pick<Rehearsal, 'body' | 'bytes'> {
  if (body === undefined) return { body: undefined };
  const text = textOf(body);
  return text === undefined ? { body: undefined, bytes: body.length } : { body: hideSecrets(text, isSecret) };
}

/** The environment variable that a shell takes a service's token from: `$LANYARD_SECRETS_TOKEN`. */
function tokenReference(service: ServiceName): string {
  return `$LANYARD_${service.toUpperCase()}_TOKEN`;
}

/**
 * The curl command line that sends the same request, for a POSIX shell. The token is a reference that the shell
 * expands; where the body (or the proxy) has a secret, a comment says that it must be filled in.
 *
 * @param reference in the place of the rehearsal's own reference to the token, e.g. `$VAULT_TOKEN`.
 */
export function curlLine(
  rehearsal: Rehearsal,
  endpoint: Endpoint,
  reference: string = tokenReference(endpoint.service),
  otherProxy = false,
): string {
  const own = tokenReference(endpoint.service);
  const target = new URL(rehearsal.url);
  const { url, flags } = withServerName(target, endpoint.serverName);
  const body = bodyText(rehearsal.body);
  const hasBody = body !== undefined || rehearsal.bytes !== undefined;
  const headers = Object.entries(rehearsal.headers).map(([name, value]) =>
    value.endsWith(own)
      ? `-H "${name}: ${value.slice(0, -own.length)}${reference}"`
      : `-H ${quoted(`${name}: ${value}`)}`,
  );
  const line = [
    'curl',
    ...(rehearsal.method === 'HEAD' ? ['--head'] : ['--request', quoted(rehearsal.method)]),
    ...headers,
    // Without this curl calls every body a form.
    ...(hasBody && !('Content-Type' in rehearsal.headers) ? ["-H 'Content-Type:'"] : []),
    ...(url.protocol === 'https:' ? tlsFlags(endpoint) : []),
    ...flags,
    ...proxyFlags(endpoint, target, otherProxy),
    ...(body === undefined ? [] : ['--data-raw', quoted(body)]),
    ...(rehearsal.bytes === undefined ? [] : ['--data-binary', '@FILE']),
    quoted(url.href),
  ].join(' ');
  if (rehearsal.bytes !== undefined) return `# FILE: the ${rehearsal.bytes} bytes of the body\n${line}`;
  return line.includes(redacted) ? `# put the secret in the place of ${redacted}\n${line}` : line;
}

function bodyText(body: Body): string | undefined {
  return body === undefined || typeof body === 'string' ? body : formatJson(body);
}

function tlsFlags({ caCert, clientCert, clientKey, skipVerify }: Endpoint): readonly string[] {
  return [
    ...(caCert ? ['--cacert', quoted(caCert)] : []),
    ...(clientCert ? ['--cert', quoted(clientCert)] : []),
    ...(clientKey ? ['--key', quoted(clientKey)] : []),
    ...(skipVerify ? ['--insecure'] : []),
  ];
}

// curl takes the name that it verifies from the URL, so the URL gets it, and the connection goes where it went.
function withServerName(url: URL, serverName: string | undefined): { url: URL; flags: readonly string[] } {
  if (url.protocol !== 'https:' || !serverName) return { url, flags: [] };
  const named = new URL(url);
  named.hostname = serverName;
  const port = url.port || '443';
  return {
    url: named,
    flags: [
      '--connect-to',
      quoted(`${serverName}:${port}:${url.hostname}:${port}`),
      '-H',
      quoted(`Host: ${url.host}`),
    ],
  };
}

function proxyFlags(endpoint: Endpoint, url: URL, otherProxy: boolean): readonly string[] {
  const proxy = proxyOf(endpoint, url);
  if (!proxy) return otherProxy ? ['--noproxy', quoted('*')] : [];
  const user = proxy.username ? ['--proxy-user', quoted(redacted)] : [];
  return ['--proxy', quoted(redactUrl(proxy)), ...user];
}

function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
