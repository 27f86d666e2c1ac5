import type { HttpRequest, HttpResponse } from '../../../core/http/http-service.ts';
import { requestData } from '../../call.ts';
import { badRequest, notInitialized } from '../../errors.ts';
import { booleanField, textField } from '../../fields.ts';
import { flag, integer, list, text } from '../../help/field.ts';
import type { SecretsState } from '../../model/seal-state.ts';
import type { Resource } from '../../resource.ts';
import { bareResponse } from '../../response.ts';

/**
 * The paths below `sys/` that work in every state and without a token, without the JSON response format
 * (docs/protocol/secrets.md#service-state).
 */

/** Paths rejected when a request names a namespace, even `root` (as in OpenBao). */
export const rootOnlyPaths: ReadonlySet<string> = new Set(['sys/health', 'sys/init', 'sys/unseal']);

/** The place of a server in a cluster with a standby. */
export interface ClusterRole {
  readonly isStandby: boolean;
  /** The address of the active server; empty: none is active. */
  readonly leaderAddress: () => string;
}

export interface StateContext {
  readonly state: SecretsState;
  readonly clock: () => Date;
  readonly version: string;
  /** Undefined: the only server. */
  readonly cluster?: ClusterRole | undefined;
}

export type StateResponse = HttpResponse | Promise<HttpResponse>;
type StateResource = Resource<StateContext, HttpRequest, StateResponse>;

const cluster = ({ state }: StateContext) =>
  !state.sealed && { cluster_name: 'lanyard', cluster_id: state.clusterId };

export const health: StateResource = {
  summary: 'Report by status code whether the service is ready, sealed or uninitialized.',
  fields: {
    activecode: integer('Status code when ready (default 200).'),
    standbyok: flag('Return the status code of an active server if this one is a standby.'),
    standbycode: integer('Status code of a standby (default 429).'),
    sealedcode: integer('Status code when sealed (default 503).'),
    uninitcode: integer('Status code when uninitialized (default 501).'),
  },
  read(context, { query }) {
    const { state, clock, version } = context;
    const isStandby = context.cluster?.isStandby === true;
    const isReady = !isStandby || ['', 'true', '1'].includes(query.get('standbyok') ?? 'false');
    const status = !state.initialized
      ? statusCode(query, 'uninitcode', 501)
      : state.sealed
        ? statusCode(query, 'sealedcode', 503)
        : isReady
          ? statusCode(query, 'activecode', 200)
          : statusCode(query, 'standbycode', 429);
    return bareResponse(status, {
      initialized: state.initialized,
      sealed: state.sealed,
      standby: isStandby,
      performance_standby: false,
      replication_performance_mode: 'disabled',
      replication_dr_mode: 'disabled',
      server_time_utc: Math.floor(clock().getTime() / 1000),
      version,
      ...cluster(context),
    });
  },
};

export const sealStatus: StateResource = {
  summary: 'Show the seal status and the number of key shares.',
  read: showSealStatus,
};

export const init: StateResource = {
  summary: 'Show whether the service is initialized, or initialize it and return its key shares.',
  fields: {
    secret_shares: integer('Number of key shares to generate (default 5).'),
    secret_threshold: integer('Number of key shares required to unseal (default 3).'),
    pgp_keys: list('Must be empty: key shares are not encrypted.'),
    root_token_pgp_key: text('Must be empty: the root token is not encrypted.'),
  },
  read: ({ state }) => bareResponse(200, { initialized: state.initialized }),
  async write({ state }, request) {
    const { shares, rootToken } = await state.initialize(await requestData(request, 'write'));
    return bareResponse(200, {
      keys: shares.map((share) => Buffer.from(share).toString('hex')),
      keys_base64: shares.map((share) => Buffer.from(share).toString('base64')),
      root_token: rootToken,
    });
  },
};

export const unseal: StateResource = {
  summary: 'Provide a key share; enough of them unseal the service.',
  fields: {
    key: text('A key share, in hex or base64.'),
    reset: flag('Discard the key shares provided so far.'),
    migrate: flag('Must be false: seals cannot be migrated.'),
  },
  async write(context, request) {
    const { state } = context;
    const data = await requestData(request, 'write');
    if (!state.initialized) throw notInitialized();
    const key = textField(data, 'key');
    if (booleanField(data, 'migrate')) throw badRequest('seal migration is not supported');
    if (booleanField(data, 'reset')) state.resetUnseal();
    else if (key) await state.unseal(key);
    else throw badRequest("'key' must be specified in request body as JSON, or 'reset' set to true");
    return showSealStatus(context);
  },
};

export const leader: StateResource = {
  summary: 'Show the active server, if high availability is enabled.',
  read: ({ cluster: role }) =>
    bareResponse(200, {
      ha_enabled: role !== undefined,
      ...(role && {
        ...(!role.isStandby && { is_self: true, active_time: '0001-01-01T00:00:00Z' }),
        leader_address: role.leaderAddress(),
        leader_cluster_address: '',
      }),
    }),
};

function showSealStatus(context: StateContext): HttpResponse {
  const { state, version } = context;
  return bareResponse(200, {
    type: 'shamir',
    initialized: state.initialized,
    sealed: state.sealed,
    ...state.unsealProgress,
    version,
    build_date: '',
    migration: false,
    ...cluster(context),
    recovery_seal: false,
    storage_type: 'file',
  });
}

/** A status requested by the caller instead of the default. */
function statusCode(query: URLSearchParams, name: string, defaultStatus: number): number {
  const requested = query.get(name);
  if (requested === null) return defaultStatus;
  const status = Number(requested);
  if (Number.isInteger(status) && status >= 200 && status <= 599) return status;
  throw badRequest(`bad status code for ${name}`);
}
