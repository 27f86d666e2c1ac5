import type { HttpRequest, HttpResponse, HttpService } from '../core/http/http-service.ts';
import type { Replica } from '../core/store/replica.ts';
import { resolveTarget } from './auth.ts';
import { requestToken } from './call.ts';
import type { Core } from './core.ts';
import { type SecretsParts, type SecretsService, secretsService } from './service.ts';

export interface SecretsStandby extends HttpService {
  /** The next read sees all changes until now. */
  catchUp(): void;
  stop(): Promise<void>;
}

const readMethods = ['GET', 'HEAD', 'LIST', 'SCAN'];

/**
 * A standby as OpenBao 2.5 and later have it (docs/protocol/secrets.md#standby): it responds to reads from its own
 * copy of the state, which is behind, and forwards all else to the active server.
 *
 * @param active the service that requests are forwarded to.
 * @param rootKey decrypts the state.
 */
export function secretsStandby(
  active: HttpService,
  replica: Replica,
  rootKey: Uint8Array,
  parts: Omit<SecretsParts, 'storage' | 'auditDevices'>,
): SecretsStandby {
  let current: Promise<SecretsService> | undefined;
  const reopen = async (previous: Promise<SecretsService> | undefined): Promise<SecretsService> => {
    await stopReaper(previous);
    const service = secretsService({ ...parts, storage: await replica.copy(), auditDevices: [] });
    await service.state.unsealWithKey(rootKey);
    return service;
  };
  return {
    ...active,
    async handle(request): Promise<HttpResponse> {
      if (replica.advance() || !current) current = reopen(current);
      const local = await current;
      if (local.state.sealed) return active.handle(request);
      return isForwarded(local.state.core, request) ? active.handle(request) : local.handle(request);
    },
    catchUp() {
      if (replica.catchUp()) current = reopen(current);
    },
    stop: () => stopReaper(current),
  };
}

async function stopReaper(service: Promise<SecretsService> | undefined): Promise<void> {
  const { state } = (await service) ?? {};
  if (state && !state.sealed) state.core.reaper.stop();
}

/** As OpenBao 2.6: writes, wrapping, and tokens that are unknown or count uses. Its own state must have the mount. */
function isForwarded(core: Core, request: HttpRequest): boolean {
  if ((request.serviceHeader('wrap-ttl') ?? '') !== '') return true;
  const text = requestToken(request);
  const token = text ? core.tokens.find(text) : undefined;
  // A wrapping token that it does not have yet is rejected.
  if (!token && request.path.segments.join('/') === 'v1/sys/wrapping/unwrap') return false;
  if (text && (!token || token.uses > 0)) return true;
  if (readMethods.includes(request.method)) return false;
  return resolveTarget(core, request).mount !== undefined;
}
