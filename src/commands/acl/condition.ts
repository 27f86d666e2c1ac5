import type { RegistryClient } from '../../api/registry.ts';
import { bad, type Document, fields, good, type Span, text, warn } from '../../output/document.ts';
import { moment, until } from '../../output/time.ts';

/** The status of replication as the registry gives it. */
export type Status = Awaited<ReturnType<RegistryClient['readReplication']>>['body'];

/** How far the primary is; undefined: not known. */
export interface Indexes {
  readonly policies?: number | undefined;
  readonly tokens?: number | undefined;
}

/** What the status comes to. */
export type Condition =
  | { readonly state: 'primary' | 'off' | 'off or primary' | 'stopped' | 'never' | 'failing' }
  | { readonly state: 'healthy'; readonly behind: readonly Behind[] };

/** By how much a list lags; undefined: not known. */
interface Behind {
  readonly what: 'policies' | 'tokens';
  readonly by: number | undefined;
}

/** Replication was to work, and does not. */
export const isTrouble = ({ state }: Condition): boolean => ['stopped', 'never', 'failing'].includes(state);

/**
 * Tells a status' condition (docs/protocol/registry.md#acl-replication-status).
 * @param primary is the datacenter the primary one? undefined: not known.
 */
export function conditionOf(
  status: Status,
  { primary, indexes }: { readonly primary: boolean | undefined; readonly indexes: Indexes },
): Condition {
  if (!status.Enabled)
    return { state: primary === undefined ? 'off or primary' : primary ? 'primary' : 'off' };
  if (!status.Running) return { state: 'stopped' };
  const success = timeOf(status.LastSuccess);
  const error = timeOf(status.LastError);
  if (error !== undefined && (success === undefined || error > success)) return { state: 'failing' };
  if (success === undefined) return { state: 'never' };
  const behind = (what: Behind['what'], primaryIs: number | undefined, here: number | undefined): Behind => ({
    what,
    by: primaryIs === undefined || here === undefined ? undefined : Math.max(0, primaryIs - here),
  });
  return {
    state: 'healthy',
    behind: [
      behind('policies', indexes.policies, status.ReplicatedIndex),
      ...(status.ReplicationType === 'tokens'
        ? [behind('tokens', indexes.tokens, status.ReplicatedTokenIndex)]
        : []),
    ],
  };
}

/** The moment, or undefined for the year 1, which stands for "not yet". */
function timeOf(time: string | undefined): Date | undefined {
  const date = new Date(time ?? '');
  return Number.isNaN(date.getTime()) || date.getUTCFullYear() <= 1 ? undefined : date;
}

const sentences: { readonly [State in Exclude<Condition['state'], 'healthy'>]: readonly (string | Span)[] } =
  {
    primary: ['This is the ', good('primary'), ' datacenter: the others replicate from it.'],
    off: [
      'Replication is ',
      warn('not enabled'),
      ' in this datacenter: it uses what it has kept of the access control of the primary.',
    ],
    'off or primary': [
      'Replication is not enabled: either this is the primary datacenter, which replicates from none, or it was not set up.',
    ],
    stopped: [
      'Replication is enabled and ',
      bad('not running'),
      '. After the election of a leader it starts within about 60 seconds.',
    ],
    never: ['Replication is running and has ', bad('never succeeded'), ' yet.'],
    failing: ['Replication is ', bad('failing'), ': the last error is later than the last success.'],
  };

/** The condition in words, and what it was told from. */
export function replicationView(status: Status, condition: Condition, now: Date): Document {
  if (!status.Enabled) return [text(...sentence(condition))];
  const at = (time: string | undefined): string => {
    const date = timeOf(time);
    return date === undefined
      ? 'never'
      : `${moment(date)} (${until((date.getTime() - now.getTime()) / 1000)})`;
  };
  return [
    text(...sentence(condition)),
    fields([
      ['primary', status.SourceDatacenter ?? ''],
      ['replicates', status.ReplicationType ?? ''],
      ['policies', `up to index ${status.ReplicatedIndex ?? 0}`],
      ...(status.ReplicationType === 'tokens'
        ? ([['tokens', `up to index ${status.ReplicatedTokenIndex ?? 0}`]] as const)
        : []),
      ['last success', at(status.LastSuccess)],
      ['last error', at(status.LastError)],
      ...(status.LastErrorMessage ? ([['error', status.LastErrorMessage]] as const) : []),
    ]),
  ];
}

function sentence(condition: Condition): readonly (string | Span)[] {
  if (condition.state !== 'healthy') return sentences[condition.state];
  const lagging = condition.behind.filter(({ by }) => by !== undefined && by > 0);
  if (lagging.length > 0) {
    const much = lagging.map(({ what, by }) => `${what} by ${by}`).join(', ');
    return ['Replication is running and ', warn('lagging'), `, counted in indexes: ${much}.`];
  }
  const unknown = condition.behind.filter(({ by }) => by === undefined).map(({ what }) => what);
  if (unknown.length === 0) return ['Replication is ', good('healthy'), ' and up to date.'];
  return [
    'Replication is ',
    good('healthy'),
    `; how far the ${unknown.join(' and ')} are behind is not known: the primary did not say.`,
  ];
}
