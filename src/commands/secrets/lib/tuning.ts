import type { SecretsClient } from '../../../api/secrets.ts';
import type { MountTuning } from '../../../api/secrets-mounts.ts';
import { flag, showWarnings, toKebabCase, type Values } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import { confirmWrite, usage } from '../../../errors.ts';
import { type Change, diff, isEqual, writtenView } from '../../../output/diff.ts';
import { formatDuration, parseDuration } from '../../../wire/duration.ts';
import { compact } from '../../../wire/objects.ts';
import { describeMissingMount, type MountTable, mountPath } from './mounts.ts';

/** The flags of the settings of a mount. */
export const settingFlags = {
  description: flag.text('TEXT', 'description'),
  defaultLeaseTtl: flag.duration('default lease duration (0: system default)'),
  maxLeaseTtl: flag.duration('maximum lease duration (0: system default)'),
  listingVisibility: flag.choice(['hidden', 'unauth'], 'whether the path is listed without a token', {
    empty: 'hidden',
  }),
  option: flag.map('K=V', 'option of the type; repeatable', { aliases: ['options'] }),
  auditNonHmacRequestKeys: flag.list('NAME', 'request fields that audit devices do not hash', {
    aliases: ['audit-non-hmac-request-key'],
  }),
  auditNonHmacResponseKeys: flag.list('NAME', 'response fields that audit devices do not hash', {
    aliases: ['audit-non-hmac-response-key'],
  }),
  passthroughRequestHeaders: flag.list('NAME', 'request headers to pass to the plugin'),
  allowedResponseHeaders: flag.list('NAME', 'response headers that the plugin may set'),
} as const;

const { option: _, ...resettable } = settingFlags;
/** The flags that `--unset` resets; an option cannot be removed. */
export const tunedFlags = resettable;

/** The flag of auth methods for the tokens of their logins. */
export const tokenTypeFlag = {
  tokenType: flag.choice(
    ['default-service', 'default-batch', 'service', 'batch'],
    'type of the tokens of its logins',
    { empty: 'default-service' },
  ),
} as const;

type SettingValues = Values<typeof settingFlags> & { readonly tokenType?: string | undefined };

const settingNames = [...Object.keys(settingFlags), 'tokenType'];

/** The settings that flags give, by the names of the service. */
export const settingsOf = (flags: SettingValues): MountTuning =>
  compact({
    description: flags.description,
    options: flags.option,
    default_lease_ttl: flags.defaultLeaseTtl,
    max_lease_ttl: flags.maxLeaseTtl,
    listing_visibility: flags.listingVisibility,
    audit_non_hmac_request_keys: flags.auditNonHmacRequestKeys,
    audit_non_hmac_response_keys: flags.auditNonHmacResponseKeys,
    passthrough_request_headers: flags.passthroughRequestHeaders,
    allowed_response_headers: flags.allowedResponseHeaders,
    token_type: flags.tokenType,
  });

/** The result of `tune`: the settings that changed. */
export async function tuneMount(
  table: MountTable,
  { given, flags }: { readonly given: string; readonly flags: SettingValues },
  ctx: Pick<Context, 'api' | 'output'>,
) {
  const path = mountPath(table, given);
  const settings = settingsOf(flags);
  if (Object.keys(settings).length === 0)
    throw usage('missing setting: at least one flag is required', {
      hint: `The flags are ${settingNames
        .filter((name) => table.command === 'auth' || name !== 'tokenType')
        .map((name) => `--${toKebabCase(name)}`)
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
