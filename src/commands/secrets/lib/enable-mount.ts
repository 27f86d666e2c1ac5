import { isMountPathTaken, isUnknownMountType } from '../../../api/conditions/secrets.ts';
import type { SecretsClient } from '../../../api/secrets.ts';
import { flag, showWarnings } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import { flagsOf, givenFields } from '../../../command/object-flags.ts';
import { confirmWrite, describeAs } from '../../../errors.ts';
import type { ObjectSchema } from '../../../objects/schema.ts';
import { code, text } from '../../../output/document.ts';
import { compact } from '../../../wire/objects.ts';
import { findMount, type MountTable, mountPath } from './mounts.ts';

/** The flags of `enable`. */
export const enableFlags = (schema: ObjectSchema) => ({
  path: flag.name('PATH', 'path of the mount (default: the type)'),
  ...flagsOf(schema),
});

type EnableValues = Readonly<Record<string, unknown>> & {
  readonly path?: string | undefined;
  readonly version?: number | undefined;
};

/** The result of `enable`: mounts an engine or auth method. */
export async function enableMount(
  table: MountTable,
  {
    type,
    schema,
    flags,
  }: { readonly type: string; readonly schema: ObjectSchema; readonly flags: EnableValues },
  ctx: Pick<Context, 'api' | 'output'>,
) {
  const path = mountPath(table, flags.path ?? type);
  const { description, options: stated, ...rest } = givenFields(schema, flags);
  const version = flags.version === undefined ? {} : { version: String(flags.version) };
  const options = { ...(stated as Readonly<Record<string, string>> | undefined), ...version };
  const request = compact({
    type,
    description: description as string | undefined,
    options: Object.keys(options).length === 0 ? undefined : options,
    ...rest,
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
    () => checkEnabled(table, secrets, { path, type, description: request.description }),
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
