import { addressOf, type Instance, statusOf } from './views.ts';

/** The text for another program, and the nodes that were skipped. */
export interface ExportedText {
  readonly text: string;
  readonly skipped: readonly string[];
}

export const exportFormats = ['hosts', 'ssh-config', 'prometheus-sd', 'addr'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** Names and addresses are untrusted input of the registration: only valid ones are passed to another program. */
const hostname = /^(?!-)[A-Za-z0-9_-]{1,63}(\.(?!-)[A-Za-z0-9_-]{1,63})*\.?$/;
const isIPv4 = (text: string): boolean =>
  /^(\d{1,3}\.){3}\d{1,3}$/.test(text) && text.split('.').every((part) => Number(part) <= 255);
const isIPv6 = (text: string): boolean =>
  /^[\da-fA-F:.]*:[\da-fA-F:.]*$/.test(text) && URL.canParse(`http://[${text}]/`);
const isIP = (text: string): boolean => isIPv4(text) || isIPv6(text);
const isHostname = (text: string): boolean =>
  hostname.test(text) && text.length <= 253 && !/^[\d.]+$/.test(text);
/** Names reserved for the local machine. */
const isLocal = (name: string): boolean => /(^|\.)localhost\.?$/i.test(name);
const isAddress = (text: string): boolean => isIP(text) || isHostname(text);

export const exportAs = (format: ExportFormat, instances: readonly Instance[]): ExportedText =>
  writers[format](instances);

const writers: { readonly [Format in ExportFormat]: (instances: readonly Instance[]) => ExportedText } = {
  /** `ADDRESS NAME`, the node's own address: hosts(5). */
  hosts: (instances) =>
    lines(instances, ({ Node: { Node: name, Address = '' } }) =>
      isIP(Address) && isHostname(name) && !isLocal(name) ? `${Address} ${name}\n` : undefined,
    ),

  /** A block for each node, the node's own address: ssh_config(5). */
  'ssh-config': (instances) =>
    lines(instances, ({ Node: { Node: name, Address = '' } }) =>
      isAddress(Address) && isHostname(name) && !isLocal(name)
        ? `Host ${name}\n  HostName ${Address}\n`
        : undefined,
    ),

  /** `ADDRESS:PORT`, an IPv6 address in brackets; without a port the address alone. */
  addr: (instances) =>
    lines(instances, (instance) => {
      const target = targetOf(instance);
      return target === undefined ? undefined : `${target}\n`;
    }),

  /** A list for file-based service discovery, with the labels of Prometheus' own Consul discovery. */
  'prometheus-sd': (instances) => {
    const groups: object[] = [];
    const skipped: string[] = [];
    for (const instance of instances) {
      const target = targetOf(instance);
      if (target === undefined) skipped.push(instance.Node.Node);
      else groups.push({ targets: [target], labels: labelsOf(instance) });
    }
    return { text: `${JSON.stringify(groups, undefined, 2)}\n`, skipped };
  },
};

/** One text per instance, without duplicates: instances on the same node may have the same text. */
function lines(
  instances: readonly Instance[],
  write: (instance: Instance) => string | undefined,
): ExportedText {
  const written = instances.map((instance) => ({ name: instance.Node.Node, text: write(instance) }));
  const texts = written.flatMap(({ text }) => text ?? []);
  return {
    text: [...new Set(texts)].join(''),
    skipped: written.flatMap(({ name, text }) => (text === undefined ? [name] : [])),
  };
}

function targetOf(instance: Instance): string | undefined {
  const address = addressOf(instance);
  if (!isAddress(address)) return undefined;
  const host = isIPv6(address) ? `[${address}]` : address;
  const { Port } = instance.Service;
  return Port ? `${host}:${Port}` : host;
}

function labelsOf(instance: Instance): Readonly<Record<string, string>> {
  const { Node: node, Service: service } = instance;
  const labels = {
    address: node.Address ?? '',
    dc: instance.Datacenter || node.Datacenter || '',
    health: statusOf(instance),
    node: node.Node,
    service: service.Service ?? '',
    service_address: service.Address ?? '',
    service_id: service.ID ?? '',
    service_port: String(service.Port ?? ''),
    // Between commas, so that a pattern such as `.*,web,.*` matches a complete tag.
    tags: `,${(service.Tags ?? []).join(',')},`,
    ...withPrefix('metadata_', node.Meta ?? node.NodeMeta),
    ...withPrefix('service_metadata_', service.Meta),
  };
  return withPrefix('__meta_consul_', labels);
}

/** Label names allow only letters, digits and `_`. */
const withPrefix = (prefix: string, pairs: Readonly<Record<string, string>> | null | undefined) =>
  Object.fromEntries(
    Object.entries(pairs ?? {}).map(([name, value]) => [prefix + name.replace(/[^A-Za-z0-9_]/g, '_'), value]),
  );
