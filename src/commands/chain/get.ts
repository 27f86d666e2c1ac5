import { arg, command, flag } from '../../cli/command.ts';
import { usage } from '../../errors.ts';
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
  ],
  service: 'registry',
  hasTextFormats: true,
  args: { service: arg.text('SERVICE', 'name of the service', { completes: { live: 'registry-service' } }) },
  flags: {
    compileDc: flag.text('DC', 'datacenter to compile for (default: that of the agent)'),
    overrideProtocol: flag.choice(['tcp', 'http', 'http2', 'grpc'], 'override the protocol of every service'),
    overrideConnectTimeout: flag.duration('override the connect timeout of every service'),
    overrideMeshGateway: flag.choice(['none', 'local', 'remote'], 'override the mesh gateway mode'),
    format: flag.choice(diagramFormats, 'print a diagram instead of text'),
    diff: flag.boolean('show what the overrides change'),
    dc: flag.datacenter('datacenter'),
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
    const registry = await ctx.api.registry();
    const { body } = await (isOverridden
      ? registry.overrideChain({ ...which, ...overrides })
      : registry.readChain(which));
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
