import { field } from '../../objects/schema.ts';
import {
  duration,
  edits,
  headerEdits,
  jwtRequirement,
  limits,
  name,
  object,
  passiveHealthCheck,
} from './registry-config-parts.ts';

/** Fields of gateways and routes. */

const { string, integer, boolean, list, map } = field;

export const reference = (kind: string) =>
  object({ Kind: string({ default: kind }), Name: string(), SectionName: string() });

export const tlsVersions = {
  TLSMinVersion: string(),
  TLSMaxVersion: string(),
  CipherSuites: list(string()),
} as const;
export const sds = object({ ClusterName: string(), CertResource: string() });

export const listener = object({
  Name: string(),
  Hostname: string(),
  Port: integer(),
  Protocol: string({ form: 'name', default: 'tcp' }),
  TLS: object({
    Enabled: boolean(),
    SDS: sds,
    ...tlsVersions,
    Certificates: list(reference('inline-certificate')),
    MaxVersion: string(),
    MinVersion: string(),
  }),
  Override: object({ JWT: jwtRequirement }),
  Default: object({ JWT: jwtRequirement }),
  Services: list(
    object({
      Name: string(),
      Hosts: list(string()),
      TLS: object({ SDS: sds }),
      ...edits,
      ...limits,
      PassiveHealthCheck: passiveHealthCheck,
      Meta: map(),
    }),
  ),
});

const httpFilters = object({
  Headers: list(headerEdits),
  URLRewrite: object({ Path: string() }),
  RetryFilter: object({
    NumRetries: integer(),
    RetryOn: list(string()),
    RetryOnStatusCodes: list(integer()),
    RetryOnConnectFailure: boolean(),
  }),
  TimeoutFilter: object({ RequestTimeout: duration, IdleTimeout: duration }),
  JWT: jwtRequirement,
});
const filters = {
  Filters: httpFilters,
  ResponseFilters: object({ Headers: list(headerEdits) }),
} as const;
const routeMatch = list(object({ Match: string(), Name: string(), Value: string() }));

export const httpRule = object({
  ...filters,
  Matches: list(
    object({
      Headers: routeMatch,
      Method: name,
      Path: object({ Match: string(), Value: string() }, { default: { Match: 'prefix', Value: '/' } }),
      Query: routeMatch,
    }),
  ),
  Services: list(object({ Name: string(), Weight: integer({ default: 1 }), ...filters })),
});

/** Of terminating-gateway, exported-services and tcp-route. */
export const linkedService = object({
  Name: string(),
  Namespace: string(),
  CAFile: string(),
  CertFile: string(),
  KeyFile: string(),
  SNI: string(),
  DisableAutoHostRewrite: boolean(),
  Consumers: list(object({ Partition: string(), Peer: string(), SamenessGroup: string() })),
});
