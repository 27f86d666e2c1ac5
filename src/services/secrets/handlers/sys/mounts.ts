import type { Json } from '../../../../wire/json.ts';
import type { CoreHandler, CoreRequest, Paths } from '../../backend.ts';
import { SecretsError } from '../../engine.ts';
import { durationField, mapField, textField } from '../../fields.ts';
import { duration, object, required, text } from '../../help/field.ts';
import type { Mount, MountRequest, Mounts } from '../../model/mounts.ts';

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
  mountTablePaths(paths, mounts, {
    path: 'mounts',
    prefix: '',
    noun: 'secrets engine',
    errorNoun: 'secret engine',
  });
  mountTablePaths(paths, mounts, {
    path: 'auth',
    prefix: 'auth/',
    noun: 'auth method',
    errorNoun: 'auth engine',
  });
  return paths.on('internal/ui/mounts/*path', 'Show the mount of a path.', {
    read(request, { path = '' }) {
      const match = mounts.resolve(path.split('/'));
      if (!match || !request.caller?.acl.canSeePrefix(match.mount.path)) {
        throw new SecretsError(
          403,
          `preflight capability check returned 403, please ensure client's policies grant access to path "${path}/"`,
        );
      }
      return { data: { path: match.mount.path, ...showMount(match.mount) } };
    },
  });
}

interface MountTable {
  readonly path: 'mounts' | 'auth';
  /** Path prefix of its mounts. */
  readonly prefix: '' | 'auth/';
  readonly noun: string;
  readonly errorNoun: string;
}

/** The two mount tables: of engines, and of auth methods, which are mounted below `auth/`. */
function mountTablePaths(
  paths: Paths,
  mounts: Mounts,
  { path: base, prefix, noun, errorNoun }: MountTable,
): void {
  // Permission to mount engines does not include enabling or disabling auth methods.
  const own = (path: string): string => {
    if (base === 'mounts' && path.startsWith('auth/')) {
      throw new SecretsError(400, `"${path}/" is the path of an auth method; use sys/auth`);
    }
    return path;
  };
  const find = (path: string): Mount => {
    const mount = mounts.get(`${prefix}${path}/`);
    if (!mount) throw new SecretsError(400, `No ${errorNoun} mount at ${path}/`);
    return mount;
  };
  // Mount paths may contain slashes, so the last segment selects the operation.
  const withTune =
    (
      tune: (request: CoreRequest, path: string) => ReturnType<CoreHandler>,
      otherwise: CoreHandler,
    ): CoreHandler =>
    (request, params) => {
      const [, path] = /^(.+)\/tune$/.exec(params.path ?? '') ?? [];
      return path === undefined ? otherwise(request, params) : tune(request, path);
    };
  paths
    .on(base, `List the ${noun}s.`, {
      read() {
        const own = mounts.list().filter(({ path }) => path.startsWith('auth/') === (base === 'auth'));
        const all = own.map((mount) => [mount.path.slice(prefix.length), showMount(mount)] as const);
        return { data: Object.fromEntries(all), copyToTopLevel: true };
      },
    })
    .on(
      `${base}/*path`,
      `Show, enable or disable the ${noun} at a path; with \`/tune\` after the path, show or change its settings.`,
      {
        read: withTune(
          (_request, path) => ({ data: showTuning(find(path)), copyToTopLevel: true }),
          (_request, { path = '' }) => ({ data: showMount(find(path)), copyToTopLevel: true }),
        ),
        update: withTune(
          async ({ data }, path) => {
            await tune(mounts, find(own(path)), data);
            return undefined;
          },
          async ({ data }, { path = '' }) => {
            await mounts.mount(`${prefix}${own(path)}/`, mountRequest(data));
            return undefined;
          },
        ),
        async delete(_request, { path = '' }) {
          await mounts.unmount(`${prefix}${own(path)}/`);
          return undefined;
        },
      },
      { ...mountFields, ...tuneFields },
    );
}

function mountRequest(data: CoreRequest['data']): MountRequest {
  const type = textField(data, 'type');
  if (!type) throw new SecretsError(400, 'backend type must be specified as a string');
  const description = textField(data, 'description');
  const options = mapField(data, 'options');
  const version = options?.version;
  if (type === 'kv' && version !== undefined && version !== '1' && version !== '2')
    throw new SecretsError(
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
    throw new SecretsError(
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

function showMount({ entry }: Mount): Readonly<Record<string, Json>> {
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

function showTuning({ entry }: Mount): Readonly<Record<string, Json>> {
  return { ...entry.config, description: entry.description, options: entry.options };
}
