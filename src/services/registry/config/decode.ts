import type { Json } from '../../../wire/json.ts';
import { isObject } from '../../../wire/objects.ts';
import { FieldError } from '../../core/http/decode-body.ts';
import { read } from '../../core/schema/read.ts';
import type * as s from '../../core/schema/types.ts';
import {
  type ConfigEntry,
  entryTypes,
  globalName,
  isEntryKind,
  kindError,
  type ServiceDefaults,
  type ServiceRouter,
  type Upstream,
} from './entry.ts';
import { multiError } from './multi-error.ts';
import { configRules } from './rules.ts';
import { roundWeight } from './weight.ts';

/**
 * Reads an entry from the body of a request into its stored form (docs/protocol/registry.md#config-entries). Field
 * names may be in snake_case.
 *
 * @throws FieldError
 */
export function decodeEntry(body: Json): ConfigEntry {
  if (!isObject(body)) throw new FieldError('a config entry must be an object');
  const kind = Object.entries(body).find(([name]) => name.toLowerCase() === 'kind')?.[1];
  if (kind === undefined) throw new FieldError('Payload does not contain a kind/Kind key at the top level');
  if (typeof kind !== 'string') throw new FieldError('Kind value in payload is not a string');
  if (!isEntryKind(kind)) throw new FieldError(kindError(kind));
  const unknown: string[] = [];
  const type = entryTypes[kind];
  const entry = read<s.ObjectType>(type, body, configRules(type, unknown));
  const unknownError = multiError(unknown.sort().map(unknownFieldError));
  if (unknownError !== undefined) throw new FieldError(unknownError);
  return normalize(entry as unknown as ConfigEntry);
}

function unknownFieldError(path: string): string {
  const isNamespace = path.toLowerCase().endsWith('namespace');
  return `invalid config key "${path}"${isNamespace ? ', namespaces are a consul enterprise feature' : ''}`;
}

function normalize(entry: ConfigEntry): ConfigEntry {
  if (entry.Kind === 'service-defaults') return normalizeDefaults(entry);
  if (entry.Kind === 'service-router') return normalizeMethods(entry);
  if (entry.Kind === 'service-splitter' && entry.Splits)
    return {
      ...entry,
      Splits: entry.Splits.map((split) => ({ ...split, Weight: roundWeight(split.Weight) })),
    };
  return entry.Kind === 'proxy-defaults' && !entry.Name ? { ...entry, Name: globalName } : entry;
}

/** Protocols are in lower case; negative timeouts of upstreams have no effect. */
function normalizeDefaults(entry: ServiceDefaults): ServiceDefaults {
  const { Protocol, UpstreamConfig } = entry;
  const normalized = Protocol ? { ...entry, Protocol: Protocol.toLowerCase() } : entry;
  if (!UpstreamConfig) return normalized;
  const { Defaults, Overrides } = UpstreamConfig;
  return {
    ...normalized,
    UpstreamConfig: {
      ...(Overrides && { Overrides: Overrides.map(normalizeUpstream) }),
      ...(Defaults && { Defaults: normalizeUpstream(Defaults) }),
    },
  };
}

function normalizeUpstream({ ConnectTimeoutMs = 0, Protocol, ...rest }: Upstream): Upstream {
  return {
    ...rest,
    ...(Protocol && { Protocol: Protocol.toLowerCase() }),
    ...(ConnectTimeoutMs > 0 && { ConnectTimeoutMs }),
  };
}

function normalizeMethods(entry: ServiceRouter): ServiceRouter {
  if (!entry.Routes) return entry;
  const Routes = entry.Routes.map((route) => {
    const HTTP = route.Match?.HTTP;
    if (!HTTP?.Methods) return route;
    const Methods = HTTP.Methods.map((method) => method.toUpperCase());
    return { ...route, Match: { ...route.Match, HTTP: { ...HTTP, Methods } } };
  });
  return { ...entry, Routes };
}
