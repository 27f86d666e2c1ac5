import type { Execution } from '../../api/registry-queries.ts';
import { command, flag } from '../../command.ts';
import { LanyardError } from '../../errors.ts';
import { raw } from '../../output/document.ts';
import { type ExportFormat, exportAs, exportFormats } from './formats.ts';
import { dcFlag, freshFlags, freshOf, isFiltered, missing, queryArg } from './shared.ts';
import { type Instance, instancesView } from './views.ts';

export default command({
  description:
    'QUERY is the name or ID of a query, or a name that a template is for. None found is no failure: the output is empty, and a note says so; another one says when another datacenter answered. --format writes for other programs: hosts (lines of a hosts file) and ssh-config (Host blocks) name the nodes with their own addresses; addr (ADDRESS:PORT, one a line) and prometheus-sd (JSON for file_sd_configs) have the address of the service, else of its node. What is no name or address there is left out, with a warning.',
  examples: [
    'lanyard query exec geo-db --near _agent --limit 1 --format addr',
    'lanyard query exec fleet --format ssh-config > ~/.ssh/fleet.conf',
    'lanyard query exec web --format prometheus-sd --out targets.json',
  ],
  service: 'registry',
  formatsText: true,
  args: { query: queryArg },
  flags: {
    near: flag.text('NODE', 'sort by nearness to a node, to _agent or to _ip, the asking address'),
    limit: flag.integer('N', 'at most N instances (0: all)'),
    connect: flag.boolean('only instances that are in the mesh'),
    format: flag.choice(exportFormats, 'as lines for another program, in the place of text'),
    dc: dcFlag,
    ...freshFlags,
  },
  async run({ args, flags }, ctx) {
    const fresh = freshOf(flags);
    const registry = await ctx.api.registry();
    const { body, headers } = await registry
      .executeQuery({
        ...{ query: args.query, ...fresh },
        ...(flags.near === undefined ? {} : { near: flags.near }),
        ...(flags.limit === undefined ? {} : { limit: flags.limit }),
        ...(flags.connect ? { connect: true } : {}),
      })
      .catch(missing(args.query))
      .catch(refused);
    const instances = body.Nodes ?? [];
    if (isFiltered(headers)) ctx.io.warn('the token may not see all of the instances');
    // A node that a transaction set may have the datacenter of the agent that was asked.
    const shown = instances.map((each) => ({ ...each, Datacenter: each.Datacenter || body.Datacenter }));
    const noteworthy = unusualOf(body);
    if (noteworthy !== undefined) ctx.io.note(noteworthy);
    return {
      data: body,
      payload: instances,
      rows: instances,
      isTabular: true,
      document:
        flags.format === undefined ? instancesView(shown) : [raw(exported(flags.format, shown, ctx.io))],
    };
  },
});

/** A query that has a token runs with it, and the service does not say whose token it refused. */
function refused(error: unknown): never {
  const isRefusal = error instanceof LanyardError && (error.status === 403 || error.status === 401);
  if (!isRefusal) throw error;
  throw new LanyardError(error.kind, error.message, {
    ...{ service: error.service, status: error.status, details: error.details },
    hint: `A query that has a token runs with that one, and it may be what is refused. ${error.hint ?? ''}`.trim(),
  });
}

/**
 * What a caller would not expect: nobody was found, or not here. The specification leaves open whether the answer
 * or each node in it says who answered.
 */
function unusualOf({ Nodes, Service = '', ...answer }: Execution): string | undefined {
  const [first] = Nodes ?? [];
  const count = Nodes?.length ?? 0;
  const peer = answer.PeerName ?? first?.PeerName;
  const failovers = answer.Failovers ?? first?.Failovers ?? 0;
  if (count > 0 && failovers === 0 && !peer) return undefined;
  const who = peer ? `The peer ${peer}` : (answer.Datacenter ?? first?.Datacenter ?? 'the datacenter');
  const found =
    count === 0 ? `no instance of ${Service}` : `${count} instance${count === 1 ? '' : 's'} of ${Service}`;
  const after = failovers === 0 ? '' : `, after ${failovers} failover${failovers === 1 ? '' : 's'}`;
  return `${who} answered${after}: ${found}.`;
}

function exported(
  format: ExportFormat,
  instances: readonly Instance[],
  io: { readonly warn: (message: string) => void },
): string {
  const { text, skipped } = exportAs(format, instances);
  for (const name of new Set(skipped))
    io.warn(`the instance on "${name}" is left out: its name or address is none that ${format} can have`);
  return text;
}
