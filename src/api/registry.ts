import * as v from 'valibot';
import type { QueryMeta, TransactionResult } from '../wire/responses/registry.ts';
import type { Client } from './client.ts';
import { checked, checkedList, noBody, noBodyOr, onlyTrue, shown } from './decode.ts';
import {
  type Blocking,
  blockingParameters,
  type Fresh,
  freshParameters as fresh,
  type InDatacenter,
  inDatacenter,
  operationBuilders,
} from './operation-builders.ts';
import {
  aclToken,
  agentPlace,
  authorizationUrl,
  caRoots,
  replicationStatus,
  rulesText,
} from './registry-acl.ts';
import { aclOperations } from './registry-acl-operations.ts';
import { catalogOperations } from './registry-catalog.ts';
import { compiledChain } from './registry-chain.ts';
import { configOperations } from './registry-config.ts';
import { kvOperations } from './registry-kv.ts';
import { execution, preparedQuery } from './registry-queries.ts';
import { sessionOperations } from './registry-sessions.ts';

const { get, post, put, remove } = operationBuilders('registry');

/** The operations as a JSON array, in the form of the service. */
interface Operations extends InDatacenter {
  content: string;
}

interface ChainOf extends InDatacenter, Blocking {
  service_name: string;
  'compile-dc'?: string;
}

interface Overrides {
  OverrideProtocol?: string;
  OverrideConnectTimeout?: string;
  OverrideMeshGateway?: { readonly Mode: string };
}

interface ThroughMethod extends InDatacenter {
  AuthMethod: string;
  Meta?: Readonly<Record<string, string>>;
}

/** A prepared query by its ID, or to execute and explain it, by its name. */
interface QueryNamed extends Fresh {
  query: string;
}

type ChangedQuery = InDatacenter & { query: string };

interface Executed extends QueryNamed {
  near?: string;
  limit?: number;
  connect?: true;
}

/** Sent before a write whose request has no datacenter (src/api/registry-datacenter.ts). */
const before = { ...inDatacenter, preflight: true } as const;
const txn = {
  body: 'content',
  contentType: 'application/json',
  secretForm: 'the base64 of the value',
  accepts: [200],
} as const;
const txnResults = checked(
  v.looseObject({
    ...shown<QueryMeta & { Errors?: null }>(),
    /** One for each operation that returns one, in their order. */
    Results: v.nullable(
      v.array(
        v.intersect([v.record(v.string(), v.looseObject({})), v.looseObject(shown<TransactionResult>())]),
      ),
    ),
  }),
);
const chainPath = '/v1/discovery-chain/{service_name}';
const chainQuery = ['compile-dc', 'dc', ...blockingParameters] as const;
const bootstrapPath = '/v1/acl/bootstrap';
const withoutToken = { token: 'none' } as const;
// A lost login cannot be verified. Services reject a login that has a token.
const once = { ...withoutToken, retry: 'once' } as const;
const login = { ...once, query: ['dc'] } as const;
const replicationPath = '/v1/acl/replication';
const translatePath = '/v1/acl/rules/translate';
const queries = checkedList(preparedQuery);
const queryPath = '/v1/query/{query}';

/** The operations of the service registry (docs/protocol/registry.md#requests-and-responses). */
export const registryOperations = {
  // Transactions.
  applyTransaction: put<Operations>('apply transaction', '/v1/txn', { ...txn, query: ['dc'] })(txnResults),
  readTransaction: put<Operations & Fresh>('apply transaction', '/v1/txn', {
    ...txn,
    query: fresh,
    retry: 'read',
  })(txnResults),

  // The compiled discovery chain. POST is a read with a body.
  readChain: get<ChainOf>('read discovery chain', chainPath, { query: chainQuery })(compiledChain),
  overrideChain: post<ChainOf & Overrides>('compile discovery chain', chainPath, {
    query: chainQuery,
    accepts: [200],
    retry: 'read',
  })(compiledChain),

  // Access control. A lost bootstrap with a given secret can be verified.
  bootstrapAcl: put<object>('bootstrap access control', bootstrapPath, { ...once, body: undefined })(
    aclToken,
  ),
  bootstrapAclWith: put<{ BootstrapSecret: string }>(
    'bootstrap access control',
    bootstrapPath,
    withoutToken,
  )(aclToken),
  readReplication: get<InDatacenter>(
    'read replication status',
    replicationPath,
    inDatacenter,
  )(replicationStatus),
  readAgent: get<object>('read agent', '/v1/agent/self')(agentPlace),
  // Needs no permission.
  readCaRoots: get<object>('read CA roots', '/v1/connect/ca/roots')(caRoots),
  locateAgent: get<object>('read agent', '/v1/agent/self', { preflight: true })(agentPlace),
  locatePrimary: get<InDatacenter>('read replication status', replicationPath, before)(replicationStatus),
  locateServers: get<InDatacenter>('list servers', '/v1/status/peers', before)(checked(v.array(v.string()))),
  readOwnToken: get<InDatacenter>('read own token', '/v1/acl/token/self', inDatacenter)(aclToken),
  login: post<ThroughMethod & { BearerToken: string }>('log in', '/v1/acl/login', login)(aclToken),
  logout: post<InDatacenter>('log out', '/v1/acl/logout', { ...inDatacenter, body: undefined })(
    noBodyOr(onlyTrue),
  ),
  // The URL has no effect until a user logs in with it.
  makeAuthUrl: post<ThroughMethod & { RedirectURI: string; ClientNonce?: string }>(
    'create authorization URL',
    '/v1/acl/oidc/auth-url',
    { ...withoutToken, query: ['dc'], retry: 'repeat' },
  )(authorizationUrl),
  finishOidcLogin: post<ThroughMethod & { State: string; Code: string; ClientNonce?: string }>(
    'finish login',
    '/v1/acl/oidc/callback',
    login,
  )(aclToken),

  // Legacy rules in the current syntax; nothing is stored.
  translateRules: post<{ content: string }>('translate rules', translatePath, {
    accepts: [200],
    retry: 'read',
    body: 'content',
    contentType: 'text/plain',
  })(rulesText),
  translateTokenRules: get<{ accessor_id: string }>(
    'translate rules',
    `${translatePath}/{accessor_id}`,
  )(rulesText),

  ...aclOperations,
  ...kvOperations,
  ...catalogOperations,
  ...configOperations,
  ...sessionOperations,

  // Prepared queries. The other fields of the input are the body.
  createQuery: post<InDatacenter & object>('create prepared query', '/v1/query', { query: ['dc'] })(
    checked(v.looseObject({ ID: v.string() })),
  ),
  listQueries: get<Fresh>('list prepared queries', '/v1/query', { query: fresh })(queries),
  findQueries: get<Fresh>('list prepared queries', '/v1/query', { query: fresh, isLookup: true })(queries),
  readQuery: get<QueryNamed>('read prepared query', queryPath, { query: fresh })(
    checked(v.array(preparedQuery)),
  ),
  updateQuery: put<ChangedQuery>('update prepared query', queryPath, inDatacenter)(noBody),
  deleteQuery: remove<ChangedQuery>('delete prepared query', queryPath, inDatacenter)(noBody),
  executeQuery: get<Executed>('execute prepared query', `${queryPath}/execute`, {
    query: [...fresh, 'near', 'limit', 'connect'],
  })(checked(execution)),
  explainQuery: get<QueryNamed>('explain prepared query', `${queryPath}/explain`, { query: fresh })(
    checked(v.looseObject({ ...shown<QueryMeta>(), Query: preparedQuery })),
  ),
} as const;

export type RegistryClient = Client<typeof registryOperations>;
