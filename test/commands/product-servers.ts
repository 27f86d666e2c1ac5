import type { Handler } from '../unit/api/support.ts';

type Headers = Readonly<Record<string, string>>;

/** A response: its status, its body (text as it is, else JSON) and its headers. */
type Reply = readonly [status: number, body: unknown, headers?: Headers];

/** Sends what the first path that fits the request's says; an empty 404 where none does. */
function replying(replies: (token: string | undefined) => Readonly<Record<string, Reply>>, header: string) {
  const handler: Handler = ({ url, headers }, response) => {
    const token = headers[header];
    const path = new URL(url, 'http://host').pathname;
    const [status, body, more] = replies(typeof token === 'string' ? token : undefined)[path] ?? [404, ''];
    const isText = typeof body === 'string' && !body.startsWith('"');
    response.writeHead(status, { 'Content-Type': isText ? 'text/plain' : 'application/json', ...more });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
  return handler;
}

export const nomadToken = '22222222-2222-4222-8222-222222222222';

/** What Nomad 2.0.6 was seen to send, with ACLs; it reads its own header only. */
export const nomad: Handler = replying((token) => {
  const isKnown = token === nomadToken;
  const index = { 'X-Nomad-Index': '7', 'X-Nomad-Knownleader': 'true', 'X-Nomad-Lastcontact': '0' };
  const denied: Reply = [403, 'Permission denied'];
  const own: Reply = [
    200,
    isKnown
      ? { AccessorID: '9d7e79ff-d55e-894e-8055-2a0e098b4fcb', SecretID: token, ExpirationTime: null }
      : { AccessorID: 'anonymous', SecretID: '', Name: 'Anonymous Token', ExpirationTime: null },
    index,
  ];
  const isWrong = token !== undefined && !isKnown;
  return {
    '/v1/agent/health': [200, { client: { message: 'ok', ok: true }, server: { message: 'ok', ok: true } }],
    '/v1/status/leader': [200, '"127.0.0.1:24647"'],
    '/v1/namespaces': isWrong ? denied : [200, [], index],
    '/v1/vars': isWrong ? denied : [200, [], index],
    '/v1/acl/token/self': isWrong ? denied : own,
    '/v1/agent/self': isKnown
      ? [200, { config: { Version: { Version: '2.0.6', VersionPrerelease: 'dev' } } }]
      : denied,
  };
}, 'x-nomad-token');

export const consulToken = '11111111-1111-4111-8111-111111111111';

/** What Consul 1.21.4 was seen to send, with ACLs that deny by default; it reads its own header only. */
export const consul: Handler = replying((token) => {
  const isKnown = token === consulToken;
  const isWrong = token !== undefined && !isKnown;
  const policy = { 'X-Consul-Default-Acl-Policy': 'deny' };
  const index = { ...policy, 'X-Consul-Index': '1', 'X-Consul-Knownleader': 'true' };
  const unknown: Reply = [403, 'ACL not found', policy];
  const own = { AccessorID: '68e2e815-62e9-998b-7539-52ca3406b87f', SecretID: token, Local: false };
  return {
    '/v1/status/leader': [200, '"127.0.0.1:25503"', policy],
    '/v1/query': isWrong ? unknown : [200, [], index],
    '/v1/query/web': isWrong ? unknown : [404, 'Query not found', index],
    '/v1/query/web/execute': isWrong
      ? unknown
      : [200, { Service: 'web', Nodes: [], Datacenter: 'dc1' }, index],
    '/v1/catalog/services': isWrong ? unknown : [200, {}, index],
    '/v1/acl/token/self': isKnown ? [200, own, index] : [403, 'token does not exist: ACL not found', index],
    '/v1/acl/logout': isWrong ? unknown : [401, 'Supplied token does not exist', policy],
    '/v1/agent/self': isKnown
      ? [200, { Config: { Datacenter: 'dc1', Version: '1.21.4' }, DebugConfig: {} }, policy]
      : [403, "Permission denied: anonymous token lacks permission 'agent:read'", policy],
  };
}, 'x-consul-token');
