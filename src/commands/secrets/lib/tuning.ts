import type { SecretsClient } from '../../../api/secrets.ts';
import type { MountTuning } from '../../../api/secrets-mounts.ts';
import { showWarnings } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import { changesOf, flagFields, flagsOf, unsetFlagFor } from '../../../command/object-flags.ts';
import { confirmWrite, usage } from '../../../errors.ts';
import { tunedFields } from '../../../objects/mount.ts';
import type { ObjectSchema } from '../../../objects/schema.ts';
import { type Change, diff, isEqual, writtenView } from '../../../output/diff.ts';
import { formatDuration, parseDuration } from '../../../wire/duration.ts';
import { describeMissingMount, type MountTable, mountPath } from './mounts.ts';

/** The flags of `tune`. */
export const tuneFlags = (schema: ObjectSchema) => ({
  ...flagsOf(tunedFields(schema)),
  unset: unsetFlagFor(tunedFields(schema)),
});

type SettingValues = Readonly<Record<string, unknown>> & { readonly unset: readonly string[] };

/** The result of `tune`: the settings that changed. */
export async function tuneMount(
  table: MountTable,
  {
    given,
    schema,
    flags,
  }: { readonly given: string; readonly schema: ObjectSchema; readonly flags: SettingValues },
  ctx: Pick<Context, 'api' | 'output'>,
) {
  const path = mountPath(table, given);
  const fields = tunedFields(schema);
  const { config, ...others } = changesOf(fields, flags);
  const settings: MountTuning = { ...others, ...(config as object | undefined) };
  if (Object.keys(settings).length === 0)
    throw usage('missing setting: at least one flag is required', {
      hint: `The flags are ${flagFields(fields)
        .map(({ name }) => `--${name}`)
        .join(', ')}.`,
    });
  const secrets = await ctx.api.secrets();
  const before = await readTuning(table, secrets, path);
  const response = await confirmWrite(
    () =>
      table
        .operations(secrets)
        .tune({ path, ...settings })
        .catch(describeMissingMount(table, path)),
    async () => ({
      done: includes(await readTuning(table, secrets, path), settings),
      found: 'the stored settings differ',
    }),
  );
  showWarnings(ctx.output, response?.body);
  const changes = diff(before, await readTuning(table, secrets, path));
  return {
    data: { path: `${path}/`, changes },
    payload: changes,
    document: writtenView(table.noun, `${path}/`, { created: false, changes: changes.map(withUnits) }),
  };
}

/** A change of a lifetime, which the service has in seconds, as durations. */
function withUnits({ path: names, before, after }: Change): Change {
  const isTtl = names.at(-1)?.endsWith('_ttl') === true;
  const withUnit = (value: unknown): unknown =>
    isTtl && typeof value === 'number' ? formatDuration(value) : value;
  return { path: names, before: withUnit(before), after: withUnit(after) };
}

/** The settings in force. @throws LanyardError not_found */
async function readTuning(table: MountTable, secrets: SecretsClient, path: string) {
  const reading = table.operations(secrets).readTuning({ path });
  return (await reading.catch(describeMissingMount(table, path))).body.data;
}

/** Whether settings in force are those that were sent; lifetimes are stored in seconds. */
function includes(found: Readonly<Record<string, unknown>>, sent: MountTuning): boolean {
  return Object.entries(sent).every(([name, value]) =>
    name.endsWith('_ttl')
      ? parseDuration(String(value)) === found[name]
      : name === 'options'
        ? Object.entries(value as object).every(
            ([option, text]) => (found.options as Record<string, unknown> | undefined)?.[option] === text,
          )
        : isEqual(found[name], value),
  );
}
