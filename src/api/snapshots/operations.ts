import * as v from 'valibot';
import { checked } from '../decode.ts';
import { type InDatacenter, operationBuilders } from '../operation-builders.ts';

const secrets = operationBuilders('secrets');
const registry = operationBuilders('registry');

/** The body is not decoded: it is streamed. */
const streamed = (): void => undefined;

const ofCluster = { namespace: 'none' } as const;
const restore = (path: string) =>
  secrets.put<object>('restore snapshot', path, {
    ...ofCluster,
    retry: 'once',
    body: undefined,
    contentType: 'application/octet-stream',
  })(streamed);

/** The requests for snapshots of the services (docs/protocol/secrets.md#snapshots, docs/protocol/registry.md#snapshots). */
export const snapshotOperations = {
  secrets: {
    save: secrets.get<object>('save snapshot', '/v1/sys/storage/raft/snapshot', ofCluster)(streamed),
    restore: restore('/v1/sys/storage/raft/snapshot'),
    restoreForced: restore('/v1/sys/storage/raft/snapshot-force'),
  },
  registry: {
    save: registry.get<InDatacenter & { stale?: '' }>('save snapshot', '/v1/snapshot', {
      query: ['dc', 'stale'],
    })(streamed),
    restore: registry.put<InDatacenter>('restore snapshot', '/v1/snapshot', {
      query: ['dc'],
      retry: 'once',
      body: undefined,
      contentType: 'application/octet-stream',
    })(streamed),
  },
} as const;

/** The state of one server, which it responds with in every state. */
export const readHealth = secrets.get<object>('read health', '/v1/sys/health', {
  ...ofCluster,
  token: 'none',
  accepts: [200, 429, 472, 473, 501, 503],
})(checked(v.looseObject({ sealed: v.boolean() })));
