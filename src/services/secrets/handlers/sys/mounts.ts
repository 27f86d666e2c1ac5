import type { JsonObject } from '../../../../wire/json.ts';
import * as s from '../../../core/schema/types.ts';
import type { EngineRequest } from '../../engine.ts';
import { badRequest, orBadRequest, SecretsError } from '../../errors.ts';
import {
  changedConfig,
  mountConfig,
  mountType,
  newMountConfig,
  showMountConfig,
  shownConfig,
  showTuning,
  tuning,
} from '../../model/mount-config.ts';
import type { Mount, MountRequest, Mounts } from '../../model/mounts.ts';
import { type InputOf, requireSudo } from '../../resource.ts';
import { copied } from '../../returns.ts';
import { pluginVersion } from '../../views.ts';
import { sysResource } from './context.ts';

/** `sys/mounts`, `sys/auth` and the lookup before key-value requests (docs/protocol/secrets.md#mounts). */

const mountFields = {
  ...s.partial({
    type: s.string('The type of the engine or auth method; required to enable one.'),
    description: s.string('A human-readable description.'),
    options: s.map(s.string(), 'Options of the type, such as `version` of a key-value engine.'),
    ...tuning,
  }),
  config: mountConfig,
};
type MountInput = InputOf<typeof mountFields>;

const shownMount = s.named(
  'Mount',
  s.object({
    type: s.string(),
    description: s.string(),
    accessor: s.string(),
    uuid: s.string(),
    options: s.nullable(s.map(s.string())),
    config: s.object(shownConfig),
    local: s.boolean(),
    seal_wrap: s.boolean(),
    external_entropy_access: s.boolean(),
    plugin_version: s.string(),
    running_plugin_version: s.string(),
    running_sha256: s.string(),
    deprecation_status: s.optional(s.string()),
  }),
);

/** A mount for callers without a token, who see only its type. */
const visibleMount = s.named(
  'VisibleMount',
  s.object({
    ...s.partial(shownMount.fields),
    type: s.string(),
    description: s.string(),
    options: s.nullable(s.map(s.string())),
  }),
);

export const lookUp = sysResource({
  summary: 'Show the mount of a path.',
  returns: { read: s.named('MountAtPath', s.object({ path: s.string(), ...shownMount.fields })) },
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
});

/** Without a token, only the mounts that are listed for everybody; they show no more than their type. */
export const visible = sysResource({
  summary: 'List the mounts that the caller can use.',
  returns: { read: s.object({ auth: s.map(visibleMount), secret: s.map(visibleMount) }) },
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
});

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

function mountTable(table: MountTable) {
  const { prefix, noun } = table;
  return {
    all: sysResource({
      summary: `List the ${noun}s.`,
      returns: { read: copied(s.map(shownMount)) },
      read({ mounts, version }) {
        const own = mounts.list().filter(isIn(prefix));
        const all = own.map((mount) => [mount.path.slice(prefix.length), showMount(mount, version)] as const);
        return { data: Object.fromEntries(all) };
      },
    }),
    one: sysResource({
      summary: `Show, enable or disable the ${noun} at a path; with \`/tune\` after the path, show or change its settings.`,
      fields: mountFields,
      returns: { read: copied(s.object({ ...s.partial(shownMount.fields), ...s.partial(shownConfig) })) },
      read({ mounts, version }, request, path) {
        if (prefix !== '') requireSudo(request, `sys/auth/${path}`);
        const tuned = tunedPath(path);
        const mount = findMount(table, mounts, tuned ?? path);
        return { data: tuned === undefined ? showMount(mount, version) : showTuning(mount) };
      },
      async write({ mounts }, request, path) {
        if (prefix !== '') requireSudo(request, `sys/auth/${path}`);
        const { input, data } = request;
        const tuned = tunedPath(path);
        if (tuned !== undefined) return tune(mounts, findMount(table, mounts, tuned), input, data);
        await mounts.mount(mountPath(table, path), mountRequest(table, input));
        return undefined;
      },
      async delete({ mounts }, request, path) {
        if (prefix !== '') requireSudo(request, `sys/auth/${path}`);
        if (prefix !== '' && path === 'token')
          throw badRequest('token credential backend cannot be disabled');
        await mounts.unmount(mountPath(table, path));
      },
    }),
  };
}

/** The path before `/tune`. Mount paths may contain slashes, so the last segment selects the operation. */
function tunedPath(path: string): string | undefined {
  return /^(.+)\/tune$/.exec(path)?.[1];
}

/** Permission to mount engines does not include enabling or disabling auth methods. */
function rejectAuthPath({ prefix }: MountTable, path: string): string {
  if (prefix === '' && path.startsWith('auth/'))
    throw badRequest(`"${path}/" is the path of an auth method; use sys/auth`);
  return path;
}

function mountPath(table: MountTable, path: string): string {
  return `${table.prefix}${rejectAuthPath(table, path)}/`;
}

const findMount = ({ prefix, errorNoun }: MountTable, mounts: Mounts, path: string): Mount =>
  orBadRequest(mounts.get(`${prefix}${path}/`), `No ${errorNoun} mount at ${path}/`);

function mountRequest(table: MountTable, { type, description, options, config }: MountInput): MountRequest {
  return {
    ...mountType(type, options),
    description,
    config: newMountConfig(config, table.prefix === '' ? 'engine' : 'auth method'),
  };
}

/** `sys/mounts/auth/:path/tune` changes the settings of an auth method too. */
async function tune(mounts: Mounts, mount: Mount, input: MountInput, data: EngineRequest['data']) {
  const isAuth = mount.path.startsWith('auth/');
  if (mount.isBuiltIn && !isAuth) {
    const [name = 'default_lease_ttl'] = ['description', 'options', ...Object.keys(tuning)].filter((each) =>
      Object.hasOwn(data, each),
    );
    throw badRequest(`cannot tune parameter ${name} of ${mount.path}`);
  }
  const { options, description } = input;
  const upgrades = isUpgrade(mount, options?.version);
  const config = changedConfig(input, mount.entry.config, isAuth ? 'auth method' : 'engine');
  await mounts.tune(mount, { config, description, options }, upgrades);
  return upgrades ? { warnings: ['Upgraded mount from version 1 to version 2.'] } : undefined;
}

/** Whether a key-value mount changes from version 1 to 2. @throws SecretsError 400: another change of version */
function isUpgrade({ entry, backend }: Mount, requested: string | undefined): boolean {
  const version = entry.options?.version ?? (backend.upgrade && '1');
  if (requested === undefined || requested === version) return false;
  if (!backend.upgrade)
    throw badRequest('the version of a mount cannot be changed; mount the other version at another path');
  if (requested === '1') throw badRequest(`cannot downgrade mount from version ${version}`);
  if (requested !== '2') throw badRequest(`invalid version provided: ${requested}`);
  return true;
}

/** @param version of the service, which has all engines built in */
function showMount(mount: Mount, version: string): JsonObject {
  const { entry, isBuiltIn } = mount;
  return {
    type: entry.type,
    description: entry.description,
    accessor: entry.accessor,
    uuid: entry.uuid,
    options: entry.options ?? (isBuiltIn ? null : {}),
    config: showMountConfig(mount),
    local: entry.type === 'cubbyhole',
    seal_wrap: entry.type === 'system',
    external_entropy_access: false,
    plugin_version: '',
    running_plugin_version: pluginVersion(version),
    running_sha256: '',
    ...(!isBuiltIn && { deprecation_status: 'supported' }),
  };
}
