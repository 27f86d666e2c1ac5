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
import type { PagedStorage } from '../core/store/storage.ts';
import type { KeyFile } from '../data-directory.ts';
import { TokenAuthorizer } from './auth.ts';
import type { Scheduler } from './call.ts';
import { LockExpiry } from './lock-expiry.ts';
import { seedNamespaces } from './model/namespaces.ts';
import type { Table, State as Tables } from './model/tables.ts';
import { schedulerRoutes } from './routes.ts';

export interface SchedulerParts extends ServiceParts {
  readonly storage: PagedStorage;
  /** Cryptographically strong bytes. */
  readonly random: (length: number) => Uint8Array;
  /** Called with internal errors of the service, one line each. */
  readonly log: (line: string) => void;
  /** The file of the encryption key; undefined: variables are in memory, unencrypted. */
  readonly keyFile: KeyFile | undefined;
}

/** The HTTP service of the scheduler, and its shutdown. */
export interface SchedulerService extends HttpService {
  /** Ends waiting requests and timers. */
  stop(): void;
}

/**
 * The namespaces and variables of a scheduler on a storage (docs/protocol/scheduler.md). Every error is plain text
 * (docs/protocol/scheduler.md#requests-and-responses).
 *
 * @throws EmbeddedError data: the key does not decrypt the stored data
 */
export async function schedulerService(parts: SchedulerParts): Promise<SchedulerService> {
  const { clock, keyFile, log, random, storage, version } = parts;
  const logFault = (error: unknown) => log(`scheduler: ${messageOf(error)}`);
  const state = new State<Table>({ storage, clock, random });
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

/** @throws EmbeddedError data: the key does not decrypt the stored data */
function openServiceEncryption(
  state: Tables,
  random: SchedulerParts['random'],
  keyFile: KeyFile | undefined,
): Promise<ValueEncryption> {
  return openEncryption({
    service: 'scheduler',
    random,
    keyFile,
    keyCheckValue: state.view.get('key', 'proof')?.sealed as string | undefined,
    saveKeyCheckValue: (keyCheckValue) =>
      state.update((transaction) => transaction.put('key', 'proof', { sealed: keyCheckValue })),
  });
}

/** There is only one region. */
function checkRegion({ query }: HttpRequest): void {
  if ((query.get('region') || 'global') !== 'global') throw new HttpError(500, 'No path to region');
}

function errorResponse(status: number, message: string): HttpResponse {
  return textResponse(status, message);
}
