/** How replication is (docs/protocol/registry.md#acl-replication-status). */
export interface ReplicationStatus {
  readonly Enabled: boolean;
  readonly Running: boolean;
  readonly SourceDatacenter: string;
  readonly ReplicationType: 'tokens' | '';
  /** The last index of the primary's policies that is here. */
  readonly ReplicatedIndex: number;
  readonly ReplicatedRoleIndex: number;
  readonly ReplicatedTokenIndex: number;
  readonly LastSuccess: string;
  readonly LastError: string;
  readonly LastErrorMessage: string;
}

const never = '0001-01-01T00:00:00Z';

/** Of a datacenter that follows none. */
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

/** A time of the status: whole seconds. */
export function statusTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace(/\.\d+Z$/, 'Z');
}
