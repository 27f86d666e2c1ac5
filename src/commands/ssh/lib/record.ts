import { flag } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import type { RecordLocation } from './history/location.ts';
import type { Recorder } from './history/recorder.ts';

/** `--record`: the location as text; it is parsed before the first request. */
export const recordFlag = flag.name(
  'LOCATION',
  'record: registry:PREFIX or secrets:MOUNT/PATH (default: from settings)',
);

/** What a command with `--record` may change, besides what it is for. */
export const recordChanges = ['registry kv', 'kv'] as const;

/**
 * The location of the record: `--record`, or the settings.
 *
 * @throws LanyardError usage: invalid
 */
export async function recordLocation(
  given: string | undefined,
  ctx: Pick<Context, 'profile'>,
): Promise<RecordLocation | undefined> {
  const text = given ?? (await ctx.profile.sshDefaults()).record;
  if (text === undefined) return undefined;
  return (await import('./history/location.ts')).parseRecordLocation(text);
}

/** The recorder of each command: the keys of a batch share one. */
const recorders = new WeakMap<Context, Promise<Recorder | undefined>>();

/**
 * Opens the record before a certificate is requested, if there is one; nothing is loaded or sent without.
 *
 * @param given `--record`.
 * @throws LanyardError usage: an invalid location
 */
export function openRecorder(given: string | undefined, ctx: Context): Promise<Recorder | undefined> {
  const opened = recorders.get(ctx) ?? open(given, ctx);
  recorders.set(ctx, opened);
  return opened;
}

async function open(given: string | undefined, ctx: Context): Promise<Recorder | undefined> {
  const location = await recordLocation(given, ctx);
  if (location === undefined || ctx.output.isDryRun) return undefined;
  return (await import('./history/recorder.ts')).recorder(location, ctx);
}
