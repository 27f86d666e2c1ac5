import { Routes } from '../http/routes.ts';
import type { Answer, HttpRequest } from '../http/service.ts';
import { Refusal } from './engine.ts';
import { bare } from './envelope.ts';
import { booleanField, textField } from './fields.ts';
import { notInitialised } from './refusals.ts';
import { dataOf } from './request.ts';
import type { State } from './state.ts';

export type OpenHandler = (request: HttpRequest) => Answer | Promise<Answer>;

interface OpenParts {
  readonly state: State;
  readonly clock: () => Date;
  readonly version: string;
}

/** Paths rejected when a request names a namespace, even `root` (as in OpenBao). */
export const rootOnly: ReadonlySet<string> = new Set(['sys/health', 'sys/init', 'sys/unseal']);

const clusterName = 'lanyard';

/**
 * The routes that work in every state and without a token, without the JSON response format
 * (docs/protocol/secrets.md#service-state). By HTTP method.
 */
export function openRoutes({ state, clock, version }: OpenParts): Routes<OpenHandler> {
  const health: OpenHandler = ({ query }) => {
    const status = !state.initialised
      ? code(query, 'uninitcode', 501)
      : state.sealed
        ? code(query, 'sealedcode', 503)
        : code(query, 'activecode', 200);
    return bare(status, {
      initialized: state.initialised,
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

  const sealStatus: OpenHandler = () =>
    bare(200, {
      type: 'shamir',
      initialized: state.initialised,
      sealed: state.sealed,
      ...state.unsealing,
      nonce: '',
      version,
      build_date: '',
      migration: false,
      ...(!state.sealed && { cluster_name: clusterName, cluster_id: state.clusterId }),
      recovery_seal: false,
      storage_type: 'file',
    });

  const initialise: OpenHandler = async (request) => {
    const { shares, rootToken } = await state.initialise(await dataOf(request, 'write'));
    return bare(200, {
      keys: shares.map((share) => Buffer.from(share).toString('hex')),
      keys_base64: shares.map((share) => Buffer.from(share).toString('base64')),
      root_token: rootToken,
    });
  };

  const unseal: OpenHandler = async (request) => {
    const data = await dataOf(request, 'write');
    if (!state.initialised) throw notInitialised();
    const key = textField(data, 'key');
    if (booleanField(data, 'reset')) state.resetUnseal();
    else if (key) await state.unseal(key);
    else throw new Refusal(400, "'key' must be specified in request body as JSON, or 'reset' set to true");
    return sealStatus(request);
  };

  return new Routes<OpenHandler>()
    .on('GET', 'sys/health', health)
    .on('GET', 'sys/seal-status', sealStatus)
    .on('GET', 'sys/init', () => bare(200, { initialized: state.initialised }))
    .on('PUT|POST', 'sys/init', initialise)
    .on('PUT|POST', 'sys/unseal', unseal)
    .on('GET', 'sys/leader', () =>
      bare(200, {
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
function code(query: URLSearchParams, name: string, usual: number): number {
  const wanted = query.get(name);
  if (wanted === null) return usual;
  const status = Number(wanted);
  if (Number.isInteger(status) && status >= 200 && status <= 599) return status;
  throw new Refusal(400, `bad status code for ${name}`);
}
