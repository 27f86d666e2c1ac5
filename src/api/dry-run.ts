import { formatJson } from '../wire/json.ts';
import { shellWord } from '../wire/printable.ts';
import type { ServiceName } from '../wire/services.ts';
import { parseAddress } from './address.ts';
import type { Endpoint } from './endpoint.ts';
import type { Send } from './http/response.ts';
import type { Body, Operation } from './operation.ts';
import { proxyOf } from './proxies.ts';
import { type Hidden, hideSecrets, redacted, redactUrl, textOf } from './redaction.ts';
import { needsToken, requestOf, tokenHeaders } from './request.ts';
import { ownVariable, type SettingName } from './services.ts';

/** The request that would be sent, for `--dry-run` and `--curl`; secrets are redacted or by reference. */
export interface DryRunRequest {
  readonly service: ServiceName;
  readonly method: string;
  readonly url: string;
  /** The path of the unix socket on which the URL is served. */
  readonly unixSocket?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Body;
  /** The length of a body that is not text, and so is not shown. */
  readonly bytes?: number;
}

interface DryRunCall {
  readonly request: DryRunRequest;
  /** The equivalent curl line. */
  readonly curl: string;
}

/** Thrown instead of sending; `main` prints the request or the curl line of each call. Neither contains a secret. */
export class DryRunStop extends Error {
  readonly calls: readonly DryRunCall[];

  constructor(calls: readonly DryRunCall[]) {
    super('dry run: nothing was sent');
    this.name = 'DryRunStop';
    this.calls = calls;
  }
}

/**
 * A `Send` for dry runs: throws `DryRunStop` with the first operation. In a command that writes, reads before the first
 * write are sent, so that the write is the real one; preflight requests are sent in every command.
 *
 * @param send sends the reads; undefined: they are shown too.
 * @param mode `otherProxy`: the environment has a proxy, which curl would use where Lanyard does not; `noProxy`: it
 * names hosts that curl reaches without one, even if its command line names a proxy.
 */
export function dryRunSend(
  send: Send | undefined,
  endpoint: Endpoint,
  mode: { readonly writes: boolean; readonly otherProxy?: boolean; readonly noProxy?: boolean },
): Send {
  return async (operation, input) => {
    const isPreflight = operation.preflight === true || (mode.writes && operation.retry === 'read');
    if (send && isPreflight) return send(operation, input);
    const token = operation.token !== 'none' && (needsToken(operation) || Boolean(await endpoint.token()));
    const request = dryRunRequest(endpoint, operation, input, token);
    const { otherProxy, noProxy } = mode;
    const curl = curlLine(request, endpoint, { form: operation.secretForm, otherProxy, noProxy });
    throw new DryRunStop([{ request, curl }]);
  };
}

/** Stops a request whose body is streamed. */
export type StopStream = <Input extends object>(
  endpoint: Endpoint,
  operation: Operation<Input, unknown>,
  bytes: number | undefined,
  input: Input,
) => never;

/** Makes the function that throws `DryRunStop` instead of sending a stream. */
export const stopDryRun =
  (proxies: Pick<CurlOptions, 'otherProxy' | 'noProxy'>): StopStream =>
  (endpoint, operation, bytes, input) => {
    const shown = dryRunRequest(endpoint, operation, input);
    const request = bytes === undefined ? shown : { ...shown, bytes };
    throw new DryRunStop([{ request, curl: curlLine(request, endpoint, proxies) }]);
  };

/**
 * The request that an operation would send, with `<redacted>` for the secrets of its body and a reference instead of the
 * token.
 *
 * @param token whether a token would be sent.
 * @throws LanyardError usage, as sending would.
 */
export function dryRunRequest<Input extends object, Output>(
  endpoint: Endpoint,
  operation: Operation<Input, Output>,
  input: Input,
  token: boolean = operation.token !== 'none',
): DryRunRequest {
  const { method, url, headers, body } = requestOf(endpoint, operation, input);
  const unixSocket = parseAddress(endpoint.address)?.socketPath;
  return {
    service: endpoint.service,
    method,
    url: redactUrl(url),
    ...(unixSocket === undefined ? {} : { unixSocket }),
    headers: {
      ...headers,
      ...(endpoint.httpAuth ? { Authorization: basic } : {}),
      ...(token ? tokenHeaders(endpoint, tokenReference(endpoint)) : {}),
    },
    ...shownBody(body, operation),
  };
}

function shownBody(
  body: string | Uint8Array | undefined,
  hidden: Hidden,
): Pick<DryRunRequest, 'body' | 'bytes'> {
  if (body === undefined) return { body: undefined };
  const text = textOf(body);
  return text === undefined ? { body: undefined, bytes: body.length } : { body: hideSecrets(text, hidden) };
}

/** Instead of the header of HTTP basic authentication. */
const basic = `Basic ${redacted}`;

/**
 * The shell expression for a secret of a service: the variable that it comes from, else `${LANYARD_SECRETS_TOKEN:?}`, with
 * which a shell without that variable does not send the request.
 */
function reference({ service }: Endpoint, source: Endpoint['tokenSource'], setting: SettingName): string {
  const own = ownVariable(service, setting);
  if (!source) return `$${own}`;
  return 'variable' in source && /^[A-Za-z_]\w*$/.test(source.variable)
    ? `$${source.variable}`
    : `\${${own}:?}`;
}

const tokenReference = (endpoint: Endpoint): string => reference(endpoint, endpoint.tokenSource, 'token');

function sourceComment({ service }: Endpoint, source: Endpoint['tokenSource'], setting: SettingName): string {
  const words = source && 'words' in source ? source.words : 'the token';
  return `# set ${ownVariable(service, setting)} to ${words.replace(/\s+/g, ' ')}`;
}

interface CurlOptions {
  /** What replaces a secret of the body. */
  readonly form?: string | undefined;
  /** The environment names a proxy, which curl would use. */
  readonly otherProxy?: boolean | undefined;
  /** The environment names hosts that curl reaches without a proxy. */
  readonly noProxy?: boolean | undefined;
}

/**
 * The curl command line that sends the same request, for a POSIX shell. The token is a reference that the shell
 * expands; where the shell has none, or the body (or the proxy) has a secret, a comment says what must be filled in.
 */
export function curlLine(
  request: DryRunRequest,
  endpoint: Endpoint,
  { form = 'the secret', otherProxy = false, noProxy = false }: CurlOptions = {},
): string {
  const token = tokenReference(endpoint);
  const user = endpoint.httpAuth && reference(endpoint, endpoint.authSource, 'httpAuth');
  const target = new URL(request.url);
  const { url, flags } = withServerName(target, endpoint.serverName);
  const body = bodyText(request.body);
  const hasBody = body !== undefined || request.bytes !== undefined;
  const shown = Object.entries(request.headers).filter(([, value]) => value !== basic);
  const headers = shown.map(([name, value]) =>
    value.endsWith(token) ? `-H "${name}: ${value}"` : `-H ${shellWord(`${name}: ${value}`)}`,
  );
  const line = [
    'curl',
    ...(request.method === 'HEAD' ? ['--head'] : ['--request', shellWord(request.method)]),
    ...headers,
    ...(user === undefined ? [] : [`--user "${user}"`]),
    // Without this curl declares every body a form.
    ...(hasBody && !('Content-Type' in request.headers) ? ["-H 'Content-Type:'"] : []),
    ...(url.protocol === 'https:' ? tlsFlags(endpoint) : []),
    ...flags,
    ...(request.unixSocket === undefined ? [] : ['--unix-socket', shellWord(request.unixSocket)]),
    ...proxyFlags(endpoint, target, { otherProxy, noProxy }),
    ...(body === undefined ? [] : ['--data-raw', shellWord(body)]),
    ...(request.bytes === undefined ? [] : ['--data-binary', '@FILE']),
    shellWord(url.href),
  ].join(' ');
  return [
    ...(line.includes(`${token}"`) && token.endsWith(':?}')
      ? [sourceComment(endpoint, endpoint.tokenSource, 'token')]
      : []),
    ...(user?.endsWith(':?}') ? [sourceComment(endpoint, endpoint.authSource, 'httpAuth')] : []),
    ...(line.includes(caFile) ? [`# ${caFile}: the CA certificates of the settings, in PEM format`] : []),
    ...(line.includes(redacted) ? [`# replace ${redacted} with ${form}`] : []),
    ...(request.bytes === undefined ? [] : [`# FILE: the ${request.bytes} bytes of the body`]),
    line,
  ].join('\n');
}

function bodyText(body: Body): string | undefined {
  return body === undefined || typeof body === 'string' ? body : formatJson(body);
}

/** Placeholder for CA certificates that are not in a file. */
const caFile = 'CA_FILE';

function tlsFlags(endpoint: Endpoint): readonly string[] {
  const { caCert, caPem, caPath, clientCert, clientKey, skipVerify } = endpoint;
  return [
    ...(caPem ? ['--cacert', caFile] : []),
    ...(caPath ? ['--capath', shellWord(caPath)] : []),
    ...(caCert ? ['--cacert', shellWord(caCert)] : []),
    ...(clientCert ? ['--cert', shellWord(clientCert)] : []),
    ...(clientKey ? ['--key', shellWord(clientKey)] : []),
    ...(skipVerify ? ['--insecure'] : []),
  ];
}

// curl verifies the name in the URL, so the URL has the server name, and --connect-to has the real host.
function withServerName(url: URL, serverName: string | undefined): { url: URL; flags: readonly string[] } {
  if (url.protocol !== 'https:' || !serverName) return { url, flags: [] };
  const named = new URL(url);
  named.hostname = serverName;
  const port = url.port || '443';
  return {
    url: named,
    flags: [
      '--connect-to',
      shellWord(`${serverName}:${port}:${url.hostname}:${port}`),
      '-H',
      shellWord(`Host: ${url.host}`),
    ],
  };
}

function proxyFlags(
  endpoint: Endpoint,
  url: URL,
  { otherProxy, noProxy }: { readonly otherProxy: boolean; readonly noProxy: boolean },
): readonly string[] {
  const proxy = proxyOf(endpoint, url);
  if (!proxy) return otherProxy ? ['--noproxy', shellWord('*')] : [];
  const user = proxy.username ? ['--proxy-user', shellWord(redacted)] : [];
  return ['--proxy', shellWord(redactUrl(proxy)), ...user, ...(noProxy ? ["--noproxy ''"] : [])];
}
