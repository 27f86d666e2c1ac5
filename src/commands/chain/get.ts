import { arg, command, flag } from '../../command.ts';
import { usage } from '../../errors.ts';
import { chainView, diagramFormats, diagramView, differenceView } from './views.ts';

export default command({
  description:
    'Draws how a request to the service is routed, split, resolved and failed over, as the service registry compiles it from the configuration entries. Overrides show the chain as it would be with them; nothing is changed.',
  examples: [
    'lanyard chain get web',
    'lanyard chain get web --override-protocol grpc --override-connect-timeout 2s',
    'lanyard chain get web --override-protocol tcp --diff',
    'lanyard chain get web --format dot | dot -Tsvg > web.svg',
  ],
  service: 'registry',
  formatsText: true,
  args: { service: arg.text('SERVICE', 'the service') },
  flags: {
    compileDc: flag.text('DC', 'compile for this datacenter (default: that of the agent)'),
    overrideProtocol: flag.choice(['tcp', 'http', 'http2', 'grpc'], 'with this protocol for every service'),
    overrideConnectTimeout: flag.duration('with this connect timeout for every service'),
    overrideMeshGateway: flag.choice(['none', 'local', 'remote'], 'with this mesh gateway mode'),
    format: flag.choice(diagramFormats, 'as a diagram in this language, in the place of text'),
    diff: flag.boolean('show what the overrides change'),
    dc: flag.datacenter('ask this datacenter'),
  },
  async run({ args, flags }, ctx) {
    const which = {
      service_name: args.service,
      ...(flags.compileDc === undefined ? {} : { 'compile-dc': flags.compileDc }),
      ...(flags.dc === undefined ? {} : { dc: flags.dc }),
    };
    const overrides = {
      ...(flags.overrideProtocol === undefined ? {} : { OverrideProtocol: flags.overrideProtocol }),
      ...(flags.overrideConnectTimeout === undefined
        ? {}
        : { OverrideConnectTimeout: flags.overrideConnectTimeout }),
      ...(flags.overrideMeshGateway === undefined
        ? {}
        : { OverrideMeshGateway: { Mode: flags.overrideMeshGateway } }),
    };
    const isOverridden = Object.keys(overrides).length > 0;
    if (flags.diff && !isOverridden) throw usage('--diff needs an override, whose effect it shows');
    if (flags.diff && flags.format !== undefined) throw usage('--diff and --format exclude each other');
    const registry = await ctx.api.registry();
    const { body } = await (isOverridden
      ? registry.overrideChain({ ...which, ...overrides })
      : registry.readChain(which));
    if (flags.diff) {
      const before = (await registry.readChain(which)).body;
      return {
        data: { without: before, with: body },
        document: differenceView(before.Chain, body.Chain),
      };
    }
    const chain = body.Chain;
    return {
      data: body,
      payload: chain,
      document: flags.format === undefined ? chainView(chain) : diagramView(chain, flags.format),
    };
  },
});
