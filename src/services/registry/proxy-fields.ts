import { isObject } from '../../wire/objects.ts';
import { FieldError, type Fields, type JsonObject } from '../core/http/fields.ts';
import { applyShape, type Shape } from './config/shape.ts';

const meshGateway = { members: { Mode: 'text' } } as const;

/** The settings of a proxy, in the order of output. */
export const proxyShape: Shape = {
  members: {
    EnvoyExtensions: {
      list: {
        members: {
          Name: 'text',
          Required: 'flag',
          Arguments: { map: 'any' },
          ConsulVersion: 'text',
          EnvoyVersion: 'text',
        },
      },
    },
    DestinationServiceName: 'text',
    DestinationServiceID: 'text',
    LocalServiceAddress: 'text',
    LocalServicePort: 'integer',
    LocalServiceSocketPath: 'text',
    Mode: 'text',
    Config: { map: 'any' },
    Upstreams: {
      list: {
        members: {
          DestinationType: 'text',
          DestinationNamespace: 'text',
          DestinationPartition: 'text',
          DestinationPeer: 'text',
          DestinationName: 'text',
          Datacenter: 'text',
          LocalBindAddress: 'text',
          LocalBindPort: 'integer',
          LocalBindSocketPath: 'text',
          LocalBindSocketMode: 'text',
          Config: { map: 'any' },
          MeshGateway: meshGateway,
        },
      },
    },
    MeshGateway: meshGateway,
    Expose: {
      members: {
        Checks: 'flag',
        Paths: {
          list: {
            members: {
              ListenerPort: 'integer',
              Path: 'text',
              LocalPathPort: 'integer',
              Protocol: 'text',
              ParsedFromCheck: 'flag',
            },
          },
        },
      },
    },
    TransparentProxy: { members: { OutboundListenerPort: 'integer', DialedDirectly: 'flag' } },
    AccessLogs: {
      members: {
        Enabled: 'flag',
        DisableListenerLogs: 'flag',
        Type: 'text',
        Path: 'text',
        JSONFormat: 'text',
        TextFormat: 'text',
      },
    },
  },
};

/** Fields that an upstream always has. */
export const upstreamDefaults: JsonObject = { MeshGateway: {} };

/**
 * The `Proxy` of a service without empty fields; names ignore case, and may be in snake_case.
 * @param defaults of its upstreams
 * @throws FieldError
 */
export function readProxy(fields: Fields, defaults = upstreamDefaults): JsonObject {
  const unknown: string[] = [];
  const proxy = applyShape(fields.get('Proxy'), proxyShape, unknown);
  const [field] = unknown;
  if (field !== undefined) throw new FieldError(`json: unknown field "${field.replace(/^.*\./, '')}"`);
  if (!isObject(proxy)) return {};
  const { Upstreams } = proxy;
  return Array.isArray(Upstreams)
    ? {
        ...proxy,
        Upstreams: Upstreams.map((upstream) =>
          isObject(upstream) ? { ...defaults, ...upstream } : upstream,
        ),
      }
    : proxy;
}

/** The `Connect` of a service. @throws FieldError */
export function readConnect(fields: Fields): JsonObject {
  return fields.object('Connect')?.boolean('Native') ? { Native: true } : {};
}
