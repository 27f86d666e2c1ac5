import { keyPair } from '../../support/keys.ts';
import { serveSocket } from '../../unit/api/support.ts';
import { envelope, errors, noDefaultIssuer, type Recorded, responseOf, sshRole } from '../openbao.ts';

interface Issuer {
  name: string;
  readonly publicKey: string;
}

/** An SSH mount with several issuers, whose responses have the form of those of OpenBao 2.6.2. */
export interface IssuerServer {
  readonly url: string;
  readonly issuers: Map<string, Issuer>;
  readonly roles: Map<string, Readonly<Record<string, unknown>>>;
  byDefault: string | undefined;
  /** The writes since the start, as `METHOD path`. */
  readonly writes: string[];
  /** The service ends every connection after this number of writes, once it has applied the last of them. */
  breaksAfter: number | undefined;
  /** Requests without this token are forbidden, except those for public keys. */
  readonly token: string;
}

const noPermission = errors(403, '1 error occurred:\n\t* permission denied\n\n');
const missingIssuer = (ref: string) => errors(400, `unable to find issuer for reference: ${ref}`);
const idOf = (number: number): string => `${String(number).padStart(8, '0')}-fbd8-f2c0-6ea5-3429ede8a546`;

/** Starts a server with the issuers, the first of which is the default; their IDs are `idOf(1)` and so on. */
export async function issuerServer(...names: readonly string[]): Promise<IssuerServer> {
  const issuers = new Map<string, Issuer>();
  let added = 0;
  const add = (name: string): string => {
    added += 1;
    const id = idOf(added);
    issuers.set(id, {
      name,
      publicKey: `${keyPair('ed25519').publicLine.split(' ').slice(0, 2).join(' ')}\n`,
    });
    return id;
  };
  for (const name of names) add(name);
  const server: Omit<IssuerServer, 'url'> = {
    issuers,
    roles: new Map(),
    byDefault: names.length > 0 ? idOf(1) : undefined,
    writes: [],
    breaksAfter: undefined,
    token: 'hvs.token-of-the-test',
  };
  const resolve = (ref: string): string | undefined =>
    ref === 'default'
      ? server.byDefault
      : issuers.has(ref)
        ? ref
        : [...issuers].find(([, { name }]) => name === ref && name !== '')?.[0];
  const shown = (id: string): Recorded =>
    envelope({ issuer_id: id, issuer_name: issuers.get(id)?.name, public_key: issuers.get(id)?.publicKey });
  const nameTaken = (name: string, id?: string): boolean =>
    [...issuers].some(([other, issuer]) => issuer.name === name && other !== id);

  function respond(method: string, path: string, body: Record<string, string>): Recorded {
    const [, ref = '', isKey] = /^ssh\/issuer\/([^/]+)(\/public_key)?$/.exec(path) ?? [];
    const id = ref ? resolve(ref) : undefined;
    if (ref && !id) return ref === 'default' ? noDefaultIssuer : missingIssuer(ref);
    if (id && isKey) return { status: 200, text: issuers.get(id)?.publicKey ?? '' };
    if (path === 'ssh/public_key') {
      const current = issuers.get(server.byDefault ?? '');
      return current ? { status: 200, text: current.publicKey } : noDefaultIssuer;
    }
    if (path === 'sys/mounts/ssh/tune')
      return envelope({ default_lease_ttl: 2_764_800, max_lease_ttl: 2_764_800, force_no_cache: false });
    if (method === 'LIST' && path === 'ssh/issuers') {
      if (issuers.size === 0) return errors(404);
      const info = [...issuers].map(([each, { name, publicKey }]) => [
        each,
        { issuer_name: name, is_default: each === server.byDefault, public_key: publicKey },
      ]);
      return envelope({ keys: [...issuers.keys()], key_info: Object.fromEntries(info) });
    }
    if (method === 'LIST' && path === 'ssh/roles') {
      if (server.roles.size === 0) return errors(404);
      const info = [...server.roles].map(([each, { key_type = 'ca', issuer_ref = 'default' }]) => [
        each,
        key_type === 'otp' ? { key_type } : { key_type, issuer_ref },
      ]);
      return envelope({ keys: [...server.roles.keys()], key_info: Object.fromEntries(info) });
    }
    const role = /^ssh\/roles\/(.+)$/.exec(path)?.[1];
    if (role !== undefined) {
      if (method === 'POST') server.roles.set(role, body);
      const stored = server.roles.get(role);
      if (method === 'POST') return { status: 204 };
      return stored ? sshRole(stored) : errors(404);
    }
    const imported = /^ssh\/issuers\/import\/(.+)$/.exec(path)?.[1];
    if (imported !== undefined)
      return nameTaken(imported) ? errors(400, 'issuer name already in use') : shown(add(imported));
    if (path === 'ssh/config/issuers') {
      server.byDefault = resolve(body.default ?? '');
      return envelope({ default: server.byDefault });
    }
    if (id && method === 'POST') {
      const { issuer_name: name = '' } = body;
      if (nameTaken(name, id)) return errors(400, 'issuer name already in use');
      const issuer = issuers.get(id);
      if (issuer) issuer.name = name;
      return shown(id);
    }
    if (id && method === 'DELETE') {
      issuers.delete(id);
      return { status: 204 };
    }
    return id ? shown(id) : errors(404);
  }

  const { url } = await serveSocket((socket, text) => {
    const [head = '', body = ''] = text.split('\r\n\r\n');
    const [method = '', address = ''] = head.split(' ');
    const path = address.replace(/^\/v1\//, '');
    if (path === 'sys/leader')
      return void socket.write(responseOf({ status: 200, body: { ha_enabled: false } }));
    if (server.breaksAfter !== undefined && server.writes.length >= server.breaksAfter)
      return void socket.destroy();
    const isPublic = path.endsWith('/public_key');
    if (!isPublic && !head.toLowerCase().includes(`x-vault-token: ${server.token}`))
      return void socket.write(responseOf(noPermission));
    const response = respond(method, path, body === '' ? {} : JSON.parse(body));
    if (method === 'POST' || method === 'DELETE') {
      server.writes.push(`${method} ${path}`);
      if (server.breaksAfter !== undefined && server.writes.length >= server.breaksAfter)
        return void socket.destroy();
    }
    socket.write(responseOf(response));
  });
  return Object.assign(server, { url });
}
