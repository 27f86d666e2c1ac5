import { isMountPathTaken, isUnknownMountType } from '../../../api/conditions/secrets.ts';
import type { SecretsClient } from '../../../api/secrets.ts';
import { flag, showWarnings, type Values } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import { confirmWrite, describeAs } from '../../../errors.ts';
import { code, text } from '../../../output/document.ts';
import { compact } from '../../../wire/objects.ts';
import { findMount, type MountTable, mountPath } from './mounts.ts';
import { settingFlags, settingsOf } from './tuning.ts';

/** The flags of `enable` of both tables. */
export const enableFlags = {
  path: flag.name('PATH', 'path of the mount (default: the type)'),
  ...settingFlags,
  local: flag.boolean('do not replicate the mount to other clusters'),
  sealWrap: flag.boolean('encrypt its data with the seal too'),
  pluginVersion: flag.name('VERSION', 'version of the plugin'),
};

type EnableValues = Values<typeof enableFlags> & {
  readonly version?: number | undefined;
  readonly tokenType?: string | undefined;
};

/** The result of `enable`: mounts an engine or auth method. */
export async function enableMount(
  table: MountTable,
  { type, flags }: { readonly type: string; readonly flags: EnableValues },
  ctx: Pick<Context, 'api' | 'output'>,
) {
  const path = mountPath(table, flags.path ?? type);
  const { description, options = {}, ...config } = settingsOf(flags);
  const version = flags.version === undefined ? {} : { version: String(flags.version) };
  const allOptions = { ...options, ...version };
  const request = compact({
    type,
    description,
    options: Object.keys(allOptions).length === 0 ? undefined : allOptions,
    config: Object.keys(config).length === 0 ? undefined : config,
    local: flags.local || undefined,
    seal_wrap: flags.sealWrap || undefined,
    plugin_version: flags.pluginVersion,
  });
  const secrets = await ctx.api.secrets();
  const response = await confirmWrite(
    () =>
      table
        .operations(secrets)
        .enable({ path, ...request })
        .catch(
          describeAs(
            isMountPathTaken,
            'conflict',
            `cannot enable ${table.noun} at "${path}/": path is already in use`,
            { hint: `Run \`lanyard secrets ${table.command} list\`, and select another path with --path.` },
          ),
        )
        .catch(
          describeAs(
            isUnknownMountType,
            'failure',
            `cannot enable ${table.noun}: unknown type "${type}" (400)`,
          ),
        ),
    () => checkEnabled(table, secrets, { path, type, description }),
  );
  if (!response) ctx.output.warn(`the response was lost, but the ${table.noun} is enabled`);
  showWarnings(ctx.output, response?.body);
  return {
    data: { path: `${path}/`, ...request },
    document: [text(`Enabled ${table.noun} `, code(type), ' at ', code(`${path}/`), '.')],
  };
}

async function checkEnabled(
  table: MountTable,
  secrets: SecretsClient,
  sent: { readonly path: string; readonly type: string; readonly description: string | undefined },
) {
  const found = await findMount(table, secrets, sent.path);
  // `kv-v2` is the type `kv` with a version.
  const done =
    found.type === sent.type.replace(/^kv-v[12]$/, 'kv') &&
    (found.description ?? '') === (sent.description ?? '');
  return { done, found: 'the path has another mount' };
}
