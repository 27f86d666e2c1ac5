import * as v from 'valibot';
import type { MountConfig, Mount as ShownMount } from '../wire/responses/secrets.ts';
import { checked, pairs, shown, text } from './decode.ts';
import { operationBuilders } from './operation-builders.ts';
import { type Anywhere, secret, written } from './secrets-parts.ts';

const { get, post, remove } = operationBuilders('secrets');

const mountSchema = v.looseObject({
  ...shown<ShownMount>({
    description: text,
    accessor: text,
    options: pairs,
  }),
  /** The type of the engine or auth method, such as `kv`. */
  type: v.string(),
  config: v.optional(
    v.looseObject(
      shown<MountConfig>({
        default_lease_ttl: v.optional(v.number()),
        max_lease_ttl: v.optional(v.number()),
      }),
    ),
  ),
});

/** A secrets engine or an auth method. */
export type Mount = v.InferOutput<typeof mountSchema>;

/** Settings of a mount that can be changed; lifetimes as durations. */
export interface MountTuning {
  description?: string;
  options?: Readonly<Record<string, string>>;
  [setting: string]: unknown;
}

interface NewMount extends Anywhere {
  type: string;
  description?: string;
  options?: Readonly<Record<string, string>>;
  config?: Readonly<Record<string, unknown>>;
  local?: boolean;
  seal_wrap?: boolean;
  plugin_version?: string;
}

const mounts = checked(v.looseObject({ data: v.record(v.string(), mountSchema) }));
const mount = checked(v.looseObject({ data: mountSchema }));
const tuning = checked(secret({}));
const move = checked(secret({ migration_id: text }));
const moveState = checked(secret({ migration_info: v.looseObject({ status: v.string() }) }));

const enginePath = '/v1/sys/mounts/{+path}';
const authPath = '/v1/sys/auth/{+path}';

/** The mount tables of the secrets service (docs/protocol/secrets.md#mounts). `path` is relative to its table. */
export const mountOperations = {
  listEngines: get<object>('list secrets engines', '/v1/sys/mounts')(mounts),
  readEngine: get<Anywhere>('read secrets engine', enginePath)(mount),
  enableEngine: post<NewMount>('enable secrets engine', enginePath)(written),
  readEngineTuning: get<Anywhere>('read settings of the secrets engine', `${enginePath}/tune`)(tuning),
  tuneEngine: post<Anywhere & MountTuning>('tune secrets engine', `${enginePath}/tune`)(written),
  disableEngine: remove<Anywhere>('disable secrets engine', enginePath)(written),

  listAuthMethods: get<object>('list auth methods', '/v1/sys/auth')(mounts),
  readAuthMethod: get<Anywhere>('read auth method', authPath)(mount),
  enableAuthMethod: post<NewMount>('enable auth method', authPath)(written),
  readAuthMethodTuning: get<Anywhere>('read settings of the auth method', `${authPath}/tune`)(tuning),
  tuneAuthMethod: post<Anywhere & MountTuning>('tune auth method', `${authPath}/tune`)(written),
  disableAuthMethod: remove<Anywhere>('disable auth method', authPath)(written),

  /** Paths of auth methods begin with `auth/`. Old versions of Vault respond with 204 when it is done. */
  remount: post<{ from: string; to: string }>(
    'move mount',
    '/v1/sys/remount',
  )((body, status) => (body === undefined && status === 204 ? undefined : move(body))),
  readRemount: get<{ migration_id: string }>(
    'read state of the move',
    '/v1/sys/remount/status/{migration_id}',
  )(moveState),
} as const;
