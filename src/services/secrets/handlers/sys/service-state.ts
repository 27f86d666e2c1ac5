import * as s from '../../../core/schema/types.ts';
import type { EngineRequest, EngineResponse } from '../../engine.ts';
import { badRequest, notInitialized } from '../../errors.ts';
import { initialization, type SecretsState } from '../../model/seal-state.ts';
import { resourcesOf } from '../../resource.ts';
import { bare } from '../../returns.ts';

/** Paths that work in every state without a token, with bare JSON (docs/protocol/secrets.md#service-state). */

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

const stateResource = resourcesOf<StateContext, Pick<EngineRequest, 'data'>>();

const cluster = ({ state }: StateContext) =>
  !state.sealed && { cluster_name: 'lanyard', cluster_id: state.clusterId };

/** A status requested by the caller instead of the default. */
const statusCode = (name: string, description: string, standard: number) =>
  s.converted(s.integer(`${description} (default ${standard}).`, { default: standard }), (value) => {
    const status = Number(value);
    if (Number.isInteger(status) && status >= 200 && status <= 599) return status;
    throw badRequest(`bad status code for ${name}`);
  });

const clusterFields = s.partial({ cluster_name: s.string(), cluster_id: s.string() });

export const health = stateResource({
  summary: 'Report by status code whether the service is ready, sealed or uninitialized.',
  query: {
    activecode: statusCode('activecode', 'Status code when ready', 200),
    standbyok: s.converted(
      s.boolean('Return the status code of an active server if this one is a standby.'),
      (value) => ['', 'true', '1'].includes(String(value)),
    ),
    standbycode: statusCode('standbycode', 'Status code of a standby', 429),
    sealedcode: statusCode('sealedcode', 'Status code when sealed', 503),
    uninitcode: statusCode('uninitcode', 'Status code when uninitialized', 501),
  },
  returns: {
    read: bare(
      s.named(
        'Health',
        s.object({
          initialized: s.boolean(),
          sealed: s.boolean(),
          standby: s.boolean(),
          performance_standby: s.boolean(),
          replication_performance_mode: s.string(),
          replication_dr_mode: s.string(),
          server_time_utc: s.integer('Seconds of the Unix epoch.'),
          version: s.string(),
          ...clusterFields,
        }),
      ),
      ['200', '501', '503', 'default'],
    ),
  },
  read(context, { input }) {
    const { state, clock, version } = context;
    const isStandby = context.cluster?.isStandby === true;
    const whenUnsealed = isStandby && !input.standbyok ? input.standbycode : input.activecode;
    const whenInitialized = state.sealed ? input.sealedcode : whenUnsealed;
    return {
      status: state.initialized ? whenInitialized : input.uninitcode,
      data: {
        initialized: state.initialized,
        sealed: state.sealed,
        standby: isStandby,
        performance_standby: false,
        replication_performance_mode: 'disabled',
        replication_dr_mode: 'disabled',
        server_time_utc: Math.floor(clock().getTime() / 1000),
        version,
        ...cluster(context),
      },
    };
  },
});

const shownSealStatus = bare(
  s.named(
    'SealStatus',
    s.object({
      type: s.string(),
      initialized: s.boolean(),
      sealed: s.boolean(),
      t: s.integer('Key shares that unseal.'),
      n: s.integer('All key shares.'),
      progress: s.integer('Key shares provided so far.'),
      nonce: s.string(),
      version: s.string(),
      build_date: s.string(),
      migration: s.boolean(),
      ...clusterFields,
      recovery_seal: s.boolean(),
      storage_type: s.string(),
    }),
  ),
);

export const sealStatus = stateResource({
  summary: 'Show the seal status and the number of key shares.',
  returns: { read: shownSealStatus },
  read: showSealStatus,
});

export const init = stateResource({
  summary: 'Show whether the service is initialized, or initialize it and return its key shares.',
  fields: initialization,
  returns: {
    read: bare(s.object({ initialized: s.boolean() })),
    write: bare(
      s.object({
        keys: s.list(s.string(), 'The key shares, hexadecimal.'),
        keys_base64: s.list(s.string()),
        root_token: s.string(),
      }),
    ),
  },
  read: ({ state }) => ({ data: { initialized: state.initialized } }),
  async write({ state }, { input }) {
    const { shares, rootToken } = await state.initialize(input);
    return {
      data: {
        keys: shares.map((share) => Buffer.from(share).toString('hex')),
        keys_base64: shares.map((share) => Buffer.from(share).toString('base64')),
        root_token: rootToken,
      },
    };
  },
});

export const unseal = stateResource({
  summary: 'Provide a key share; enough of them unseal the service.',
  fields: {
    key: s.string('A key share, in hex or base64.'),
    reset: s.boolean('Discard the key shares provided so far.'),
    migrate: s.boolean('Must be false: seals cannot be migrated.'),
  },
  returns: { write: shownSealStatus },
  errors: [501],
  async write(context, { input: { key, reset, migrate } }) {
    const { state } = context;
    if (!state.initialized) throw notInitialized();
    if (migrate) throw badRequest('seal migration is not supported');
    if (reset) state.resetUnseal();
    else if (key) await state.unseal(key);
    else throw badRequest("'key' must be specified in request body as JSON, or 'reset' set to true");
    return showSealStatus(context);
  },
});

export const leader = stateResource({
  summary: 'Show the active server, if high availability is enabled.',
  returns: {
    read: bare(
      s.object({
        ha_enabled: s.boolean(),
        // Only in a cluster.
        ...s.partial({
          is_self: s.boolean(),
          active_time: s.string(),
          leader_address: s.string(),
          leader_cluster_address: s.string(),
        }),
      }),
    ),
  },
  read: ({ cluster: role }) => ({
    data: {
      ha_enabled: role !== undefined,
      ...(role && {
        ...(!role.isStandby && { is_self: true, active_time: '0001-01-01T00:00:00Z' }),
        leader_address: role.leaderAddress(),
        leader_cluster_address: '',
      }),
    },
  }),
});

function showSealStatus(context: StateContext): EngineResponse {
  const { state, version } = context;
  return {
    data: {
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
    },
  };
}
