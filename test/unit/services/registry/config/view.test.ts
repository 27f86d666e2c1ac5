import { expect, test } from 'vitest';
import type { ConfigEntry } from '../../../../../src/services/registry/config/entry.ts';
import { entryView } from '../../../../../src/services/registry/config/view.ts';

const indexes = { CreateIndex: 1, ModifyIndex: 1 };

test('all fields of upstreams and extensions that Consul shows are shown', () => {
  const entry: ConfigEntry = {
    Kind: 'service-defaults',
    Name: 'web',
    UpstreamConfig: { Overrides: [{ Name: 'db' }], Defaults: { Protocol: 'http' } },
    EnvoyExtensions: [{ Name: 'builtin/lua' }],
  };
  expect(entryView({ ...entry, ...indexes })).toMatchObject({
    Protocol: '',
    UpstreamConfig: {
      Overrides: [{ Name: 'db', Peer: '', MeshGateway: {} }],
      Defaults: { Protocol: 'http', Peer: '', MeshGateway: {} },
    },
    EnvoyExtensions: [
      { Name: 'builtin/lua', Required: false, Arguments: null, ConsulVersion: '', EnvoyVersion: '' },
    ],
  });
});

test('an entry of an earlier version, which stored any value in these fields, is shown', () => {
  const stored = { UpstreamConfig: { Overrides: 'db' }, EnvoyExtensions: [3, { Name: 'x' }] };
  const entry: unknown = { Kind: 'service-defaults', Name: 'web', ...stored };
  expect(entryView({ ...(entry as ConfigEntry), ...indexes })).toMatchObject({
    UpstreamConfig: { Overrides: 'db' },
    EnvoyExtensions: [{ Name: 'x' }],
  });
  const text: unknown = { Kind: 'service-defaults', Name: 'web', UpstreamConfig: 'x', EnvoyExtensions: 'y' };
  expect(entryView({ ...(text as ConfigEntry), ...indexes })).toMatchObject({ EnvoyExtensions: [] });
});
