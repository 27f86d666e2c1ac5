import type { RegistryClient } from '../../api/registry.ts';
import { command, flag } from '../../command/command.ts';
import { insteadOf, isFailure, kinds } from '../../errors.ts';
import {
  isUnhealthy,
  type PrimaryIndexes,
  type ReplicationStatus,
  replicationCondition,
  replicationView,
} from './lib/replication-condition.ts';

export default command({
  description:
    'Shows whether a datacenter replicates the ACL data of its primary and how far it lags; the lag requires acl:read in the primary. The exit code is 1 if replication is not running, is failing or has never succeeded.',
  examples: ['lanyard acl replication', 'lanyard acl replication --dc dc2'],
  service: 'registry',
  flags: { dc: flag.datacenter('datacenter') },
  async run({ flags }, ctx) {
    const registry = await ctx.api.registry();
    const dc = flags.dc ?? (await ctx.api.settings('registry')).datacenter;
    const { body } = await registry.readReplication(dc === undefined ? {} : { dc });
    const condition = replicationCondition(body, {
      primary: body.Enabled ? undefined : await isPrimary(registry, dc),
      indexes: await readPrimaryIndexes(registry, body),
    });
    return {
      data: body,
      document: replicationView(body, condition, ctx.system.clock()),
      exitCode: isUnhealthy(condition) ? kinds.failure.code : undefined,
    };
  },
});

/** Whether the datacenter is the primary; undefined: the token lacks permission to find out. */
async function isPrimary(registry: RegistryClient, dc: string | undefined): Promise<boolean | undefined> {
  const agent = await ifPossible(registry.readAgent({}));
  if (agent === undefined) return undefined;
  const { Datacenter, PrimaryDatacenter } = agent.body.Config;
  return PrimaryDatacenter === undefined ? undefined : (dc ?? Datacenter) === PrimaryDatacenter;
}

/** The indexes of the primary; the token index only if tokens are replicated. */
async function readPrimaryIndexes(
  registry: RegistryClient,
  status: ReplicationStatus,
): Promise<PrimaryIndexes> {
  if (!status.Enabled || status.ReplicationType === 'legacy') return {};
  const dc = status.SourceDatacenter ? { dc: status.SourceDatacenter } : {};
  const [policies, tokens] = await Promise.all([
    ifPossible(registry.listPolicies(dc)),
    status.ReplicationType === 'tokens' ? ifPossible(registry.listTokens(dc)) : undefined,
  ]);
  return { policies: indexHeader(policies?.headers), tokens: indexHeader(tokens?.headers) };
}

function indexHeader(headers: Readonly<Record<string, string | undefined>> | undefined): number | undefined {
  const value = headers?.['x-registry-index'] ?? headers?.['x-consul-index'];
  return value === undefined ? undefined : Number(value);
}

/** The result of an optional request; undefined: denied or unavailable. */
const ifPossible = <Answer>(asked: Promise<Answer>) => asked.catch(insteadOf(isFailure, undefined));
