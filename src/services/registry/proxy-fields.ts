import type { Json } from '../../wire/json.ts';
import { FieldError } from '../core/http/decode-body.ts';
import { goRulesFor } from '../core/schema/go-rules.ts';
import { read } from '../core/schema/read.ts';
import * as s from '../core/schema/types.ts';
import { accessLogs, expose, extension, transparentProxy } from './config/entry.ts';
import { configRules, integer, list, map, text } from './config/rules.ts';

const meshGateway = s.object({ Mode: text });
const anything = map(s.json());

/** The settings of a proxy, in the order of output. */
export const proxy = s.named(
  'ServiceProxy',
  s.object({
    EnvoyExtensions: list(s.object({ ...extension.fields, Arguments: anything })),
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
    MeshGateway: s.optional(meshGateway),
    Expose: expose,
    TransparentProxy: transparentProxy,
    AccessLogs: accessLogs,
  }),
);

/** The `Proxy` of a service in a request; names may be in snake_case. */
export const proxyInput = s.converted(proxy, (value) => {
  const unknown: string[] = [];
  const found = read(proxy, value, configRules(proxy, unknown));
  const [field] = unknown;
  if (field !== undefined) throw new FieldError(`json: unknown field "${field.replace(/^.*\./, '')}"`);
  return found;
});

export const connect = s.object({ Native: s.nonEmpty(s.boolean('Whether it supports the mesh itself.')) });

/** The `Connect` of a service in a request; unknown fields have no effect. @throws FieldError */
export const readConnect = (value: Json) => read(connect, value, goRulesFor('Connect'));
