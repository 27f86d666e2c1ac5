import { flag } from '../../command.ts';
import type { Context } from '../../context.ts';
import { usage } from '../../errors.ts';
import type { Json } from '../../wire/json.ts';
import type { Members } from './members.ts';

/** A flag for each field of a prepared query. */
export const fieldFlags = {
  service: flag.text('SERVICE', 'the service to look for'),
  serviceNamespace: flag.text('NS', 'its namespace'),
  session: flag.text('ID', 'the query goes when this session does'),
  token: flag.text('SOURCE', 'the token to execute it with: -, @FILE, file://PATH or env://NAME'),
  near: flag.text('NODE', 'sort by nearness to a node, to _agent or to _ip, the asking address'),
  onlyPassing: flag.boolean('leave out instances with warnings too'),
  tag: flag.list('TAG', 'only instances with this tag, or (!TAG) without it; repeatable', {
    aliases: ['tags'],
  }),
  nodeMeta: flag.map('K=V', 'only on nodes with this metadata; repeatable'),
  serviceMeta: flag.map('K=V', 'only instances with this metadata; repeatable'),
  connect: flag.boolean('only instances that are in the mesh'),
  ignoreCheck: flag.list('ID', 'a check that does not count; repeatable', { aliases: ['ignore-check-ids'] }),
  failoverNearest: flag.integer('N', 'without healthy instances here, ask the N nearest datacenters', {
    aliases: ['failover-nearest-n'],
  }),
  failoverDatacenter: flag.list('DC', 'and then these, in order; repeatable', {
    aliases: ['failover-datacenters'],
  }),
  failoverTarget: flag.list('peer:NAME|dc:NAME', 'ask these, in order, in the place of both; repeatable', {
    aliases: ['failover-targets'],
  }),
  dnsTtl: flag.duration('how long an answer over DNS may be kept'),
  template: flag.choice(['name_prefix_match'], 'for every name that begins with the name of the query'),
  regexp: flag.text('RE', `template: what \${match(N)} is of, in the syntax of RE2`),
  removeEmptyTags: flag.boolean('template: tags that come out empty are none'),
} as const;

export const nameFlag = flag.text('NAME', 'the name of the query');

interface Given {
  readonly name?: string | undefined;
  readonly service: string | undefined;
  readonly serviceNamespace: string | undefined;
  readonly session: string | undefined;
  readonly token: string | undefined;
  readonly near: string | undefined;
  readonly onlyPassing: boolean;
  readonly tag: readonly string[] | undefined;
  readonly nodeMeta: Readonly<Record<string, string>> | undefined;
  readonly serviceMeta: Readonly<Record<string, string>> | undefined;
  readonly connect: boolean;
  readonly ignoreCheck: readonly string[] | undefined;
  readonly failoverNearest: number | undefined;
  readonly failoverDatacenter: readonly string[] | undefined;
  readonly failoverTarget: readonly string[] | undefined;
  readonly dnsTtl: string | undefined;
  readonly template: string | undefined;
  readonly regexp: string | undefined;
  readonly removeEmptyTags: boolean;
}

/** The fields that flags name, and no others; the token is another matter (`tokenFrom`). */
export function fieldsFrom(flags: Given): Members {
  return present({
    Name: flags.name,
    Session: flags.session,
    Template: part({
      Type: flags.template,
      Regexp: flags.regexp,
      RemoveEmptyTags: on(flags.removeEmptyTags),
    }),
    Service: part({
      Service: flags.service,
      Namespace: flags.serviceNamespace,
      Failover: part({
        NearestN: flags.failoverNearest,
        Datacenters: list(flags.failoverDatacenter),
        Targets: flags.failoverTarget?.map(targetOf),
      }),
      IgnoreCheckIDs: list(flags.ignoreCheck),
      OnlyPassing: on(flags.onlyPassing),
      Near: flags.near,
      Tags: list(flags.tag),
      NodeMeta: flags.nodeMeta && { ...flags.nodeMeta },
      ServiceMeta: flags.serviceMeta && { ...flags.serviceMeta },
      Connect: on(flags.connect),
    }),
    DNS: part({ TTL: flags.dnsTtl }),
  });
}

/** The token that `--token` names a source of. */
export async function tokenFrom(
  source: string | undefined,
  io: Pick<Context['io'], 'secret'>,
): Promise<Members> {
  return source === undefined ? {} : { Token: await io.secret(source, 'the token of the query') };
}

const on = (value: boolean): true | undefined => (value ? true : undefined);
const list = (values: readonly string[] | undefined): string[] | undefined => values && [...values];

const present = (members: Readonly<Record<string, Json | undefined>>): Members =>
  Object.fromEntries(
    Object.entries(members).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );

function part(members: Readonly<Record<string, Json | undefined>>): { [name: string]: Json } | undefined {
  const given = present(members);
  return Object.keys(given).length === 0 ? undefined : given;
}

function targetOf(text: string): Json {
  const [, kind, name] = /^(peer|dc):(.+)$/.exec(text) ?? [];
  if (name === undefined) throw usage(`--failover-target takes peer:NAME or dc:NAME, not "${text}"`);
  return kind === 'peer' ? { Peer: name } : { Datacenter: name };
}

/** The fields that `--unset` takes back to their defaults, by the names of their flags. */
const defaults: Readonly<Record<string, Members>> = {
  session: { Session: '' },
  token: { Token: '' },
  near: { Service: { Near: '' } },
  'only-passing': { Service: { OnlyPassing: false } },
  tag: { Service: { Tags: [] } },
  'node-meta': { Service: { NodeMeta: {} } },
  'service-meta': { Service: { ServiceMeta: {} } },
  connect: { Service: { Connect: false } },
  'ignore-check': { Service: { IgnoreCheckIDs: [] } },
  'service-namespace': { Service: { Namespace: '' } },
  'failover-nearest': { Service: { Failover: { NearestN: 0 } } },
  'failover-datacenter': { Service: { Failover: { Datacenters: [] } } },
  'failover-target': { Service: { Failover: { Targets: [] } } },
  'dns-ttl': { DNS: { TTL: '' } },
  regexp: { Template: { Regexp: '' } },
  'remove-empty-tags': { Template: { RemoveEmptyTags: false } },
};

export const unsetFlag = flag.list(
  'FLAG',
  'take a field back to its default, by the name of its flag; repeatable',
  {
    completes: Object.keys(defaults),
  },
);

/** What `--unset` names. @throws LanyardError usage: a flag that has no default to go back to. */
export const unsetFrom = (names: readonly string[]): readonly Members[] =>
  names.map((name) => {
    const bare = name.replace(/^--/, '');
    const field = Object.hasOwn(defaults, bare) ? defaults[bare] : undefined;
    if (!field) throw usage(`--unset takes one of ${Object.keys(defaults).join(', ')}, not "${name}"`);
    return field;
  });
