import { createHash } from 'node:crypto';
import { formatJson } from '../../../wire/json.ts';
import * as s from '../../core/schema/types.ts';
import type { Indexes } from '../../core/state/state-table.ts';
import { type ConfigEntry, entryTypes, type ServiceDefaults, type Upstream } from './entry.ts';
import { completeExtensions } from './envoy-extensions.ts';

const { 'proxy-defaults': proxyDefaults, 'service-router': serviceRouter, ...otherTypes } = entryTypes;
/** An entry as returned: what its `entryView` shows as null is null. */
export const shownEntry = s.either(
  ...Object.values(otherTypes),
  s.named(
    'ProxyDefaults',
    s.object({ ...proxyDefaults.fields, Config: s.json(undefined, { type: ['object', 'null'] }) }),
  ),
  s.named(
    'ServiceRouter',
    s.object({ ...serviceRouter.fields, Routes: s.nullable(s.list(serviceRouter.fields.Routes.items)) }),
  ),
);

/** An entry as returned: some fields are shown even if they are empty, and a hash of its contents. */
export function entryView(entry: ConfigEntry & Indexes): object {
  const { CreateIndex, ModifyIndex, ...contents } = entry;
  return { ...shownFields(contents as ConfigEntry), Hash: hashOf(contents), CreateIndex, ModifyIndex };
}

function shownFields(entry: ConfigEntry): object {
  switch (entry.Kind) {
    case 'service-defaults':
      return {
        Protocol: '',
        ...proxyFields,
        ...entry,
        ...upstreams(entry),
        ...extensions(entry),
      };
    case 'proxy-defaults':
      return { Config: null, ...proxyFields, AccessLogs: {}, ...entry, ...extensions(entry) };
    case 'service-router':
      return { Routes: null, ...entry };
    default:
      return entry;
  }
}

const proxyFields = { TransparentProxy: {}, MeshGateway: {}, Expose: {} };

function extensions({ EnvoyExtensions }: Pick<ServiceDefaults, 'EnvoyExtensions'>): object {
  return EnvoyExtensions ? { EnvoyExtensions: completeExtensions(EnvoyExtensions) } : {};
}

function upstreams({ UpstreamConfig }: ServiceDefaults): object {
  // Entries of earlier versions may have stored anything.
  if (typeof UpstreamConfig !== 'object') return {};
  const { Defaults, Overrides } = UpstreamConfig;
  const shown = (upstream: Upstream): object => ({ Peer: '', MeshGateway: {}, ...upstream });
  return {
    UpstreamConfig: {
      ...UpstreamConfig,
      ...(Array.isArray(Overrides) && { Overrides: Overrides.map(shown) }),
      ...(Defaults && { Defaults: shown(Defaults) }),
    },
  };
}

/** A positive integer that every JSON reader keeps exactly. */
function hashOf(contents: object): number {
  const digest = createHash('sha256').update(formatJson(contents)).digest();
  return digest.readUIntBE(0, 6);
}
