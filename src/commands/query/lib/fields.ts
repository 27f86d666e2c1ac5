import { flag, toKebabCase, type Values } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import { rejectSetAndUnset, unsetFlag } from '../../../command/unset-flag.ts';
import { usage } from '../../../errors.ts';
import type { Json } from '../../../wire/json.ts';
import { compact } from '../../../wire/objects.ts';
import type { QueryObject } from './query-object.ts';

export const fieldFlags = {
  service: flag.text('SERVICE', 'service to look up', { completes: { live: 'registry-service' } }),
  serviceNamespace: flag.text('NS', 'namespace of the service'),
  session: flag.text('ID', 'session to bind to; the query is deleted with it', {
    completes: { live: 'registry-session' },
  }),
  token: flag.text('SOURCE', 'source of the token to execute with: -, @FILE or env://NAME'),
  near: flag.text('NODE', 'sort by distance from this node, _agent or _ip (the client address)', {
    completes: { live: 'registry-node' },
  }),
  onlyPassing: flag.boolean('only instances whose checks all pass'),
  tag: flag.list('TAG', 'only instances with this tag, or without it (!TAG); repeatable', {
    aliases: ['tags'],
  }),
  nodeMeta: flag.map('K=V', 'only nodes with this metadata; repeatable'),
  serviceMeta: flag.map('K=V', 'only instances with this metadata; repeatable'),
  connect: flag.boolean('only mesh-capable instances'),
  ignoreCheck: flag.list('ID', 'check to ignore; repeatable', { aliases: ['ignore-check-ids'] }),
  failoverNearest: flag.integer('N', 'number of nearest datacenters to try if no instance is healthy', {
    aliases: ['failover-nearest-n'],
  }),
  failoverDatacenter: flag.list('DC', 'datacenter to try after the nearest ones, in order; repeatable', {
    aliases: ['failover-datacenters'],
  }),
  failoverTarget: flag.list(
    'peer:NAME|dc:NAME',
    'target to try, in order, instead of datacenters; repeatable',
    { aliases: ['failover-targets'] },
  ),
  dnsTtl: flag.duration('TTL of DNS responses'),
  template: flag.choice(['name_prefix_match'], 'template for names that start with the name of the query'),
  regexp: flag.text('RE', `template: RE2 expression for \${match(N)}`),
  removeEmptyTags: flag.boolean('template: remove tags that are empty after rendering'),
} as const;

export const nameFlag = flag.text('NAME', 'name of the query');

type FlagValues = Values<typeof fieldFlags> & { readonly name?: string | undefined };

/** The fields set by flags, without the token (`tokenFrom`). */
export function fieldsFrom(flags: FlagValues): QueryObject {
  return compact({
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
        Targets: flags.failoverTarget?.map(parseTarget),
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

export async function readToken(
  source: string | undefined,
  input: Pick<Context['input'], 'readSecret'>,
): Promise<QueryObject> {
  return source === undefined ? {} : { Token: await input.readSecret(source, 'token of the query') };
}

const on = (value: boolean): true | undefined => (value ? true : undefined);
const list = (values: readonly string[] | undefined): string[] | undefined => values && [...values];

function part<Fields extends object>(members: Fields) {
  const given = compact(members);
  return Object.keys(given).length === 0 ? undefined : given;
}

function parseTarget(text: string): Json {
  const [, kind, name] = /^(peer|dc):(.+)$/.exec(text) ?? [];
  if (name === undefined) throw usage(`invalid --failover-target "${text}": expected peer:NAME or dc:NAME`);
  return kind === 'peer' ? { Peer: name } : { Datacenter: name };
}

/** The defaults for `--unset`, by the name of the flag. */
const defaults: Readonly<Record<string, QueryObject>> = {
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

export const unsetFieldsFlag = unsetFlag(Object.keys(defaults));

/** The defaults of the flags in `--unset`. @throws LanyardError usage: one of them is given too */
export function unsetFields(
  flags: FlagValues & { readonly unset: readonly string[] },
): readonly QueryObject[] {
  const values: Readonly<Record<string, unknown>> = flags;
  const given = Object.keys(values).filter((name) => values[name] !== undefined && values[name] !== false);
  rejectSetAndUnset((name) => given.some((each) => toKebabCase(each) === name), flags.unset);
  return flags.unset.flatMap((name) => {
    const field = defaults[name];
    return field ? [field] : [];
  });
}
