import { messageOf } from '../core/errors.ts';
import { decodeBody } from '../core/http/decode-body.ts';
import { defineService } from '../core/http/define-service.ts';
import {
  HttpError,
  type HttpRequest,
  type HttpService,
  type ServiceParts,
  textResponse,
} from '../core/http/http-service.ts';
import { goRules } from '../core/schema/go-rules.ts';
import { type ReadingRules, read, textConversions } from '../core/schema/read.ts';
import * as s from '../core/schema/types.ts';
import { State } from '../core/state/state.ts';
import { openEncryption, type ValueEncryption } from '../core/store/encryption.ts';
import { checkTables, table } from '../core/store/table.ts';
import type { KeyFile } from '../data-directory.ts';
import { unrestricted } from './acl/permissions.ts';
import { TokenAuthorizer } from './auth.ts';
import type { Context, Scheduler } from './call.ts';
import { checkRequest, redirectTarget } from './check-request.ts';
import { LockExpiry } from './lock-expiry.ts';
import { aclTables } from './model/acl.ts';
import { namespaces, seedNamespaces } from './model/namespaces.ts';
import { RecentItems } from './model/recent-items.ts';
import type { TableName, State as Tables } from './model/tables.ts';
import { variableTables } from './model/variables.ts';
import { openHandlers, schedulerRoutes } from './routes.ts';
import { ensureStartUpToken } from './start-up-token.ts';

/** As in Nomad, an invalid parameter has no effect, unless the operation checks it. */
const queryRules: ReadingRules = {
  convert: textConversions,
  invalid: () => {},
};

/** A text that only the right key decrypts. */
const keyChecks = table('key/', { sealed: s.string() });

export interface SchedulerParts extends ServiceParts {
  /** The file with the encryption key of the variables; undefined: in memory, not encrypted. */
  readonly keyFile: KeyFile | undefined;
  /** The file with the index that permits another bootstrap of access control. */
  readonly resetFile?: string | undefined;
}

export interface SchedulerService extends HttpService {
  /** Ensures that a management token exists before the bootstrap (start-up-token.ts). */
  ensureStartUpToken(previous?: string): Promise<string>;
  stop(): void;
}

/** Namespaces and variables on a storage (docs/protocol/scheduler.md). @throws EmbeddedError data: the key is wrong */
export async function schedulerService(parts: SchedulerParts): Promise<SchedulerService> {
  const { clock, keyFile, log, random, storage, version } = parts;
  const logFault = (error: unknown) => log(`scheduler: ${messageOf(error)}`);
  checkTables(storage, [...aclTables, namespaces, ...variableTables, keyChecks]);
  const state = new State<TableName>({ storage, clock, random });
  await state.update(seedNamespaces);
  const encryption = await openServiceEncryption(state, random, keyFile);
  const scheduler: Scheduler = {
    state,
    encryption,
    items: new RecentItems(encryption),
    acl: new TokenAuthorizer(state),
    lockExpiry: new LockExpiry(state, logFault),
    resetFile: parts.resetFile,
    random,
    version,
  };
  const http = defineService<Context>({
    name: 'scheduler',
    headerPrefixes: ['X-Scheduler', 'X-Nomad'],
    rawKeyPrefixes: ['v1/var'],
    routes: schedulerRoutes(),
    redirectTarget,
    before: checkRequest,
    authenticate(request, handler) {
      checkRegion(request);
      // Here, Nomad does not look at the token.
      const context = (): Context => ({
        scheduler,
        permissions: openHandlers.has(handler) ? unrestricted : scheduler.acl.permissionsOf(request),
      });
      const { lockExpiry } = scheduler;
      return lockExpiry.isDue ? lockExpiry.removeExpired().then(context) : context();
    },
    readBody: (request, { body, bodyError = '', isBodyOptional }) =>
      decodeBody(request, bodyError, (json) => {
        if (json === undefined && !isBodyOptional) throw new HttpError(400, 'Request body is empty');
        return body && read(body, json ?? {}, goRules);
      }),
    queryRules,
    // An unknown path is a 404 without a body.
    errorBody: ({ status, message }) => (message === '' ? { status } : textResponse(status, message)),
    messages: { notFound: '', methodNotAllowed: 'Invalid method' },
    storage,
    log,
  });
  return {
    ...http,
    ensureStartUpToken: (previous) => ensureStartUpToken(scheduler, previous),
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
    keyCheckValue: keyChecks.get(state.view, 'proof')?.sealed,
    saveKeyCheckValue: (keyCheckValue) =>
      state.update((transaction) => transaction.write(keyChecks.put('proof', { sealed: keyCheckValue }))),
  });
}

/** The only region is `global`. @throws HttpError 500 */
function checkRegion({ query }: HttpRequest): void {
  if ((query.get('region') || 'global') !== 'global') throw new HttpError(500, 'No path to region');
}
