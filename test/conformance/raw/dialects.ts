import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Dialect } from '../dialects.ts';

/** Which responses an entry is about: the name of the request, and its method and path as in the list. */
type Where = Pick<Dialect, 'step' | 'request'>;

type Add = (text: string, where: Where, ...what: readonly string[]) => Dialect;

const entriesOf = (product: string): { readonly dialect: Add; readonly stricter: Add } => ({
  dialect: (text, where, ...what) => ({ product, ...where, what, reason: 'dialect', text }),
  stricter: (text, where, ...what) => ({ product, ...where, what, reason: 'embedded is stricter', text }),
});

const openbao = entriesOf('openbao');
const consul = entriesOf('consul');
const nomad = entriesOf('nomad');
const boundary = entriesOf('boundary');

const unknownMethod =
  'A method that HTTP does not define is a 405; embedded, the request is malformed (400).';

const ofOpenbao: readonly Dialect[] = [
  openbao.dialect(
    unknownMethod,
    { step: 'state: unknown method' },
    'status 405, embedded 400',
    'errors[]: no elements',
  ),
  ...[
    'state: health, invalid code',
    'kv2: get without a key',
    'kv2: path that ends in a period',
    'kv2: invalid list parameter',
  ].map((step) => openbao.dialect('Some errors have no text.', { step }, 'errors[]: no elements')),
  openbao.dialect(
    'No CA: `no default issuer currently configured` with status 400.',
    { step: 'ssh: public key without a CA' },
    'errors[]: elements',
  ),
  openbao.dialect(
    'Policies have a version, a time, check-and-set and settings for templates.',
    { request: 'GET /v1/sys/polic*' },
    '*version: unexpected',
    '*modified: unexpected',
    '*cas_required: unexpected',
    '*in_identity_templates: unexpected',
  ),
  openbao.dialect('HEAD is a 405.', { request: 'HEAD *' }, 'status 405, embedded 200'),
  openbao.dialect(
    'A patch of a missing secret is a 404 without a body.',
    { request: 'PATCH *' },
    'body: none, not object',
  ),
  openbao.dialect(
    'A second CA is one more issuer, which becomes the default.',
    { request: 'POST /v1/{run}-ssh/config/ca' },
    'status 200, embedded 400',
    'status 500, embedded 400',
  ),
  openbao.dialect(
    'No CA: `no default issuer currently configured` with status 400.',
    { step: 'zero address: sign without a CA' },
    'status 400, embedded 500',
  ),
  openbao.dialect(
    'One-time passwords of a role without `allowed_users` are for its default user only.',
    { step: 'ssh: password of another user' },
    'status 400, embedded 200',
  ),
  openbao.dialect(
    'Entities have the ID of their namespace.',
    { request: '* /v1/identity/*' },
    'data.namespace_id: unexpected',
  ),
  openbao.stricter(
    'Other methods of the path of a login are a 405 without a token too; embedded, they require one.',
    { step: 'userpass: login, wrong method' },
    'status 405, embedded 403',
  ),
  openbao.dialect(
    'A mount is moved in the background, and a warning says so.',
    { request: 'POST /v1/sys/remount' },
    'warnings: array, not null',
  ),
  ...[
    'userpass: change the password of a missing user',
    'userpass: login without a password',
    'approle: login without a role ID',
    'ssh: role, invalid network',
    'approle: destroy a missing accessor',
  ].map((step) =>
    openbao.dialect(
      'Some invalid requests to auth methods and SSH engines are internal errors (500).',
      { step },
      'status 500, embedded 400',
      'status 500, embedded 404',
    ),
  ),
];

const ofConsul: readonly Dialect[] = [
  consul.dialect(unknownMethod, { step: 'status: unknown method' }, 'status 405, embedded 400'),
  consul.dialect(
    'Services and their proxies have members on mesh, peers and locality.',
    { request: 'GET /v1/*' },
    '*Proxy.Expose: unexpected',
    '*Proxy.MeshGateway: unexpected',
    '*Proxy.Mode: unexpected',
    '*PeerName: unexpected',
    '*ServiceLocality: unexpected',
    '*ServiceSocketPath: unexpected',
  ),
  consul.stricter(
    'Rules for unknown resources are ignored.',
    { step: 'policy: unknown resource' },
    'status 200, embedded 500',
  ),
  consul.stricter(
    'A namespace in the query is ignored in lists of the catalog.',
    { step: 'catalog: nodes in a namespace' },
    'status 200, embedded 400',
  ),
  consul.stricter(
    'An operation of a transaction without a kind (`{}`) is ignored.',
    { step: 'txn: empty operation' },
    'status 200, embedded 400',
  ),
];

const ofNomad: readonly Dialect[] = [
  nomad.dialect(unknownMethod, { step: 'status: unknown method' }, 'status 405, embedded 400'),
  nomad.dialect(
    'Policies have `JobACL`, and one policy its parsed rules in `RulesJSON`.',
    { request: 'GET /v1/acl/polic*' },
    '*JobACL: unexpected',
    'RulesJSON: unexpected',
  ),
  nomad.stricter(
    'Deleting a missing policy is a 200.',
    { step: 'policy: delete, missing' },
    'status 200, embedded 404',
  ),
  nomad.dialect(
    'A token, an accessor ID or a prefix that is no UUID is an internal error (500).',
    { request: 'GET /v1/acl/token*' },
    'status 500, embedded 403',
    'status 500, embedded 404',
    'status 500, embedded 200',
  ),
  nomad.stricter(
    'A management token can write variables in a missing namespace.',
    { step: 'variable: write to a missing namespace' },
    'status 200, embedded 500',
  ),
];

const malformed = [
  'login: bad JSON',
  'scope: bad JSON',
  'auth method: bad JSON',
  'account: bad JSON',
  'account: array as body',
  'account: name of the wrong type',
  'account: update, bad JSON',
  'password: set, bad JSON',
  'accounts: page size of text',
  'accounts: negative page size',
  'accounts: bad list token',
];

const ofBoundary: readonly Dialect[] = [
  boundary.dialect(
    unknownMethod,
    { step: 'other: unknown method' },
    'status 405, embedded 400',
    'type none, embedded application/json',
    'body: none, not object',
  ),
  ...malformed.map((step) =>
    boundary.dialect(
      'Malformed bodies and parameters are internal errors (500).',
      { step },
      'status 500, embedded 400',
    ),
  ),
  ...['account: short login name', 'account: short password', 'account: login name in upper case'].map(
    (step) =>
      boundary.dialect(
        'A login name or password against the rules of the auth method is an internal error (500).',
        { step },
        'status 500, embedded 400',
      ),
  ),
  boundary.dialect(
    'A login name or password against the rules of the auth method is an internal error (500).',
    { step: 'account: update, short login name' },
    'status 500, embedded 400',
  ),
  boundary.dialect(
    'An outdated version in a change of password is an internal error (500).',
    { step: 'password: set, outdated' },
    'status 500, embedded 404',
  ),
  boundary.dialect(
    'An auth method of another scope as the primary one is an internal error (500).',
    { step: 'auth method: make one of another scope primary' },
    'status 500, embedded 400',
  ),
  boundary.dialect(
    'A token ID that the service did not issue is an internal error (500); embedded, it is as one that has expired (403).',
    { step: 'oidc login: token with an unknown ID' },
    'status 500, embedded 403',
  ),
  boundary.dialect(
    'There are more kinds of resources.',
    { request: '* /v1/*' },
    '*authorized_collection_actions.*: unexpected',
  ),
];

export const trackedFile = fileURLToPath(new URL('tracked.json', import.meta.url));

/** Names of requests, by product. */
export type Tracked = Readonly<Record<string, readonly string[]>>;

/** Requests whose responses are to be changed in the embedded service, or to be examined. */
export const readTracked = (): Tracked => JSON.parse(readFileSync(trackedFile, 'utf8')) as Tracked;

export const textOfTracked = (tracked: Tracked): string => `${JSON.stringify(tracked, null, 2)}\n`;

/** An entry accepts every difference of its request, and the request counts as different. */
const tracked: readonly Dialect[] = Object.entries(readTracked()).flatMap(([product, steps]) =>
  steps.map((step): Dialect => {
    const text = `Responses to ${steps.length} raw requests.`;
    return { product, step, what: '*', reason: 'tracked', text };
  }),
);

/**
 * Accepted differences between the responses of a product and of the embedded service to raw requests, besides the
 * entries of `../dialects.ts` that name no step.
 */
export const rawDialects: readonly Dialect[] = [
  ...ofOpenbao,
  ...ofConsul,
  ...ofNomad,
  ...ofBoundary,
  ...tracked,
];
