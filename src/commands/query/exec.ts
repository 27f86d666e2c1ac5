import { hasStatus } from '../../api/conditions/any.ts';
import type { RegistryClient } from '../../api/registry.ts';
import type { Execution } from '../../api/registry-queries.ts';
import { command, flag } from '../../command/command.ts';
import { readParameters } from '../../command/consistency-flags.ts';
import { isWatching, watchFlags } from '../../command/watch-flags.ts';
import { unlessNotFound } from '../../errors.ts';
import { raw } from '../../output/document.ts';
import type { Result } from '../../output/result.ts';
import { showChanges } from '../../watch/show-changes.ts';
import type { Source } from '../../watch/watch.ts';
import { formatJson } from '../../wire/json.ts';
import { type ExportFormat, exportAs, exportFormats } from './lib/export-formats.ts';
import { queryArg, queryNotFoundError, readFlags } from './lib/find-query.ts';
import { type Instance, instancesView } from './lib/views.ts';

export default command({
  description:
    'QUERY is a name, an ID, or a name that matches a template. Without instances the output is empty and the exit code is 0; a note reports this, and failovers to another datacenter. --format hosts and ssh-config list node names and addresses; addr (ADDRESS:PORT) and prometheus-sd (for file_sd_configs) list the address of the service, else of the node.',
  examples: [
    'lanyard query exec geo-db --near _agent --limit 1 --format addr',
    'lanyard query exec fleet --format ssh-config > ~/.ssh/fleet.conf',
    'lanyard query exec web --format prometheus-sd --out targets.json',
    'lanyard query exec geo-db --watch --interval 2s',
  ],
  service: 'registry',
  hasTextFormats: true,
  args: { query: queryArg },
  flags: {
    near: flag.text('NODE', 'sort by distance from this node, _agent or _ip (the client address)', {
      completes: 'registry-node',
    }),
    limit: flag.integer('N', 'maximum number of instances (0: unlimited)'),
    connect: flag.boolean('only mesh-capable instances'),
    format: flag.choice(exportFormats, 'print in the format of another program instead of text'),
    ...readFlags,
    ...watchFlags,
  },
  async run({ args, flags }, ctx) {
    const consistency = readParameters(flags);
    const execute = (registry: RegistryClient) =>
      registry
        .executeQuery({
          query: args.query,
          ...consistency,
          near: flags.near,
          limit: flags.limit,
          connect: flags.connect ? true : undefined,
        })
        .catch(queryNotFoundError(args.query))
        .catch(describeError);
    if (isWatching(flags, { format: flags.format })) {
      const registry = await ctx.api.registry({ retries: 0 });
      const source = executionSource(() => execute(registry), flags.near !== undefined);
      return showChanges(ctx, source, flags, {
        result: executionResult,
        absent: `prepared query "${args.query}" does not exist`,
      });
    }
    const { body } = await execute(await ctx.api.registry());
    const noteworthy = unusualFields(body);
    if (noteworthy !== undefined) ctx.output.note(noteworthy);
    const result = executionResult(body);
    if (flags.format === undefined) return result;
    return { ...result, document: [raw(exportInstances(flags.format, shownInstances(body), ctx.output))] };
  },
});

function executionResult(body: Execution): Result<Execution> {
  const instances = body.Nodes ?? [];
  return {
    data: body,
    payload: instances,
    rows: instances,
    isTabular: true,
    document: instancesView(shownInstances(body)),
  };
}

/** A node set by a transaction may lack a datacenter; the response names the agent's datacenter. */
const shownInstances = ({ Nodes, Datacenter }: Execution): readonly Instance[] =>
  (Nodes ?? []).map((each) => ({ ...each, Datacenter: each.Datacenter || Datacenter }));

/**
 * Watches the result of a query. An execution is no blocking query, and without `near` the order of its instances is
 * random.
 */
const executionSource = (
  execute: () => Promise<{ readonly body: Execution }>,
  isSorted: boolean,
): Source<Execution> => ({
  isEmpty: (body) => (body?.Nodes ?? []).length === 0,
  comparable: ({ Nodes, Service, Datacenter, PeerName, Failovers }) => {
    const instances = (Nodes ?? []).map((each) => formatJson(each));
    return { Service, Datacenter, PeerName, Failovers, instances: isSorted ? instances : instances.sort() };
  },
  read: async () => ({ value: await unlessNotFound(execute()) }),
});

/** Explains a denied request: a query with its own token runs with it, and the response does not say which was denied. */
function describeError(error: unknown): never {
  if (!hasStatus(error, 401, 403)) throw error;
  const cause = 'A query with its own token is executed with it; that token may lack the permission.';
  throw error.withHint(`${cause} ${error.hint ?? ''}`.trim());
}

/**
 * A note for an unexpected result: no instances, or instances of another datacenter or peer. The specification does not
 * define whether the response or each of its nodes names the peer and the failovers.
 */
function unusualFields({ Nodes, Service = '', ...response }: Execution): string | undefined {
  const [first] = Nodes ?? [];
  const count = Nodes?.length ?? 0;
  const peer = response.PeerName ?? first?.PeerName;
  const failovers = response.Failovers ?? first?.Failovers ?? 0;
  if (count > 0 && failovers === 0 && !peer) return undefined;
  const who = peer ? `Peer ${peer}` : (response.Datacenter ?? first?.Datacenter ?? 'The datacenter');
  const found =
    count === 0 ? `no instances of ${Service}` : `${count} instance${count === 1 ? '' : 's'} of ${Service}`;
  const after = failovers === 0 ? '' : ` after ${failovers} failover${failovers === 1 ? '' : 's'}`;
  return `${who} returned ${found}${after}.`;
}

function exportInstances(
  format: ExportFormat,
  instances: readonly Instance[],
  output: { readonly warn: (message: string) => void },
): string {
  const { text, skipped } = exportAs(format, instances);
  for (const name of new Set(skipped))
    output.warn(`skipped the instance on "${name}": its name or address is not valid in ${format}`);
  return text;
}
