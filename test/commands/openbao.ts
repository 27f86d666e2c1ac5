import { STATUS_CODES } from 'node:http';
import { serveSocket } from '../unit/api/support.ts';

/** A response as OpenBao 2.6.2 was seen to send it: a status, and a body of JSON. */
export interface Recorded {
  readonly status: number;
  readonly body?: unknown;
  /** Plain text, in the place of JSON. */
  readonly text?: string;
}

/** The envelope of OpenBao around data and warnings. */
export const envelope = (data: unknown, warnings: readonly string[] | null = null): Recorded => ({
  status: 200,
  body: {
    request_id: '798d0f64-3737-8166-c997-6aca8e5f0443',
    lease_id: '',
    renewable: false,
    lease_duration: 0,
    data,
    wrap_info: null,
    warnings,
    auth: null,
  },
});

export const errors = (status: number, ...texts: readonly string[]): Recorded => ({
  status,
  body: { errors: texts },
});

/** What OpenBao says of a mount without a CA, of `config/ca` and of `public_key`. */
export const noDefaultIssuer = errors(400, 'no default issuer currently configured');

/** What OpenBao says of a path below no mount. */
export const noRoute = (path: string): Recorded =>
  errors(404, `no handler for route "${path}". route entry not found.`);

/** A role of an SSH mount, which allows any user. */
export const sshRole = (more: Readonly<Record<string, unknown>> = {}): Recorded =>
  envelope({
    algorithm_signer: 'default',
    allow_bare_domains: false,
    allow_commas_in_identity_templates: false,
    allow_empty_principals: false,
    allow_host_certificates: false,
    allow_subdomains: false,
    allow_user_certificates: true,
    allow_user_key_ids: false,
    allowed_critical_options: '',
    allowed_domains: '',
    allowed_domains_template: false,
    allowed_extensions: '',
    allowed_user_key_lengths: {},
    allowed_users: '*',
    allowed_users_template: false,
    default_critical_options: {},
    default_extensions: {},
    default_extensions_template: false,
    default_user: '',
    default_user_template: false,
    issuer_ref: 'default',
    key_id_format: '',
    key_type: 'ca',
    max_ttl: 0,
    not_before_duration: 30,
    ttl: 0,
    ...more,
  });

/** A server, and the requests that it was sent. */
export interface Playback {
  readonly url: string;
  readonly seen: readonly Request[];
}

/** A request as it was sent; names of headers in lower case. */
export interface Request {
  /** `METHOD path`, the path below `/v1/` with its query. */
  readonly route: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What a server without a cluster says of itself. It is not among the requests that were sent. */
const singleServer: Readonly<Record<string, Recorded>> = {
  'GET sys/leader': { status: 200, body: { ha_enabled: false } },
  'GET sys/health': {
    status: 200,
    body: {
      initialized: true,
      sealed: false,
      standby: false,
      replication_performance_mode: 'disabled',
      replication_dr_mode: 'disabled',
      server_time_utc: 1795412526,
      version: '2.6.2',
      cluster_name: 'vault-cluster-f8533341',
      cluster_id: '5b569fd2-98e3-7911-840e-4b7d983b0dcf',
    },
  },
};

/**
 * A server that plays back responses by route (`GET ssh/config/ca`); a list of them is played in its order, and the
 * last of it again. What is not recorded is a 404 without a message.
 */
export async function playback(
  responses: Readonly<Record<string, Recorded | readonly Recorded[]>>,
): Promise<Playback> {
  const seen: Request[] = [];
  // Below HTTP, because the server of Node does not parse the method LIST.
  const { url } = await serveSocket((socket, text) => {
    const request = requestIn(text);
    const ofServer = singleServer[request.route];
    if (ofServer && responses[request.route] === undefined) {
      socket.write(responseOf(ofServer));
      return;
    }
    const turn = seen.filter(({ route }) => route === request.route).length;
    seen.push(request);
    const found = [responses[request.route] ?? errors(404)].flat();
    socket.write(responseOf(found[Math.min(turn, found.length - 1)] as Recorded));
  });
  return { url, seen };
}

function requestIn(text: string): Request {
  const [head = '', body = ''] = text.split('\r\n\r\n');
  const [first = '', ...lines] = head.split('\r\n');
  const [method, path = ''] = first.split(' ');
  const headers = lines.map((line) => {
    const [name = '', ...value] = line.split(': ');
    return [name.toLowerCase(), value.join(': ')] as const;
  });
  return { route: `${method} ${path.replace(/^\/v1\//, '')}`, headers: Object.fromEntries(headers), body };
}

/** A response in HTTP/1.1, whole. */
export function responseOf({ status, body, text }: Recorded): string {
  const content = text ?? (body === undefined ? '' : JSON.stringify(body));
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Cache-Control: no-store',
    ...(status === 204 ? [] : [`Content-Length: ${Buffer.byteLength(content)}`]),
    ...(content === '' ? [] : [`Content-Type: ${text === undefined ? 'application/json' : 'text/plain'}`]),
    '',
    content,
  ].join('\r\n');
}

/** The routes of the requests that a server was sent, in order. */
export const routes = ({ seen }: Playback): string[] => seen.map(({ route }) => route);
