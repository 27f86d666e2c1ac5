import { FieldError, type Fields, type JsonObject } from '../core/http/fields.ts';
import { read } from '../core/schema/read.ts';
import * as s from '../core/schema/types.ts';
import { accessLogs, expose, transparentProxy } from './config/entry.ts';
import { configRules, flag, integer, list, map, text } from './config/rules.ts';

const part = <const F extends s.Fields>(fields: F) => s.optional(s.object(fields));
const meshGateway = part({ Mode: text });
const anything = map(s.json());

/** The settings of a proxy, in the order of output. */
export const proxy = s.named(
  'ServiceProxy',
  s.object({
    EnvoyExtensions: list(
      s.object({
        Name: text,
        Required: flag,
        Arguments: anything,
        ...s.each(['ConsulVersion', 'EnvoyVersion'], text),
      }),
    ),
    ...s.each(['DestinationServiceName', 'DestinationServiceID', 'LocalServiceAddress'], text),
    LocalServicePort: integer,
    LocalServiceSocketPath: text,
    Mode: text,
    Config: anything,
    Upstreams: list(
      s.object({
        ...s.each(
          ['DestinationType', 'DestinationNamespace', 'DestinationPartition', 'DestinationPeer'],
          text,
        ),
        ...s.each(['DestinationName', 'Datacenter', 'LocalBindAddress'], text),
        LocalBindPort: integer,
        ...s.each(['LocalBindSocketPath', 'LocalBindSocketMode'], text),
        Config: anything,
        MeshGateway: meshGateway,
      }),
    ),
    MeshGateway: meshGateway,
    Expose: expose,
    TransparentProxy: transparentProxy,
    AccessLogs: accessLogs,
  }),
);

/** Fields that an upstream always has. */
export const upstreamDefaults: JsonObject = { MeshGateway: {} };

/**
 * The `Proxy` of a service without empty fields; names ignore case, and may be in snake_case.
 * @param defaults of its upstreams
 * @throws FieldError
 */
export function readProxy(fields: Fields, defaults = upstreamDefaults): JsonObject {
  const unknown: string[] = [];
  const found = read(s.optional(proxy), fields.get('Proxy'), configRules(proxy, unknown)) as
    | JsonObject
    | undefined;
  const [field] = unknown;
  if (field !== undefined) throw new FieldError(`json: unknown field "${field.replace(/^.*\./, '')}"`);
  if (!found) return {};
  const upstreams = found.Upstreams as JsonObject[] | undefined;
  return upstreams ? { ...found, Upstreams: upstreams.map((each) => ({ ...defaults, ...each })) } : found;
}

/** The `Connect` of a service. @throws FieldError */
export function readConnect(fields: Fields): JsonObject {
  return fields.object('Connect')?.boolean('Native') ? { Native: true } : {};
}
