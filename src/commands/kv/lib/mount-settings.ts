import type { ServiceResponse } from '../../../api/http/response.ts';
import { showWarnings } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import { confirmWrite, readForChanges } from '../../../errors.ts';
import { kvMetadata } from '../../../objects/kv-settings.ts';
import { fieldOf } from '../../../objects/schema.ts';
import { isEqual, type Written, writtenChanges } from '../../../output/diff.ts';
import { formatDuration, parseDuration } from '../../../wire/duration.ts';

type Settings = Readonly<Record<string, unknown>>;

/** Whether the stored settings equal those sent. Durations are returned in another notation. */
const hasSettings = (sent: object, existing: Settings): boolean => {
  const shown = shownSettings(existing);
  return Object.entries(shownSettings(sent)).every(([name, value]) => isEqual(value, shown[name]));
};

/** Settings for comparisons and for output; those that are not set have no value. */
const shownSettings = (settings: object): Settings =>
  Object.fromEntries(
    Object.entries(settings).flatMap(([name, value]): [string, unknown][] => {
      const property = fieldOf(kvMetadata, name);
      if (!property || property.flag === false) return [];
      const isDuration = property.type === 'duration';
      return [[name, isDuration ? formatDuration(parseDuration(value) ?? 0) : (value ?? undefined)]];
    }),
  );

/**
 * Writes settings; the service keeps those that are not sent.
 *
 * @param settingsAfter the settings that the write changes, with their new values; `before` is undefined if none exist,
 * and null if they cannot be read.
 * @param read the stored settings
 */
export async function changeSettings<Body extends Parameters<typeof showWarnings>[1]>(
  settingsAfter: (before: Settings | null | undefined) => object,
  write: (before: Settings | null | undefined) => Promise<ServiceResponse<Body>>,
  read: () => Promise<{ readonly body: { readonly data: Settings } }>,
  output: Pick<Context['output'], 'warn'>,
): Promise<Written> {
  const readData = async () => (await read()).body.data;
  const before = await readForChanges(readData());
  const sent = settingsAfter(before);
  const response = await confirmWrite(
    () => write(before),
    async () => ({
      done: hasSettings(sent, await readData()),
      found: 'what is stored differs',
    }),
  );
  showWarnings(output, response?.body);
  // What is stored: a product may ignore a setting, or store another value.
  const stored = before && (await readForChanges(readData()));
  return writtenChanges(before && shownSettings(before), shownSettings(stored ?? { ...before, ...sent }));
}
