import { messageOf } from '../core/errors.ts';
import { defineService } from '../core/http/define-service.ts';
import {
  HttpError,
  type HttpRequest,
  type HttpService,
  type ServiceParts,
  textResponse,
} from '../core/http/http-service.ts';
import { State } from '../core/state/state.ts';
import { openEncryption, type ValueEncryption } from '../core/store/encryption.ts';
import type { KeyFile } from '../data-directory.ts';
import { TokenAuthorizer } from './auth.ts';
import type { Context, Scheduler } from './call.ts';
import { LockExpiry } from './lock-expiry.ts';
import { seedNamespaces } from './model/namespaces.ts';
import type { Table, State as Tables } from './model/tables.ts';
import { schedulerRoutes } from './routes.ts';

export interface SchedulerParts extends ServiceParts {
  /** The file with the encryption key of the variables; undefined: in memory, not encrypted. */
  readonly keyFile: KeyFile | undefined;
}

/** The scheduler on HTTP. */
export interface SchedulerService extends HttpService {
  /** Ends blocking queries and stops the timers. */
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
  const http = defineService<Context>({
    name: 'scheduler',
    headerPrefixes: ['X-Scheduler', 'X-Nomad'],
    rawKeyPrefix: ['v1', 'var'],
    routes: schedulerRoutes(),
    async authenticate(request) {
      checkRegion(request);
      await scheduler.lockExpiry.removeExpired();
      return { scheduler, permissions: scheduler.acl.permissionsOf(request) };
    },
    errorBody: ({ status, message }) => textResponse(status, message),
    messages: { notFound: 'Invalid URL path', methodNotAllowed: 'Invalid method' },
    storage,
    log,
  });
  return {
    ...http,
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

/** The only region is `global`. @throws HttpError 500 */
function checkRegion({ query }: HttpRequest): void {
  if ((query.get('region') || 'global') !== 'global') throw new HttpError(500, 'No path to region');
}
