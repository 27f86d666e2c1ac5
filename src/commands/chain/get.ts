import type { Blocking } from '../../api/operation-builders.ts';
import type { RegistryClient } from '../../api/registry.ts';
import { arg, command, flag } from '../../command/command.ts';
import { isWatching, watchFlags } from '../../command/watch-flags.ts';
import { usage } from '../../errors.ts';
import { blockingSource } from '../../watch/blocking-source.ts';
import { showChanges } from '../../watch/show-changes.ts';
import { compact } from '../../wire/objects.ts';
import { chainView, diagramFormats, diagramView, differenceView } from './lib/views.ts';

export default command({
  description:
    'Draws how requests to the service are routed, split, resolved and failed over, as compiled from the configuration entries. Overrides show a hypothetical chain; nothing is changed.',
  examples: [
    'lanyard chain get web',
    'lanyard chain get web --override-protocol grpc --override-connect-timeout 2s',
    'lanyard chain get web --override-protocol tcp --diff',
    'lanyard chain get web --format dot | dot -Tsvg > web.svg',
    'lanyard chain get web --watch',
  ],
  service: 'registry',
  hasTextFormats: true,
  args: { service: arg.text('SERVICE', 'name of the service', { completes: 'registry-service' }) },
  flags: {
    compileDc: flag.text('DC', 'datacenter to compile for (default: the datacenter of the agent)'),
    overrideProtocol: flag.choice(['tcp', 'http', 'http2', 'grpc'], 'override the protocol of every service'),
    overrideConnectTimeout: flag.duration('override the connect timeout of every service'),
    overrideMeshGateway: flag.choice(['none', 'local', 'remote'], 'override the mesh gateway mode'),
    format: flag.choice(diagramFormats, 'print a diagram instead of text'),
    diff: flag.boolean('show what the overrides change'),
    dc: flag.datacenter('datacenter'),
    ...watchFlags,
  },
  async run({ args, flags }, ctx) {
    const which = { service_name: args.service, 'compile-dc': flags.compileDc, dc: flags.dc };
    const overrides = compact({
      OverrideProtocol: flags.overrideProtocol,
      OverrideConnectTimeout: flags.overrideConnectTimeout,
      OverrideMeshGateway: flags.overrideMeshGateway ? { Mode: flags.overrideMeshGateway } : undefined,
    });
    const isOverridden = Object.keys(overrides).length > 0;
    if (flags.diff && !isOverridden) throw usage('--diff requires an override');
    if (flags.diff && flags.format !== undefined) throw usage('--diff cannot be combined with --format');
    const compile = (registry: RegistryClient, blocking: Blocking = {}) =>
      isOverridden
        ? registry.overrideChain({ ...which, ...overrides, ...blocking })
        : registry.readChain({ ...which, ...blocking });
    if (isWatching(flags, { diff: flags.diff, format: flags.format })) {
      const registry = await ctx.api.registry({ retries: 0 });
      const source = blockingSource({
        read: (blocking) => compile(registry, blocking),
        value: (body) => body,
        isAbsent: () => false,
      });
      return showChanges(ctx, source, flags, {
        result: (body) => ({ data: body, payload: body.Chain, document: chainView(body.Chain) }),
        absent: `service "${args.service}" has no chain`,
      });
    }
    const registry = await ctx.api.registry();
    const { body } = await compile(registry);
    if (flags.diff) {
      const before = (await registry.readChain(which)).body;
      return { data: { without: before, with: body }, document: differenceView(before.Chain, body.Chain) };
    }
    const chain = body.Chain;
    return {
      data: body,
      payload: chain,
      document: flags.format === undefined ? chainView(chain) : diagramView(chain, flags.format),
    };
  },
});
