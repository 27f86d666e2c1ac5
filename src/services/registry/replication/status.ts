/** The replication status (docs/protocol/registry.md#acl-replication-status). */
export interface ReplicationStatus {
  readonly Enabled: boolean;
  readonly Running: boolean;
  readonly SourceDatacenter: string;
  readonly ReplicationType: 'tokens' | '';
  /** The last replicated index of the primary's policies. */
  readonly ReplicatedIndex: number;
  readonly ReplicatedRoleIndex: number;
  readonly ReplicatedTokenIndex: number;
  readonly LastSuccess: string;
  readonly LastError: string;
  readonly LastErrorMessage: string;
}

const never = '0001-01-01T00:00:00Z';

/** The status of the primary datacenter. */
export const notReplicating: ReplicationStatus = {
  Enabled: false,
  Running: false,
  SourceDatacenter: '',
  ReplicationType: '',
  ReplicatedIndex: 0,
  ReplicatedRoleIndex: 0,
  ReplicatedTokenIndex: 0,
  LastSuccess: never,
  LastError: never,
  LastErrorMessage: '',
};

/** A time in the status: seconds. */
export function statusTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace(/\.\d+Z$/, 'Z');
}
