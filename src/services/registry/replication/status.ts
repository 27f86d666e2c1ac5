const never = '0001-01-01T00:00:00Z';

/** The replication status of the primary datacenter (docs/protocol/registry.md#acl-replication-status). */
export const notReplicating = {
  Enabled: false,
  Running: false,
  SourceDatacenter: '',
  ReplicationType: '',
  /** The last replicated index of the primary's policies. */
  ReplicatedIndex: 0,
  ReplicatedRoleIndex: 0,
  ReplicatedTokenIndex: 0,
  LastSuccess: never,
  LastError: never,
  LastErrorMessage: '',
};

export type ReplicationStatus = Readonly<typeof notReplicating>;

/** A time in the status: seconds. */
export function statusTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace(/\.\d+Z$/, 'Z');
}
