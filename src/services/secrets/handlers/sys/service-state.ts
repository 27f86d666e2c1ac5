import { Router } from '../../../core/http/router.ts';
import { type Handler, requestData } from '../../call.ts';
import { SecretsError } from '../../engine.ts';
import { notInitialized } from '../../errors.ts';
import { booleanField, textField } from '../../fields.ts';
import type { SecretsState } from '../../model/state.ts';
import { bareResponse } from '../../response.ts';

interface UnauthenticatedRoutesParts {
  readonly state: SecretsState;
  readonly clock: () => Date;
  readonly version: string;
}

/** Paths rejected when a request names a namespace, even `root` (as in OpenBao). */
export const rootOnlyPaths: ReadonlySet<string> = new Set(['sys/health', 'sys/init', 'sys/unseal']);

const clusterName = 'lanyard';

/**
 * The routes that work in every state and without a token, without the JSON response format
 * (docs/protocol/secrets.md#service-state). By HTTP method.
 */
export function unauthenticatedRoutes({
  state,
  clock,
  version,
}: UnauthenticatedRoutesParts): Router<Handler> {
  const health: Handler = ({ request: { query } }) => {
    const status = !state.initialized
      ? statusCode(query, 'uninitcode', 501)
      : state.sealed
        ? statusCode(query, 'sealedcode', 503)
        : statusCode(query, 'activecode', 200);
    return bareResponse(status, {
      initialized: state.initialized,
      sealed: state.sealed,
      standby: false,
      performance_standby: false,
      replication_performance_mode: 'disabled',
      replication_dr_mode: 'disabled',
      server_time_utc: Math.floor(clock().getTime() / 1000),
      version,
      ...(!state.sealed && { cluster_name: clusterName, cluster_id: state.clusterId }),
    });
  };

  const sealStatus: Handler = () =>
    bareResponse(200, {
      type: 'shamir',
      initialized: state.initialized,
      sealed: state.sealed,
      ...state.unsealProgress,
      nonce: '',
      version,
      build_date: '',
      migration: false,
      ...(!state.sealed && { cluster_name: clusterName, cluster_id: state.clusterId }),
      recovery_seal: false,
      storage_type: 'file',
    });

  const initialize: Handler = async ({ request }) => {
    const { shares, rootToken } = await state.initialize(await requestData(request, 'write'));
    return bareResponse(200, {
      keys: shares.map((share) => Buffer.from(share).toString('hex')),
      keys_base64: shares.map((share) => Buffer.from(share).toString('base64')),
      root_token: rootToken,
    });
  };

  const unseal: Handler = async (call) => {
    const data = await requestData(call.request, 'write');
    if (!state.initialized) throw notInitialized();
    const key = textField(data, 'key');
    if (booleanField(data, 'reset')) state.resetUnseal();
    else if (key) await state.unseal(key);
    else
      throw new SecretsError(400, "'key' must be specified in request body as JSON, or 'reset' set to true");
    return sealStatus(call);
  };

  return new Router<Handler>()
    .on('GET', 'sys/health', health)
    .on('GET', 'sys/seal-status', sealStatus)
    .on('GET', 'sys/init', () => bareResponse(200, { initialized: state.initialized }))
    .on('PUT|POST', 'sys/init', initialize)
    .on('PUT|POST', 'sys/unseal', unseal)
    .on('GET', 'sys/leader', () =>
      bareResponse(200, {
        ha_enabled: false,
        is_self: false,
        active_time: '0001-01-01T00:00:00Z',
        leader_address: '',
        leader_cluster_address: '',
        performance_standby: false,
        performance_standby_last_remote_wal: 0,
      }),
    );
}

/** A status requested by the caller instead of the default. */
function statusCode(query: URLSearchParams, name: string, defaultStatus: number): number {
  const requested = query.get(name);
  if (requested === null) return defaultStatus;
  const status = Number(requested);
  if (Number.isInteger(status) && status >= 200 && status <= 599) return status;
  throw new SecretsError(400, `bad status code for ${name}`);
}
