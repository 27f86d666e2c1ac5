/** The policy language of Nomad, as data: which blocks a policy has, and what they permit. */

/** A block of rules. */
export interface Resource {
  /** The names that it has, as in `namespace "team-*" { ... }`; absent: the block has no name. */
  readonly names?: RegExp;
  /** The values of `policy`. */
  readonly levels: readonly string[];
  /** Without `policy` the block is invalid; absent: `policy` is optional. */
  readonly needsPolicy?: true;
  /** The values of `capabilities`; absent: the block has none. */
  readonly capabilities?: readonly string[];
  /** It may have a block `variables`. */
  readonly hasVariables?: true;
}

const levels = ['deny', 'read', 'write', 'scale'];

/** Capabilities in a namespace, on jobs, allocations, volumes and scaling. */
const namespaceCapabilities = [
  ...['deny', 'list-jobs', 'parse-job', 'read-job', 'submit-job', 'dispatch-job', 'read-logs', 'read-fs'],
  ...['alloc-exec', 'alloc-node-exec', 'alloc-lifecycle', 'sentinel-override'],
  ...['csi-register-plugin', 'csi-write-volume', 'csi-read-volume', 'csi-list-volume', 'csi-mount-volume'],
  ...['host-volume-create', 'host-volume-register', 'host-volume-read', 'host-volume-write'],
  ...['host-volume-delete', 'list-scaling-policies', 'read-scaling-policy', 'read-job-scaling'],
  ...['scale-job', 'submit-recommendation', 'register-job', 'revert-job', 'deregister-job', 'purge-job'],
  ...['evaluate-job', 'plan-job', 'tag-job-version', 'stable-job', 'fail-deployment', 'pause-deployment'],
  ...['promote-deployment', 'unblock-deployment', 'cancel-deployment', 'set-alloc-health-deployment'],
  ...['gc-allocation', 'pause-allocation', 'force-periodic-job', 'delete-service-registration'],
];

/** Capabilities on the variables of a path. */
export const pathCapabilities: readonly string[] = ['list', 'read', 'write', 'destroy', 'deny'];

const volumeNames = /^[a-zA-Z0-9*-]{1,128}$/;

/** The blocks at the top of a policy. */
export const resources: Readonly<Record<string, Resource>> = {
  namespace: {
    names: /^[a-zA-Z0-9*-]{1,128}$/,
    levels,
    capabilities: namespaceCapabilities,
    hasVariables: true,
  },
  node_pool: {
    names: /^[a-zA-Z0-9_*-]{1,128}$/,
    levels,
    capabilities: ['delete', 'deny', 'read', 'write'],
  },
  host_volume: {
    names: volumeNames,
    levels,
    capabilities: ['deny', 'mount-readonly', 'mount-readwrite'],
  },
  agent: { levels, needsPolicy: true },
  node: { levels, needsPolicy: true },
  quota: { levels, needsPolicy: true },
  plugin: { levels: ['deny', 'read', 'list', 'write'], needsPolicy: true },
  operator: {
    levels,
    capabilities: [
      ...['deny', 'snapshot-save', 'license-read'],
      ...['keyring-rotate', 'keyring-read', 'keyring-delete'],
    ],
  },
  sentinel: { levels, capabilities: ['deny', 'sentinel-read', 'sentinel-submit', 'sentinel-delete'] },
};
