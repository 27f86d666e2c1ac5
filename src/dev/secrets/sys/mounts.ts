import type { Json } from '../../../wire/json.ts';
import type { CoreHandler, CoreRequest, Paths } from '../backend.ts';
import { Refusal } from '../engine.ts';
import { durationField, mapField, textField } from '../fields.ts';
import { duration, object, required, text } from '../help/field.ts';
import type { Mount, MountRequest, Mounts } from '../mounts.ts';

const mountFields = {
  type: required(text('The type of the engine or auth method.')),
  description: text('A human-readable description.'),
  options: object('Options of the type, such as `version` of a key-value engine.'),
  config: object('`default_lease_ttl` and `max_lease_ttl`.'),
};
const tuneFields = {
  description: text('A human-readable description.'),
  options: object('Options of the type; omitted ones are unchanged.'),
  default_lease_ttl: duration('Default lease duration.'),
  max_lease_ttl: duration('Maximum lease duration.'),
};

/**
 * `sys/mounts`, `sys/auth` and the mount lookup that precedes key-value requests
 * (docs/protocol/secrets.md#mounts).
 */
export function mountPaths(paths: Paths, mounts: Mounts): Paths {
  table(paths, mounts, { path: 'mounts', below: '', what: 'secrets engine', missing: 'secret engine' });
  table(paths, mounts, { path: 'auth', below: 'auth/', what: 'auth method', missing: 'auth engine' });
  return paths.on('internal/ui/mounts/*path', 'Show the mount of a path.', {
    read(request, { path = '' }) {
      const found = mounts.resolve(path.split('/'));
      if (!found || !request.caller?.acl.seesBelow(found.mount.path)) {
        throw new Refusal(
          403,
          `preflight capability check returned 403, please ensure client's policies grant access to path "${path}/"`,
        );
      }
      return { data: { path: found.mount.path, ...shown(found.mount) } };
    },
  });
}

interface Table {
  readonly path: 'mounts' | 'auth';
  /** Path prefix of its mounts. */
  readonly below: '' | 'auth/';
  readonly what: string;
  readonly missing: string;
}

/** The two mount tables: of engines, and of auth methods, which are mounted below `auth/`. */
function table(paths: Paths, mounts: Mounts, { path: base, below, what, missing }: Table): void {
  // Permission to mount engines does not include enabling or disabling auth methods.
  const own = (path: string): string => {
    if (base === 'mounts' && path.startsWith('auth/')) {
      throw new Refusal(400, `"${path}/" is the path of an auth method; use sys/auth`);
    }
    return path;
  };
  const find = (path: string): Mount => {
    const mount = mounts.get(`${below}${path}/`);
    if (!mount) throw new Refusal(400, `No ${missing} mount at ${path}/`);
    return mount;
  };
  // Mount paths may contain slashes, so the last segment selects the operation.
  const tuned =
    (
      tune: (request: CoreRequest, path: string) => ReturnType<CoreHandler>,
      plain: CoreHandler,
    ): CoreHandler =>
    (request, params) => {
      const [, path] = /^(.+)\/tune$/.exec(params.path ?? '') ?? [];
      return path === undefined ? plain(request, params) : tune(request, path);
    };
  paths
    .on(base, `List the ${what}s.`, {
      read() {
        const own = mounts.list().filter(({ path }) => path.startsWith('auth/') === (base === 'auth'));
        const all = own.map((mount) => [mount.path.slice(below.length), shown(mount)] as const);
        return { data: Object.fromEntries(all), copied: true };
      },
    })
    .on(
      `${base}/*path`,
      `Show, enable or disable the ${what} at a path; with \`/tune\` after the path, show or change its settings.`,
      {
        read: tuned(
          (_request, path) => ({ data: settings(find(path)), copied: true }),
          (_request, { path = '' }) => ({ data: shown(find(path)), copied: true }),
        ),
        update: tuned(
          async ({ data }, path) => {
            await tune(mounts, find(own(path)), data);
            return undefined;
          },
          async ({ data }, { path = '' }) => {
            await mounts.mount(`${below}${own(path)}/`, mountRequest(data));
            return undefined;
          },
        ),
        async delete(_request, { path = '' }) {
          await mounts.unmount(`${below}${own(path)}/`);
          return undefined;
        },
      },
      { ...mountFields, ...tuneFields },
    );
}

function mountRequest(data: CoreRequest['data']): MountRequest {
  const type = textField(data, 'type');
  if (!type) throw new Refusal(400, 'backend type must be specified as a string');
  const description = textField(data, 'description');
  const options = mapField(data, 'options');
  const version = options?.version;
  if (type === 'kv' && version !== undefined && version !== '1' && version !== '2')
    throw new Refusal(
      400,
      `invalid version ${JSON.stringify(version)} of a key-value engine: expected "1" or "2"`,
    );
  const config = data.config;
  return {
    type,
    ...(description !== undefined && { description }),
    ...(options && { options }),
    ...(typeof config === 'object' && config !== null && !Array.isArray(config) && { config }),
  };
}

async function tune(mounts: Mounts, mount: Mount, data: CoreRequest['data']): Promise<void> {
  const options = mapField(data, 'options');
  if (options && (options.version ?? mount.entry.options?.version) !== mount.entry.options?.version) {
    throw new Refusal(
      400,
      'the version of a mount cannot be changed; mount the other version at another path',
    );
  }
  const config = Object.fromEntries(
    ['default_lease_ttl', 'max_lease_ttl'].flatMap((name) => {
      const seconds = durationField(data, name);
      return seconds === undefined ? [] : [[name, seconds]];
    }),
  );
  const description = textField(data, 'description');
  await mounts.tune(mount, {
    config,
    ...(description !== undefined && { description }),
    ...(options && { options }),
  });
}

function shown({ entry }: Mount): Readonly<Record<string, Json>> {
  return {
    type: entry.type,
    description: entry.description,
    accessor: entry.accessor,
    uuid: entry.uuid,
    options: entry.options,
    config: { ...entry.config },
    local: false,
    seal_wrap: false,
    external_entropy_access: false,
  };
}

function settings({ entry }: Mount): Readonly<Record<string, Json>> {
  return { ...entry.config, description: entry.description, options: entry.options };
}
