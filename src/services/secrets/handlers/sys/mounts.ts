import type { JsonObject } from '../../../core/http/fields.ts';
import { type EngineRequest, type EngineResponse, SecretsError } from '../../engine.ts';
import { badRequest } from '../../errors.ts';
import { mapField, textField } from '../../fields.ts';
import { list, object, required, text } from '../../help/field.ts';
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
  default_lease_ttl: text('Default lease duration. Seconds, or a duration such as `1h30m`.'),
  max_lease_ttl: text('Maximum lease duration. Seconds, or a duration such as `1h30m`.'),
  listing_visibility: text('`hidden` or `unauth`.'),
  token_type: text('Auth methods: `default-service`, `default-batch`, `service` or `batch`.'),
  audit_non_hmac_request_keys: list('Request fields that audit devices do not hash.'),
  audit_non_hmac_response_keys: list('Response fields that audit devices do not hash.'),
  passthrough_request_headers: list('Request headers to pass to the engine.'),
  allowed_response_headers: list('Response headers that the engine may set.'),
};

export const lookUp: Resource<SysContext> = {
  summary: 'Show the mount of a path.',
  read({ mounts, version }, { caller }, path) {
    const match = mounts.resolve(path.split('/'));
    if (!match || !caller?.acl.canSeePrefix(match.mount.path)) {
      throw new SecretsError(
        403,
        `preflight capability check returned 403, please ensure client's policies grant access to path "${path}/"`,
      );
    }
    return { data: { path: match.mount.path, ...showMount(match.mount, version) } };
  },
};

/** Without a token, only the mounts that are listed for everybody; they show no more than their type. */
export const visible: Resource<SysContext> = {
  summary: 'List the mounts that the caller can use.',
  read({ mounts, version }, { caller }) {
    const show = (mount: Mount): JsonObject => {
      if (caller) return showMount(mount, version);
      const { type, description, options } = mount.entry;
      return { type, description, options: options ?? {} };
    };
    const all = mounts.list().filter(({ path, entry }) => {
      return caller ? caller.acl.canSeePrefix(path) : entry.config.listing_visibility === 'unauth';
    });
    const tableOf = (prefix: MountTable['prefix']) =>
      Object.fromEntries(
        all.filter(isIn(prefix)).map((mount) => [mount.path.slice(prefix.length), show(mount)]),
      );
    return { data: { auth: tableOf('auth/'), secret: tableOf('') } };
  },
};

/** One of the two mount tables. */
interface MountTable {
  /** Path prefix of its mounts. */
  readonly prefix: '' | 'auth/';
  readonly noun: string;
  readonly errorNoun: string;
}

const isIn =
  (prefix: MountTable['prefix']) =>
  ({ path }: Mount): boolean =>
    path.startsWith('auth/') === (prefix === 'auth/');

export const engines = mountTable({ prefix: '', noun: 'secrets engine', errorNoun: 'secret engine' });
export const authMethods = mountTable({ prefix: 'auth/', noun: 'auth method', errorNoun: 'auth engine' });

function mountTable(table: MountTable): { readonly [each in 'all' | 'one']: Resource<SysContext> } {
  const { prefix, noun } = table;
  return {
    all: {
      summary: `List the ${noun}s.`,
      read({ mounts, version }) {
        const own = mounts.list().filter(isIn(prefix));
        const all = own.map((mount) => [mount.path.slice(prefix.length), showMount(mount, version)] as const);
        return { data: Object.fromEntries(all), copyToTopLevel: true };
      },
    },
    one: {
      summary: `Show, enable or disable the ${noun} at a path; with \`/tune\` after the path, show or change its settings.`,
      fields: { ...mountFields, ...tuneFields },
      read({ mounts, version }, request, path) {
        if (prefix !== '') requireSudo(request, `sys/auth/${path}`);
        const tuned = tunedPath(path);
        const mount = findMount(table, mounts, tuned ?? path);
        const data = tuned === undefined ? showMount(mount, version) : showTuning(mount);
        return { data, copyToTopLevel: true };
      },
      async write({ mounts }, request, path) {
        if (prefix !== '') requireSudo(request, `sys/auth/${path}`);
        const { data } = request;
        const tuned = tunedPath(path);
        if (tuned !== undefined) return tune(mounts, findMount(table, mounts, tuned), data);
        await mounts.mount(mountPath(table, path), mountRequest(table, data));
        return undefined;
      },
      async delete({ mounts }, request, path) {
        if (prefix !== '') requireSudo(request, `sys/auth/${path}`);
        if (prefix !== '' && path === 'token')
          throw badRequest('token credential backend cannot be disabled');
        await mounts.unmount(mountPath(table, path));
      },
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
  const config = readMountConfig(data, table.prefix === '' ? 'engine' : 'auth method');
  return { ...readMountType(data), description: textField(data, 'description'), config };
}

/** `sys/mounts/auth/:path/tune` changes the settings of an auth method too. */
async function tune(
  mounts: Mounts,
  mount: Mount,
  data: EngineRequest['data'],
): Promise<EngineResponse | undefined> {
  const isAuth = mount.path.startsWith('auth/');
  if (mount.isBuiltIn && !isAuth) {
    const [name = 'default_lease_ttl'] = Object.keys(tuneFields).filter((each) => Object.hasOwn(data, each));
    throw badRequest(`cannot tune parameter ${name} of ${mount.path}`);
  }
  const options = mapField(data, 'options');
  const upgrades = isUpgrade(mount, options?.version);
  const config = readTuning(data, mount.entry.config, isAuth ? 'auth method' : 'engine');
  await mounts.tune(mount, { config, description: textField(data, 'description'), options }, upgrades);
  return upgrades ? { warnings: ['Upgraded mount from version 1 to version 2.'] } : undefined;
}

/** Whether a key-value mount changes from version 1 to 2. @throws SecretsError 400: another change of version */
function isUpgrade({ entry, backend }: Mount, requested: string | undefined): boolean {
  const version = entry.options?.version ?? (backend.upgrade && '1');
  if (requested === undefined || requested === version) return false;
  if (!backend.upgrade) {
    throw badRequest('the version of a mount cannot be changed; mount the other version at another path');
  }
  if (requested === '1') throw badRequest(`cannot downgrade mount from version ${version}`);
  if (requested !== '2') throw badRequest(`invalid version provided: ${requested}`);
  return true;
}
