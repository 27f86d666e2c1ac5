import type { RegistryClient } from '../../../api/registry.ts';
import { bad, type Document, fields, good, type Span, text, warn } from '../../../output/document.ts';
import { formatTimestamp, relativeTime } from '../../../output/humanize.ts';

export type ReplicationStatus = Awaited<ReturnType<RegistryClient['readReplication']>>['body'];

/** The indexes of the primary; undefined: unknown. */
export interface PrimaryIndexes {
  readonly policies?: number | undefined;
  readonly tokens?: number | undefined;
}

export type ReplicationCondition =
  | { readonly state: 'primary' | 'off' | 'off or primary' | 'stopped' | 'never' | 'failing' }
  | { readonly state: 'healthy'; readonly behind: readonly Behind[] };

/** The lag of a list in indexes; undefined: unknown. */
interface Behind {
  readonly what: 'policies' | 'tokens';
  readonly by: number | undefined;
}

/** Whether replication is enabled but does not work. */
export const isUnhealthy = ({ state }: ReplicationCondition): boolean =>
  ['stopped', 'never', 'failing'].includes(state);

/**
 * Derives the condition from a status (docs/protocol/registry.md#acl-replication-status).
 * @param primary whether the datacenter is the primary; undefined: unknown.
 */
export function replicationCondition(
  status: ReplicationStatus,
  { primary, indexes }: { readonly primary: boolean | undefined; readonly indexes: PrimaryIndexes },
): ReplicationCondition {
  if (!status.Enabled)
    return { state: primary === undefined ? 'off or primary' : primary ? 'primary' : 'off' };
  if (!status.Running) return { state: 'stopped' };
  const success = parseTime(status.LastSuccess);
  const error = parseTime(status.LastError);
  if (error !== undefined && (success === undefined || error > success)) return { state: 'failing' };
  if (success === undefined) return { state: 'never' };
  const policies: Behind = { what: 'policies', by: lagOf(indexes.policies, status.ReplicatedIndex) };
  const tokens: Behind = { what: 'tokens', by: lagOf(indexes.tokens, status.ReplicatedTokenIndex) };
  const isOfTokens = status.ReplicationType === 'tokens';
  return { state: 'healthy', behind: isOfTokens ? [policies, tokens] : [policies] };
}

const lagOf = (primary: number | undefined, replicated: number | undefined): number | undefined =>
  primary === undefined || replicated === undefined ? undefined : Math.max(0, primary - replicated);

/** The time, or undefined for the year 1, which means "never". */
function parseTime(time: string | undefined): Date | undefined {
  const date = new Date(time ?? '');
  return Number.isNaN(date.getTime()) || date.getUTCFullYear() <= 1 ? undefined : date;
}

const sentences: {
  readonly [State in Exclude<ReplicationCondition['state'], 'healthy'>]: readonly (string | Span)[];
} = {
  primary: ['This is the ', good('primary'), ' datacenter; the others replicate from it.'],
  off: [
    'Replication is ',
    warn('not enabled'),
    ' in this datacenter: it uses its cached copy of the ACL data of the primary.',
  ],
  'off or primary': [
    'Replication is not enabled: this is the primary datacenter, or replication is not configured.',
  ],
  stopped: [
    'Replication is enabled but ',
    bad('not running'),
    '. It starts within about 60 seconds after a leader election.',
  ],
  never: ['Replication is running but has ', bad('never succeeded'), '.'],
  failing: ['Replication is ', bad('failing'), ': the last error is more recent than the last success.'],
};

/** The condition as a sentence, and the status fields. */
export function replicationView(
  status: ReplicationStatus,
  condition: ReplicationCondition,
  now: Date,
): Document {
  if (!status.Enabled) return [text(...sentence(condition))];
  const isReplicatingTokens = status.ReplicationType === 'tokens';
  const at = (time: string | undefined): string => {
    const date = parseTime(time);
    return date === undefined
      ? 'never'
      : `${formatTimestamp(date)} (${relativeTime((date.getTime() - now.getTime()) / 1000)})`;
  };
  return [
    text(...sentence(condition)),
    fields([
      ['primary', status.SourceDatacenter ?? ''],
      ['replicates', status.ReplicationType ?? ''],
      ['policies', `up to index ${status.ReplicatedIndex ?? 0}`],
      ['tokens', isReplicatingTokens ? `up to index ${status.ReplicatedTokenIndex ?? 0}` : undefined],
      ['last success', at(status.LastSuccess)],
      ['last error', at(status.LastError)],
      ['error', status.LastErrorMessage || undefined],
    ]),
  ];
}

function sentence(condition: ReplicationCondition): readonly (string | Span)[] {
  if (condition.state !== 'healthy') return sentences[condition.state];
  const behind = condition.behind.filter(({ by }) => by !== undefined && by > 0);
  if (behind.length > 0) {
    const much = behind.map(({ what, by }) => `${what} by ${by}`).join(', ');
    return ['Replication is running but ', warn('lagging'), ` (in indexes): ${much}.`];
  }
  const unknown = condition.behind.filter(({ by }) => by === undefined).map(({ what }) => what);
  if (unknown.length === 0) return ['Replication is ', good('healthy'), ' and up to date.'];
  return [
    'Replication is ',
    good('healthy'),
    `; the lag of ${unknown.join(' and ')} is unknown: the primary did not report it.`,
  ];
}
