import * as v from 'valibot';
import { checked } from '../decode.ts';
import { operationBuilders } from '../operation-builders.ts';

const secrets = operationBuilders('secrets');

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

/** The requests for snapshots of the services (docs/protocol/secrets.md#snapshots). */
export const snapshotOperations = {
  secrets: {
    save: secrets.get<object>('save snapshot', '/v1/sys/storage/raft/snapshot', ofCluster)(streamed),
    restore: restore('/v1/sys/storage/raft/snapshot'),
    restoreForced: restore('/v1/sys/storage/raft/snapshot-force'),
  },
} as const;

/** The state of one server, which it responds with in every state. */
export const readHealth = secrets.get<object>('read health', '/v1/sys/health', {
  ...ofCluster,
  token: 'none',
  accepts: [200, 429, 472, 473, 501, 503],
})(checked(v.looseObject({ sealed: v.boolean() })));
