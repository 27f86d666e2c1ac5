import { type EngineRequest, SecretsError } from '../../engine.ts';
import { badRequest, orNotFound } from '../../errors.ts';
import { mapField, textField } from '../../fields.ts';
import { duration, list, object, required, text } from '../../help/field.ts';
import { readMountConfig, readMountType, readTuning, showTuning } from '../../model/mount-config.ts';
import type { Mount, MountRequest, Mounts } from '../../model/mounts.ts';
import { type Resource, requireSudo } from '../../resource.ts';
import { showMount } from '../../views.ts';
import type { SysContext } from './context.ts';

/**
 * `sys/mounts`, `sys/auth` and the mount lookup that precedes key-value requests
 * (docs/protocol/secrets.md#mounts).
 */

const mountFields = {
  type: required(text('The type of the engine or auth method.')),
  description: text('A human-readable description.'),
  options: object('Options of the type, such as `version` of a key-value engine.'),
  config: object('`default_lease_ttl`, `max_lease_ttl` and the other settings of `/tune`.'),
};
const tuneFields = {
  description: text('A human-readable description.'),
  options: object('Options of the type; omitted ones are unchanged.'),
  default_lease_ttl: duration('Default lease duration.'),
  max_lease_ttl: duration('Maximum lease duration.'),
  listing_visibility: text('`hidden` or `unauth`.'),
  token_type: text('Auth methods: `default-service`, `default-batch`, `service` or `batch`.'),
  audit_non_hmac_request_keys: list('Request fields that audit devices do not hash.'),
  audit_non_hmac_response_keys: list('Response fields that audit devices do not hash.'),
  passthrough_request_headers: list('Request headers to pass to the engine.'),
  allowed_response_headers: list('Response headers that the engine may set.'),
};

export const lookUp: Resource<SysContext> = {
  summary: 'Show the mount of a path.',
  read({ mounts }, { caller }, path) {
    const match = mounts.resolve(path.split('/'));
    if (!match || !caller?.acl.canSeePrefix(match.mount.path)) {
      throw new SecretsError(
        403,
        `preflight capability check returned 403, please ensure client's policies grant access to path "${path}/"`,
      );
    }
    return { data: { path: match.mount.path, ...showMount(match.mount) } };
  },
};

/** Moves are complete when the response is sent, so that there is no state to read. */
export const remount: Resource<SysContext> = {
  summary: 'Move a mount to another path.',
  fields: {
    from: required(text('The current path; of an auth method, with `auth/`.')),
    to: required(text('The new path.')),
  },
  async write({ mounts }, request) {
    requireSudo(request, 'sys/remount');
    const { data } = request;
    const [from, to] = [textField(data, 'from') ?? '', textField(data, 'to') ?? ''];
    if (!from || !to) throw badRequest("both 'from' and 'to' path must be specified as a string");
    const migrationId = await mounts.move(normalized(from), normalized(to));
    return { data: { migration_id: migrationId }, copyToTopLevel: true };
  },
};

export const remountStatus: Resource<SysContext> = {
  summary: 'Show whether a mount was moved.',
  read({ mounts }, _request, id) {
    const info = { ...orNotFound(mounts.findMove(id)), status: 'success' };
    return { data: { migration_id: id, migration_info: info } };
  },
};

const normalized = (path: string): string => `${path.replace(/^\/+|\/+$/g, '')}/`;

/** One of the two mount tables. */
interface MountTable {
  /** Path prefix of its mounts. */
  readonly prefix: '' | 'auth/';
  readonly noun: string;
  readonly errorNoun: string;
}

export const engines = mountTable({ prefix: '', noun: 'secrets engine', errorNoun: 'secret engine' });
export const authMethods = mountTable({ prefix: 'auth/', noun: 'auth method', errorNoun: 'auth engine' });

function mountTable(table: MountTable): { readonly [each in 'all' | 'one']: Resource<SysContext> } {
  const { prefix, noun } = table;
  return {
    all: {
      summary: `List the ${noun}s.`,
      read({ mounts }) {
        const own = mounts.list().filter(({ path }) => path.startsWith('auth/') === (prefix === 'auth/'));
        const all = own.map((mount) => [mount.path.slice(prefix.length), showMount(mount)] as const);
        return { data: Object.fromEntries(all), copyToTopLevel: true };
      },
    },
    one: {
      summary: `Show, enable or disable the ${noun} at a path; with \`/tune\` after the path, show or change its settings.`,
      fields: { ...mountFields, ...tuneFields },
      read({ mounts }, _request, path) {
        const tuned = tunedPath(path);
        const show = tuned === undefined ? showMount : showTuning;
        return { data: show(findMount(table, mounts, tuned ?? path)), copyToTopLevel: true };
      },
      async write({ mounts }, { data }, path) {
        const tuned = tunedPath(path);
        if (tuned === undefined) await mounts.mount(mountPath(table, path), mountRequest(table, data));
        else await tune(table, mounts, findMount(table, mounts, rejectAuthPath(table, tuned)), data);
      },
      delete: ({ mounts }, _request, path) => mounts.unmount(mountPath(table, path)),
    },
  };
}

/** The path before `/tune`. Mount paths may contain slashes, so the last segment selects the operation. */
function tunedPath(path: string): string | undefined {
  return /^(.+)\/tune$/.exec(path)?.[1];
}

/** Permission to mount engines does not include enabling or disabling auth methods. */
function rejectAuthPath({ prefix }: MountTable, path: string): string {
  if (prefix === '' && path.startsWith('auth/')) {
    throw badRequest(`"${path}/" is the path of an auth method; use sys/auth`);
  }
  return path;
}

function mountPath(table: MountTable, path: string): string {
  return `${table.prefix}${rejectAuthPath(table, path)}/`;
}

function findMount({ prefix, errorNoun }: MountTable, mounts: Mounts, path: string): Mount {
  const mount = mounts.get(`${prefix}${path}/`);
  if (!mount) throw badRequest(`No ${errorNoun} mount at ${path}/`);
  return mount;
}

function mountRequest(table: MountTable, data: EngineRequest['data']): MountRequest {
  const config = readMountConfig(data, kindOf(table));
  return { ...readMountType(data), description: textField(data, 'description'), config };
}

async function tune(
  table: MountTable,
  mounts: Mounts,
  mount: Mount,
  data: EngineRequest['data'],
): Promise<void> {
  const options = mapField(data, 'options');
  if (options && (options.version ?? mount.entry.options?.version) !== mount.entry.options?.version) {
    throw badRequest('the version of a mount cannot be changed; mount the other version at another path');
  }
  const config = readTuning(data, mount.entry.config, kindOf(table));
  await mounts.tune(mount, { config, description: textField(data, 'description'), options });
}

function kindOf({ prefix }: MountTable) {
  return prefix === '' ? 'engine' : 'auth method';
}
