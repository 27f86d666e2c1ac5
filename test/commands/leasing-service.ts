import { json, serve, type TestServer } from '../unit/api/support.ts';

/** A lease of the database engine. */
interface Lease {
  readonly role: string;
  state: 'valid' | 'revoked';
  renewals: number;
}

interface Behavior {
  /** Seconds of a new lease, and of each renewal, in order; the last one for ever. */
  readonly lifetimes?: readonly number[];
  readonly renewable?: boolean;
  /** The status of the response to a renewal, a revocation or a request for credentials, instead of success. */
  readonly failing?: { renew?: number; revoke?: number; creds?: number };
  /** Further roles of the engine `pki/`: the response to `pki/issue/ROLE`. */
  readonly certificate?: object;
  /** Seconds of the token. */
  readonly tokenTtl?: number;
}

/** A server with a database engine that makes leases, with responses as seen on OpenBao 2.6.2. */
export interface LeasingService extends TestServer {
  readonly leases: Map<string, Lease>;
  /** May be changed while it runs. */
  readonly failing: NonNullable<Behavior['failing']>;
  readonly env: Readonly<Record<string, string>>;
  /** The requests, as `POST sys/leases/renew`. */
  requests(): string[];
  /** IDs of the leases that are not revoked. */
  valid(): string[];
}

const messages: Readonly<Record<number, string>> = {
  400: 'failed to find lease',
  403: 'permission denied',
  500: 'failed to revoke entry',
  503: 'Vault is sealed',
};

export async function leasingService({
  lifetimes = [3600],
  renewable = true,
  failing = {},
  certificate = {},
  tokenTtl = 0,
}: Behavior = {}): Promise<LeasingService> {
  const leases = new Map<string, Lease>();
  const lifetime = (renewals: number): number => lifetimes[Math.min(renewals, lifetimes.length - 1)] ?? 3600;
  const server = await serve(({ method, url, body }, response) => {
    const path = url.replace(/^\/v1\//, '');
    const fail = (status: number, text = messages[status]): void =>
      json(response, { errors: [text] }, status);
    const leased = (id: string, renewals: number, data: object | null): void =>
      json(response, { lease_id: id, renewable, lease_duration: lifetime(renewals), data, warnings: null });
    const [, mount] = /^sys\/internal\/ui\/mounts\/(database|pki|static)\//.exec(path) ?? [];
    if (mount !== undefined)
      return json(response, {
        data: { path: `${mount}/`, type: mount === 'pki' ? 'pki' : 'database', options: null },
      });
    const [, role = ''] = /^database\/creds\/(.+)$/.exec(path) ?? [];
    if (role !== '' && method === 'GET') {
      if (failing.creds) return fail(failing.creds);
      if (role === 'none') return fail(400, 'unknown role: none');
      const number = leases.size + 1;
      const id = `database/creds/${role}/lease-${number}`;
      leases.set(id, { role, state: 'valid', renewals: 0 });
      return leased(id, 0, { username: `user-${role}-${number}`, password: `secret-${role}-${number}` });
    }
    if (path.startsWith('pki/issue/') && method === 'POST')
      return json(response, {
        lease_id: '',
        renewable: false,
        lease_duration: 0,
        data: certificate,
        warnings: null,
      });
    const { lease_id: id = '' } = (body === '' ? {} : JSON.parse(body)) as { lease_id?: string };
    const lease = leases.get(id);
    if (path === 'sys/leases/renew') {
      if (failing.renew) return fail(failing.renew);
      if (lease?.state !== 'valid') return fail(400, 'lease not found');
      lease.renewals += 1;
      return leased(id, lease.renewals, null);
    }
    if (path === 'sys/leases/revoke') {
      if (failing.revoke) return fail(failing.revoke);
      if (lease) lease.state = 'revoked';
      response.writeHead(204).end();
      return;
    }
    if (path === 'auth/token/lookup-self')
      return json(response, { data: { accessor: 'a1', ttl: tokenTtl, renewable: tokenTtl > 0 } });
    if (path === 'auth/token/renew-self')
      return json(response, {
        auth: { client_token: 's.own-token-of-it', lease_duration: tokenTtl, renewable: true },
      });
    fail(404);
  });
  return {
    ...server,
    leases,
    failing,
    env: { LANYARD_SECRETS_ADDR: server.url, LANYARD_SECRETS_MAX_RETRIES: '0' },
    requests: () => server.seen.map(({ method, url }) => `${method} ${url.replace('/v1/', '')}`),
    valid: () => [...leases].filter(([, { state }]) => state === 'valid').map(([id]) => id),
  };
}
