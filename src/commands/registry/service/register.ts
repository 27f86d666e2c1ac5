import type { RegistryClient } from '../../../api/registry.ts';
import { askedDatacenter, requireAgentIn } from '../../../api/registry-datacenter.ts';
import { arg, command, flag } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import { flagsOf, givenFields } from '../../../command/object-flags.ts';
import { confirmWrite, partiallyAppliedError, readForChanges, usage } from '../../../errors.ts';
import { agentService } from '../../../objects/registry-service.ts';
import { type Written, writtenChanges, writtenView } from '../../../output/diff.ts';
import { code, type Document, text } from '../../../output/document.ts';
import type { Json } from '../../../wire/json.ts';
import { isObject } from '../../../wire/objects.ts';

type Fields = { readonly [name: string]: Json };

export default command({
  description:
    'The agent is that at the configured address; a service with the same ID is replaced, with its checks, and the changed fields are shown. FILE is JSON, YAML or HCL as of "consul services register": one service, or "service" or "services". With --check-ttl the service is critical until its check is updated.',
  examples: [
    'lanyard registry service register web --port 8080 --tag prod --meta version=2',
    'lanyard registry service register web --id web-2 --port 8081 --check-ttl 30s',
  ],
  service: 'registry',
  writes: 'after reads',
  returnsList: () => true,
  args: { name: arg.optional('NAME', 'name of the service') },
  flags: {
    in: flag.file('FILE|-', 'definitions; - for standard input'),
    ...flagsOf(agentService),
  },
  async run({ args: { name }, flags }, ctx) {
    const given = givenFields(agentService, flags);
    const services =
      flags.in === undefined ? [fromFlags(name, given)] : await fromFile(name, flags.in, given, ctx);
    for (const { Port } of services) checkPort(Port);
    const registry = await ctx.api.registry();
    await requireAgentIn(registry, await askedDatacenter(undefined, ctx.api), 'services');
    const registered: Registered[] = [];
    await ctx.output.sequentially(services, async (service) => {
      const ID = idOf(service);
      try {
        const before = await readForChanges(findService(registry, ID));
        await registerService(registry, ID, service);
        const after = before && (await readForChanges(findService(registry, ID)));
        const written = writtenChanges(before && after === null ? null : before, after ?? {});
        registered.push({ ID, Name: String(service.Name), ...written });
      } catch (error) {
        throw partiallyAppliedError(
          error,
          registered.map((done) => `service ${done.ID}: registered`),
        );
      }
    });
    return { data: registered, rows: registered, document: registered.flatMap(registeredView) };
  },
});

interface Registered extends Written {
  readonly ID: string;
  readonly Name: string;
}

function registeredView(registered: Registered): Document {
  const { ID, Name, created } = registered;
  if (!created) return writtenView('service', ID, registered);
  return ID === Name
    ? [text('Registered service ', code(Name), '.')]
    : [text('Registered service ', code(Name), ' with ID ', code(ID), '.')];
}

/** The service at the agent, with the IDs of its checks. @throws LanyardError not_found */
async function findService(registry: RegistryClient, id: string) {
  const { body: service } = await registry.readAgentService({ id });
  const checks = Object.values((await registry.listAgentChecks({})).body);
  const Checks = checks.filter(({ ServiceID }) => ServiceID === id).map(({ CheckID }) => CheckID);
  const { ContentHash: _, ...fields } = service;
  return { ...fields, Checks: Checks.sort() };
}

/** @throws LanyardError usage: the registry stores every number */
function checkPort(port: Json | undefined): void {
  if (typeof port === 'number' && (port < 0 || port > 65_535))
    throw usage(`invalid port ${port}: expected 1 to 65535`, { hint: 'Nothing was sent.' });
}

const idOf = ({ ID, Name }: Fields): string => String(ID || Name);

function fromFlags(Name: string | undefined, given: Fields): Fields {
  if (!Name) throw usage('no service specified', { hint: 'Give NAME and flags, or a file with --in.' });
  return { Name, ...given };
}

async function fromFile(
  name: string | undefined,
  file: string,
  given: Fields,
  ctx: Context,
): Promise<readonly Fields[]> {
  if (name !== undefined || Object.values(given).some((value) => String(value) !== ''))
    throw usage('--in cannot be combined with NAME and other fields of a service');
  const { name: shown, definitions } = await ctx.input.readDefinitions(file, { takesHcl: true });
  const services = definitions.flatMap(({ value }) => servicesIn(value)).map(withApiNames);
  for (const service of services) {
    if (!isObject(service) || typeof service.Name !== 'string' || service.Name === '')
      throw usage(`invalid service in ${shown}: name is missing`);
  }
  return services as readonly Fields[];
}

/** The services in a definition: itself, or the values of `service` and `services`. */
function servicesIn(value: Json): readonly Json[] {
  if (!isObject(value)) return [value];
  const { service, services } = value as Fields;
  if (service === undefined && services === undefined) return [value];
  return [service, services].flatMap((each) => each ?? []);
}

/** A check has the ID `CheckID` in the API, and `id` in configuration files. */
function withCheckId(name: string, value: Json): Json {
  if (!/^checks?$/i.test(name)) return value;
  if (Array.isArray(value)) return value.map((each) => withCheckId('check', each));
  if (!isObject(value)) return value;
  const { ID, ...others } = value as Fields;
  return ID === undefined ? value : { CheckID: ID, ...others };
}

const acronyms: Readonly<Record<string, string>> = {
  id: 'ID',
  ttl: 'TTL',
  http: 'HTTP',
  tcp: 'TCP',
  grpc: 'GRPC',
};

/** The field names of the API by the names in configuration files: `enable_tag_override`. */
function withApiNames(value: Json): Json {
  if (Array.isArray(value)) return value.map(withApiNames);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value as Fields).map(([name, member]) => {
      const apiName =
        acronyms[name] ?? name.replace(/(?:^|_)([a-z])/g, (_all, letter: string) => letter.toUpperCase());
      // The names in these are the user's own.
      return [
        apiName,
        /^(meta|tagged_?addresses|header)$/i.test(name) ? member : withCheckId(name, withApiNames(member)),
      ];
    }),
  );
}

async function registerService(registry: RegistryClient, id: string, service: Fields): Promise<void> {
  await confirmWrite(
    () => registry.registerService(service),
    async () => {
      const { body } = await registry.readAgentService({ id });
      const isSame = body.Service === service.Name && (body.Port ?? 0) === (service.Port ?? 0);
      return { done: isSame, found: 'the registered service differs' };
    },
  );
}
