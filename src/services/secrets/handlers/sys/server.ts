import * as s from '../../../core/schema/types.ts';
import { badRequest, notFound, orBadRequest } from '../../errors.ts';
import { requireSudo } from '../../resource.ts';
import { copied, keys, nothing, rejected } from '../../returns.ts';
import { pluginVersion } from '../../views.ts';
import { type SysContext, sysResource } from './context.ts';

/** `sys/` of the root namespace: the service itself (docs/protocol/secrets.md#the-service-itself). */

export const versionHistory = sysResource({
  summary: 'List the versions of the program that this data was used with.',
  returns: {
    list: keys({
      key_info: s.map(
        s.object({
          timestamp_installed: s.time(),
          previous_version: s.nullable(s.string()),
          commit_date: s.string(),
        }),
      ),
    }),
  },
  list({ versions }) {
    const all = versions.all().map(([version, { installed, previous }]) => {
      return [
        version,
        { timestamp_installed: installed, previous_version: previous, commit_date: '' },
      ] as const;
    });
    return { data: { keys: all.map(([version]) => version), key_info: Object.fromEntries(all) } };
  },
});

export const keyStatus = sysResource({
  summary: 'Show the key that the stored values are encrypted with.',
  returns: { read: copied(s.object({ term: s.integer(), install_time: s.string() })) },
  read({ versions }) {
    // The key is made with the data, and never replaced.
    const [first] = versions.all();
    return { data: { term: 1, install_time: first?.[1].installed ?? '' } };
  },
});

/** Always rejected: there is one encryption key, and the unseal keys cannot change. */
export const rotation = sysResource({
  summary: 'Rejected: keys cannot be rotated.',
  returns: { read: rejected, write: rejected, delete: rejected },
  read: rejectRotation,
  write: rejectRotation,
  delete: rejectRotation,
});

function rejectRotation(): never {
  throw badRequest('key rotation is not supported');
}

export const haStatus = sysResource({
  summary: 'Show the nodes of the cluster: this one.',
  returns: {
    read: copied(
      s.object({
        nodes: s.list(
          s.object({
            hostname: s.string(),
            api_address: s.string(),
            cluster_address: s.string(),
            active_node: s.boolean(),
            last_echo: nothing,
            version: s.string(),
          }),
        ),
      }),
    ),
  },
  read({ version }) {
    const node = { hostname: 'localhost', api_address: '', cluster_address: '', active_node: true };
    return { data: { nodes: [{ ...node, last_echo: null, version }] } };
  },
});

export const stepDown = sysResource({
  summary: 'Do nothing: a cluster of one node stays active.',
  async write(_context, request) {
    requireSudo(request, 'sys/step-down');
  },
});

/** `sys/seal`; unsealing requires no token (service-state.ts). */
export const seal = sysResource({
  summary: 'Seal the service.',
  write(context, request) {
    requireSudo(request, 'sys/seal');
    context.seal();
    return undefined;
  },
});

/** The plugins by the names of the product. */
function catalog({ types }: SysContext) {
  return { auth: [...types.auth].sort(), database: [], secret: [...types.secret].sort() };
}

const names = s.list(s.string());
const builtInFields = { builtin: s.boolean(), deprecation_status: s.string(), version: s.string() };

export const plugins = sysResource({
  summary: 'List the engines and auth methods; all are built in.',
  returns: {
    read: s.object({
      auth: names,
      database: names,
      secret: names,
      detailed: s.list(s.object({ name: s.string(), type: s.string(), ...builtInFields })),
    }),
  },
  read(context) {
    const all = catalog(context);
    const detailed = Object.entries(all).flatMap(([type, names]) =>
      names.map((name) => ({ name, type, ...builtIn(context) })),
    );
    return { data: { ...all, detailed } };
  },
});

export const plugin = sysResource({
  summary: 'List the engines or auth methods, or show one.',
  returns: {
    read: s.object({
      name: s.string(),
      ...builtInFields,
      args: nothing,
      command: s.string(),
      declarative: s.boolean(),
      oci: s.boolean(),
      sha256: s.string(),
    }),
    list: keys(),
    write: rejected,
    delete: rejected,
  },
  list(context, request, path) {
    requireSudo(request, `sys/plugins/catalog/${path}/`);
    const names = Object.entries(catalog(context)).find(([type]) => type === path)?.[1];
    return { data: { keys: orBadRequest(names, `unsupported plugin type ${JSON.stringify(path)}`) } };
  },
  read(context, request, path) {
    requireSudo(request, `sys/plugins/catalog/${path}`);
    const [type = '', name = ''] = path.split('/');
    const names: readonly string[] =
      Object.entries(catalog(context)).find(([each]) => each === type)?.[1] ?? [];
    if (!names.includes(name)) throw notFound();
    const external = { args: null, command: '', declarative: false, oci: false, sha256: '' };
    return { data: { name, ...builtIn(context), ...external } };
  },
  write: rejectPlugin,
  delete: rejectPlugin,
});

const builtIn = ({ version }: SysContext) => ({
  builtin: true,
  deprecation_status: 'supported',
  version: pluginVersion(version),
});

function rejectPlugin(): never {
  throw badRequest('plugins are not supported');
}
