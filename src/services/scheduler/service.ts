import { messageOf } from '../core/errors.ts';
import { findHandler, responseOrError } from '../core/http/define-service.ts';
import {
  HttpError,
  type HttpRequest,
  type HttpResponse,
  type HttpService,
  type ServiceParts,
  textResponse,
} from '../core/http/http-service.ts';
import { State } from '../core/state/state.ts';
import { openEncryption, type ValueEncryption } from '../core/store/encryption.ts';
import * as s from '../core/store/schema.ts';
import type { Storage } from '../core/store/storage.ts';
import { checkTablesSlowly, Table } from '../core/store/table.ts';
import type { KeyFile } from '../data-directory.ts';
import { TokenAuthorizer } from './auth.ts';
import type { Scheduler } from './call.ts';
import { LockExpiry } from './lock-expiry.ts';
import { aclTables } from './model/acl.ts';
import { namespaceTable, seedNamespaces } from './model/namespaces.ts';
import type { TableName, State as Tables } from './model/tables.ts';
import { variableTables } from './model/variables.ts';
import { schedulerRoutes } from './routes.ts';

/** A text that only the right key decrypts. */
const keyChecks = new Table('key/', s.object({ sealed: s.string }));

export interface SchedulerParts extends ServiceParts {
  readonly storage: Storage;
  /** Cryptographically strong bytes. */
  readonly random: (length: number) => Uint8Array;
  /** Told of faults of the service, one line each. */
  readonly log: (line: string) => void;
  /** Where the key of the variables is; undefined: in memory, as they are. */
  readonly keyFile: KeyFile | undefined;
}

/** The scheduler on HTTP, and what ends it. */
export interface SchedulerService extends HttpService {
  /** Lets go of those who wait, and of the timers. */
  stop(): void;
}

/**
 * The namespaces and variables of a scheduler on a storage (docs/protocol/scheduler.md). Every error is plain
 * text (docs/protocol/scheduler.md#requests-and-responses).
 *
 * @throws EmbeddedError data: the key does not open what is kept
 */
export async function schedulerService(parts: SchedulerParts): Promise<SchedulerService> {
  const { clock, keyFile, log, random, storage, version } = parts;
  const logFault = (error: unknown) => log(`scheduler: ${messageOf(error)}`);
  await checkTablesSlowly(storage, [...aclTables, namespaceTable, ...variableTables, keyChecks]);
  const state = new State<TableName>({ storage, clock, random });
  await state.update(seedNamespaces);
  const scheduler: Scheduler = {
    state,
    encryption: await openServiceEncryption(state, random, keyFile),
    acl: new TokenAuthorizer(state),
    lockExpiry: new LockExpiry(state, logFault),
    random,
    version,
  };
  const routes = schedulerRoutes();

  async function route(request: HttpRequest): Promise<HttpResponse> {
    const match = findHandler(routes.find(request.path.segments), request, {
      notFound: () => errorResponse(404, 'Invalid URL path'),
      methodNotAllowed: () => errorResponse(405, 'Invalid method'),
    });
    if ('errorResponse' in match) return match.errorResponse;
    checkRegion(request);
    await scheduler.lockExpiry.expireDue();
    const permissions = scheduler.acl.permissionsOf(request);
    return match.handler({ scheduler, request, params: match.params, permissions });
  }

  return {
    name: 'scheduler',
    headerPrefixes: ['X-Scheduler', 'X-Nomad'],
    rawKeyPrefix: ['v1', 'var'],
    errorResponse,
    handle: (request) => responseOrError(() => route(request), errorResponse, logFault),
    stop() {
      scheduler.lockExpiry.stop();
      state.close();
    },
  };
}

/** @throws EmbeddedError data: the key does not open what is kept */
function openServiceEncryption(
  state: Tables,
  random: SchedulerParts['random'],
  keyFile: KeyFile | undefined,
): Promise<ValueEncryption> {
  return openEncryption({
    service: 'scheduler',
    random,
    keyFile,
    keyCheckValue: keyChecks.get(state.view, 'proof')?.sealed,
    saveKeyCheckValue: (keyCheckValue) =>
      state.update((transaction) => transaction.write(keyChecks.put('proof', { sealed: keyCheckValue }))),
  });
}

/** There is one region. */
function checkRegion({ query }: HttpRequest): void {
  if ((query.get('region') || 'global') !== 'global') throw new HttpError(500, 'No path to region');
}

function errorResponse(status: number, message: string): HttpResponse {
  return textResponse(status, message);
}
