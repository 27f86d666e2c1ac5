import { HttpError } from '../../core/http/http-service.ts';
import { concatInSlices } from '../../core/in-slices.ts';
import { readHeaders } from '../blocking-query.ts';
import { operations, type Registry } from '../call.ts';
import { syncAgent } from '../model/agent.ts';
import { allSessions } from '../model/sessions.ts';
import { presenceFlag, readParameters } from '../read-parameters.ts';
import { requirePermission } from '../require-permission.ts';
import { InvalidArchive } from '../snapshot/archive.ts';
import { readSnapshot, replaceRows, saveSnapshot } from '../snapshot/snapshot.ts';
import { serverTables as tables } from '../tables.ts';

const operation = operations('Snapshots');

const archive = {
  type: 'application/x-gzip',
  schema: { type: 'string', description: 'A tar archive, compressed by gzip.', format: 'binary' },
};
const query = { stale: presenceFlag('Any server may respond; not to restore.') };

/** Bytes of an archive, and milliseconds to wait for the next one. */
const limits = { limit: 256 * 1024 * 1024, stallTimeoutMs: 60_000 };

/** The state of a datacenter, with all tokens (docs/protocol/registry.md#snapshots). */
export const getSnapshot = operation('getSnapshot', 'Save a snapshot', {
  query,
  responses: { 200: { content: archive, headers: 'query' } },
  async handle(call) {
    const { permissions, registry, request } = call;
    requirePermission(permissions, 'acl:write', '');
    const parameters = readParameters(request);
    const { bytes, index } = await saveSnapshot({ ...registry, tables });
    return {
      status: 200,
      headers: { 'Content-Type': archive.type },
      serviceHeaders: { ...readHeaders(call, parameters), Index: String(index) },
      body: bytes,
    };
  },
});

/** Replaces the state of a datacenter (docs/protocol/registry.md#snapshots). */
export const putSnapshot = operation('restoreSnapshot', 'Restore a snapshot', {
  query,
  content: archive,
  responses: { 200: { headers: 'all' } },
  async handle(call) {
    const { permissions, registry, request } = call;
    requirePermission(permissions, 'acl:write', '');
    if (call.query().stale) throw new HttpError(500, 'stale not allowed for restore');
    const chunks: Uint8Array[] = [];
    for await (const chunk of request.stream(limits)) chunks.push(chunk);
    const snapshot = await readSnapshot(await concatInSlices(chunks), {
      datacenter: registry.datacenter,
      tables,
    }).catch((error: unknown) => {
      throw error instanceof InvalidArchive ? new HttpError(500, error.message) : error;
    });
    await restore(registry, snapshot);
    return { status: 200, serviceHeaders: { 'Default-ACL-Policy': registry.acl.defaultPolicy } };
  },
});

async function restore(
  registry: Registry,
  snapshot: Awaited<ReturnType<typeof readSnapshot>>,
): Promise<void> {
  const { agent, datacenter, node, replicator, sessionExpiry, state, version } = registry;
  await state.updateInSlices(function* (transaction) {
    yield* replaceRows(transaction, snapshot, tables);
    // The agent registers again what the snapshot lacks.
    syncAgent(transaction, { datacenter, node, version });
  }, snapshot.index);
  state.endWaits();
  // As after a start: no session could be renewed before.
  for (const session of allSessions(state.view)) sessionExpiry.restart(session);
  agent.scheduleSync();
  await replicator?.replicateAgain();
}
