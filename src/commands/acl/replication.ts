import type { RegistryClient } from '../../api/registry.ts';
import { command, flag } from '../../command.ts';
import { kinds, LanyardError } from '../../errors.ts';
import { conditionOf, type Indexes, isTrouble, replicationView, type Status } from './condition.ts';

export default command({
  description:
    'Says whether a datacenter follows the access control of its primary, and how far it is behind. How far can be told with a token that may read policies and tokens in the primary (acl:read). The exit code is 1 when replication is not running, fails, or never succeeded.',
  examples: ['lanyard acl replication', 'lanyard acl replication --dc dc2'],
  service: 'registry',
  args: {},
  flags: { dc: flag.datacenter('ask this datacenter') },
  async run({ flags }, ctx) {
    const registry = await ctx.api.registry();
    const dc = flags.dc ?? (await ctx.api.settings('registry')).datacenter;
    const { body } = await registry.readReplication(dc === undefined ? {} : { dc });
    const condition = conditionOf(body, {
      primary: body.Enabled ? undefined : await isPrimary(registry, dc),
      indexes: await indexesOf(registry, body),
    });
    return {
      data: body,
      document: replicationView(body, condition, ctx.clock()),
      ...(isTrouble(condition) ? { exitCode: kinds.failure.code } : {}),
    };
  },
});

/** Is that datacenter the one that the others follow? Undefined: the token may not know. */
async function isPrimary(registry: RegistryClient, dc: string | undefined): Promise<boolean | undefined> {
  const agent = await permitted(() => registry.readAgent({}));
  if (agent === undefined) return undefined;
  const { Datacenter, PrimaryDatacenter } = agent.body.Config;
  return PrimaryDatacenter === undefined ? undefined : (dc ?? Datacenter) === PrimaryDatacenter;
}

/** How far the primary is. Its list of tokens is of no interest while policies alone are replicated. */
async function indexesOf(registry: RegistryClient, status: Status): Promise<Indexes> {
  if (!status.Enabled || status.ReplicationType === 'legacy') return {};
  const dc = status.SourceDatacenter ? { dc: status.SourceDatacenter } : {};
  const [policies, tokens] = await Promise.all([
    permitted(() => registry.listPolicies(dc)),
    status.ReplicationType === 'tokens' ? permitted(() => registry.listTokens(dc)) : undefined,
  ]);
  return { policies: indexIn(policies?.headers), tokens: indexIn(tokens?.headers) };
}

function indexIn(headers: Readonly<Record<string, string | undefined>> | undefined): number | undefined {
  const value = headers?.['x-registry-index'] ?? headers?.['x-consul-index'];
  return value === undefined ? undefined : Number(value);
}

/** What is asked beside the point may be denied, or out of reach. */
async function permitted<Answer>(ask: () => Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof LanyardError && error.kind !== 'interrupted') return undefined;
    throw error;
  }
}
