import * as v from 'valibot';
import type { Client } from './client.ts';
import { anything, checked, noBody, noBodyOr, onlyTrue } from './decode.ts';
import { op } from './operation.ts';
import { aclToken, agentPlace, authorizationUrl, replicationStatus, rulesText } from './registry-acl.ts';
import { compiledChain } from './registry-chain.ts';
import { execution, preparedQuery } from './registry-queries.ts';

/** The datacenter to ask; that of the agent unless told. */
interface InDatacenter {
  dc?: string;
}

/** The operations as a JSON array, as the service has them. */
interface Operations extends InDatacenter {
  content: string;
}

const transaction = {
  name: 'apply transaction',
  service: 'registry',
  method: 'PUT',
  path: '/v1/txn',
  body: 'content',
  contentType: 'application/json',
  secretForm: 'the base64 of the value',
  accepts: [200],
  decode: checked(
    v.looseObject({
      Results: v.nullable(v.array(v.record(v.string(), v.looseObject({})))),
    }),
  ),
} as const;

const chain = {
  service: 'registry',
  path: '/v1/discovery-chain/{service_name}',
  query: ['compile-dc', 'dc'],
  accepts: [200],
  retry: 'read',
  decode: compiledChain,
} as const;

interface ChainOf extends InDatacenter {
  service_name: string;
  'compile-dc'?: string;
}

interface Overrides {
  OverrideProtocol?: string;
  OverrideConnectTimeout?: string;
  OverrideMeshGateway?: { readonly Mode: string };
}

interface ThroughMethod {
  AuthMethod: string;
  Meta?: Readonly<Record<string, string>>;
}

const bootstrap = {
  name: 'bootstrap access control',
  service: 'registry',
  method: 'PUT',
  path: '/v1/acl/bootstrap',
  token: 'none',
  accepts: [200],
  decode: aclToken,
} as const;

// A login makes a token that no one else knows of, so it is not sent twice. One that carries a token is rejected.
const login = {
  service: 'registry',
  method: 'POST',
  body: 'json',
  token: 'none',
  accepts: [200],
  retry: 'once',
  decode: aclToken,
} as const;

const list = {
  service: 'registry',
  method: 'GET',
  query: ['dc'],
  accepts: [200],
  retry: 'read',
  decode: anything,
} as const;

const translation = {
  name: 'translate rules',
  service: 'registry',
  accepts: [200],
  retry: 'read',
  decode: rulesText,
} as const;

/** How fresh a read is to be. */
interface Fresh extends InDatacenter {
  stale?: '';
  consistent?: '';
}

/** A prepared query by its ID; to execute and to explain, by its name too. */
interface QueryNamed extends Fresh {
  query: string;
}

interface Executed extends QueryNamed {
  near?: string;
  limit?: number;
  connect?: true;
}

const fresh = ['dc', 'stale', 'consistent'] as const;
const queries = { service: 'registry', path: '/v1/query' } as const;
const oneQuery = { service: 'registry', path: '/v1/query/{query}' } as const;

/** The operations of the service registry (docs/protocol/registry.md#requests-and-responses). */
export const registryOperations = {
  // Transactions. One that only reads may be sent again, and may say how fresh its reads must be.
  applyTransaction: op<Operations>()({ ...transaction, query: ['dc'], retry: 'write' }),
  readTransaction: op<Operations & { stale?: ''; consistent?: '' }>()({
    ...transaction,
    query: ['dc', 'stale', 'consistent'],
    retry: 'read',
  }),

  // The compiled discovery chain. POST reads too: it is there because GET has no body.
  readChain: op<ChainOf>()({ ...chain, name: 'read discovery chain', method: 'GET' }),
  overrideChain: op<ChainOf & Overrides>()({
    ...chain,
    name: 'compile discovery chain',
    method: 'POST',
    body: 'json',
  }),

  // Access control. With a secret of one's own a bootstrap whose response is lost can be told from none.
  bootstrapAcl: op<object>()({ ...bootstrap, retry: 'once' }),
  bootstrapAclWith: op<{ BootstrapSecret: string }>()({ ...bootstrap, body: 'json', retry: 'write' }),
  readReplication: op<InDatacenter>()({
    ...{ name: 'read replication status', service: 'registry', method: 'GET', path: '/v1/acl/replication' },
    ...{ query: ['dc'], accepts: [200], retry: 'read' },
    decode: replicationStatus,
  }),
  // What a replicated index is compared with: the headers of these say how far the datacenter is.
  listPolicies: op<InDatacenter>()({ ...list, name: 'list policies', path: '/v1/acl/policies' }),
  listTokens: op<InDatacenter>()({ ...list, name: 'list tokens', path: '/v1/acl/tokens' }),
  readAgent: op<object>()({
    ...{ name: 'read agent', service: 'registry', method: 'GET', path: '/v1/agent/self' },
    ...{ accepts: [200], retry: 'read' },
    decode: agentPlace,
  }),
  readOwnToken: op<object>()({
    ...{ name: 'read own token', service: 'registry', method: 'GET', path: '/v1/acl/token/self' },
    ...{ accepts: [200], retry: 'read' },
    decode: aclToken,
  }),
  login: op<ThroughMethod & { BearerToken: string }>()({ ...login, name: 'log in', path: '/v1/acl/login' }),
  logout: op<object>()({
    ...{ name: 'log out', service: 'registry', method: 'POST', path: '/v1/acl/logout' },
    ...{ accepts: [200], retry: 'write', decode: noBodyOr(onlyTrue) },
  }),
  // The URL changes nothing until somebody signs in with it.
  makeAuthUrl: op<ThroughMethod & { RedirectURI: string; ClientNonce?: string }>()({
    ...{ ...login, name: 'create authorization URL', path: '/v1/acl/oidc/auth-url' },
    ...{ retry: 'repeat' },
    decode: authorizationUrl,
  }),
  finishOidcLogin: op<ThroughMethod & { State: string; Code: string; ClientNonce?: string }>()({
    ...{ ...login, name: 'finish login', path: '/v1/acl/oidc/callback' },
  }),

  // Rules of the legacy access control in today's syntax; the one who is asked keeps nothing.
  translateRules: op<{ content: string }>()({
    ...{ ...translation, method: 'POST', path: '/v1/acl/rules/translate' },
    ...{ body: 'content', contentType: 'text/plain' },
  }),
  translateTokenRules: op<{ accessor_id: string }>()({
    ...{ ...translation, method: 'GET', path: '/v1/acl/rules/translate/{accessor_id}' },
  }),

  // Prepared queries. The fields of one are the body, next to what names it.
  createQuery: op<InDatacenter & object>()({
    ...queries,
    ...{ name: 'create prepared query', method: 'POST', query: ['dc'], body: 'json' },
    ...{ accepts: [200], retry: 'write' },
    decode: checked(v.looseObject({ ID: v.string() })),
  }),
  listQueries: op<Fresh>()({
    ...queries,
    ...{ name: 'list prepared queries', method: 'GET', query: fresh },
    ...{ accepts: [200], retry: 'read' },
    decode: checked(v.nullable(v.array(preparedQuery))),
  }),
  readQuery: op<QueryNamed>()({
    ...oneQuery,
    ...{ name: 'read prepared query', method: 'GET', query: fresh },
    ...{ accepts: [200], retry: 'read' },
    decode: checked(v.array(preparedQuery)),
  }),
  updateQuery: op<InDatacenter & { query: string }>()({
    ...oneQuery,
    ...{ name: 'update prepared query', method: 'PUT', query: ['dc'], body: 'json' },
    ...{ accepts: [200, 204], retry: 'write', decode: noBody },
  }),
  deleteQuery: op<InDatacenter & { query: string }>()({
    ...oneQuery,
    ...{ name: 'delete prepared query', method: 'DELETE', query: ['dc'] },
    ...{ accepts: [200, 204], retry: 'write', decode: noBody },
  }),
  executeQuery: op<Executed>()({
    ...{ ...oneQuery, path: `${oneQuery.path}/execute` },
    ...{ name: 'execute prepared query', method: 'GET', query: [...fresh, 'near', 'limit', 'connect'] },
    ...{ accepts: [200], retry: 'read' },
    decode: checked(execution),
  }),
  explainQuery: op<QueryNamed>()({
    ...{ ...oneQuery, path: `${oneQuery.path}/explain` },
    ...{ name: 'explain prepared query', method: 'GET', query: fresh },
    ...{ accepts: [200], retry: 'read' },
    decode: checked(v.looseObject({ Query: preparedQuery })),
  }),
} as const;

export type RegistryClient = Client<typeof registryOperations>;
