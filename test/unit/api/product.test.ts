import { describe, expect, test } from 'vitest';
import { type Evidence, isFrom, recognize } from '../../../src/api/product.ts';
import { type ServiceName, serviceNames } from '../../../src/wire/services.ts';

const response = (body: unknown, headers: Evidence['headers'] = {}, status = 200): Evidence => ({
  status,
  headers,
  body,
});

// What the products were seen to send.
const openBao = {
  health: response({ initialized: true, sealed: false, standby: false, version: '2.6.2' }),
  seal: response({ type: 'shamir', initialized: true, sealed: false, version: '2.6.2', commit_date: '' }),
};
const consul = { 'x-consul-default-acl-policy': 'deny' };
const nomad = { 'x-nomad-index': '1', 'x-nomad-knownleader': 'true', 'x-nomad-lastcontact': '0' };
const boundary = {
  'grpc-metadata-content-type': 'application/grpc',
  'ratelimit-policy': '1500;w=30;comment="total", 150;w=30;comment="auth-token"',
};
const agentHealth = response({ client: { message: 'ok', ok: true }, server: { message: 'ok', ok: true } });
const methods = response(
  { items: [{ id: 'ampw_1234567890', scope_id: 'global', type: 'password' }], response_type: 'complete' },
  boundary,
);

describe('recognize', () => {
  test('OpenBao by the commit date of its seal status, empty or not', () => {
    expect(recognize('secrets', [openBao.health, openBao.seal])).toEqual({
      product: 'OpenBao',
      version: '2.6.2',
    });
  });

  test('Vault by the build date of its seal status', () => {
    const health = { initialized: true, sealed: false, standby: false };
    const seal = { ...health, build_date: '2025-06-20T14:01:27Z' };
    const of = (version: string, more: object = {}) =>
      recognize('secrets', [response({ ...health, version, ...more }), response({ ...seal, version })]);
    expect(of('1.20.0')).toEqual({ product: 'Vault', version: '1.20.0' });
    expect(of('2.0.0', { enterprise: false })).toEqual({ product: 'Vault', version: '2.0.0' });
    // OpenBao had a build date once.
    expect(of('2.0.0')).toEqual({ product: 'Vault-compatible', version: '2.0.0' });
  });

  test('no secrets service by its health alone', () => {
    expect(recognize('secrets', [openBao.health])).toEqual({ product: 'Vault-compatible', version: '2.6.2' });
  });

  test('Consul by its headers, and its version by its agent', () => {
    const leader = response('127.0.0.1:8300', consul);
    expect(recognize('registry', [leader])).toEqual({ product: 'Consul', version: null });
    const agent = response({ Config: { Datacenter: 'dc1', Version: '1.21.4' }, DebugConfig: {} }, consul);
    expect(recognize('registry', [leader, agent])).toEqual({ product: 'Consul', version: '1.21.4' });
    expect(recognize('registry', [response('127.0.0.1:8300')])).toMatchObject({
      product: 'Consul-compatible',
    });
  });

  test('Nomad by its headers, and its version by its agent', () => {
    const namespaces = response([], nomad);
    expect(recognize('scheduler', [agentHealth, namespaces])).toEqual({ product: 'Nomad', version: null });
    const agent = response({ config: { Version: { Version: '2.0.6', VersionPrerelease: 'dev' } } });
    expect(recognize('scheduler', [agentHealth, agent, namespaces])).toEqual({
      product: 'Nomad',
      version: '2.0.6-dev',
    });
    expect(recognize('scheduler', [agentHealth])).toEqual({ product: 'Nomad-compatible', version: null });
  });

  test('Boundary by its gateway and its rate limits', () => {
    expect(recognize('accounts', [methods])).toEqual({ product: 'Boundary', version: null });
    const down = { kind: 'Internal', message: 'db.LookupById: unknown' };
    const limits = { 'ratelimit-policy': boundary['ratelimit-policy'] };
    expect(recognize('accounts', [response(down, limits, 500)])).toMatchObject({ product: 'Boundary' });
    expect(recognize('accounts', [response(methods.body)])).toMatchObject({ product: 'Boundary-compatible' });
  });

  test('a box registry as compatible with Vagrant', () => {
    expect(recognize('box', [response({ boxes: [] })])).toEqual({
      product: 'Vagrant-compatible',
      version: null,
    });
  });

  test('Lanyard by its name, whatever else it sends', () => {
    const server = { server: 'Lanyard/1.2.3', ...nomad, ...consul };
    for (const service of serviceNames)
      expect(recognize(service, [response({}, server)])).toEqual({ product: 'Lanyard', version: '1.2.3' });
  });

  test('nothing by the name of a proxy, or from a page', () => {
    const proxied = response(openBao.health.body, { server: 'nginx/1.25.3' });
    expect(recognize('secrets', [proxied])).toMatchObject({ product: 'Vault-compatible', version: '2.6.2' });
    for (const service of serviceNames)
      for (const body of ['<html>', undefined, null, [], {}, { errors: [] }])
        if (!(service === 'registry' && typeof body === 'string'))
          expect(recognize(service, [response(body)])).toEqual({ product: null, version: null });
    expect(recognize('secrets', [])).toEqual({ product: null, version: null });
  });
});

describe('isFrom', () => {
  const healths: { readonly [S in ServiceName]: Evidence } = {
    secrets: openBao.health,
    registry: response('127.0.0.1:8300', consul),
    box: response({ boxes: [] }),
    scheduler: agentHealth,
    accounts: methods,
  };

  test('distinguishes the services by their health', () => {
    for (const service of serviceNames)
      for (const other of serviceNames)
        expect(isFrom(service, healths[other]), `${service}, ${other}`).toBe(service === other);
  });

  test('holds in every state of a service', () => {
    expect(isFrom('secrets', response({ initialized: false, sealed: true }, {}, 501))).toBe(true);
    expect(isFrom('registry', response('', consul))).toBe(true);
    expect(isFrom('registry', response('No cluster leader', consul, 500))).toBe(true);
    // Nomad sends the JSON of a failing server as text.
    const noLeader = '{"server":{"ok":false,"message":"No cluster leader"}}';
    expect(isFrom('scheduler', response(noLeader, {}, 500))).toBe(true);
    const rejected = { kind: 'Unauthenticated', message: 'Unauthenticated, or invalid token.' };
    expect(isFrom('accounts', response(rejected, {}, 401))).toBe(true);
    expect(isFrom('accounts', response({ response_type: 'complete' }))).toBe(true);
  });

  test('does not hold for what other products send there', () => {
    expect(isFrom('box', response({ errors: [] }, {}, 404))).toBe(false);
    expect(isFrom('accounts', response({ errors: ['permission denied'] }, {}, 403))).toBe(false);
    expect(isFrom('registry', response('127.0.0.1:4647', nomad))).toBe(false);
    expect(isFrom('registry', response('Invalid URL path', {}, 404))).toBe(false);
  });
});
