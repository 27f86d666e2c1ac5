import { expect, test } from 'vitest';
import { exportSpec } from '../../src/state/export-spec.ts';
import type { JsonObject } from '../../src/state/kind.ts';
import { parseJson } from '../../src/wire/json.ts';
import { benchForAll, kindOf, newSetId, type Stated, writeSet } from './bench.ts';

// What products do not accept or keep if it is stated as empty (seen with OpenBao, Consul and Boundary).

const bench = await benchForAll();

const named = (kind: string, key: string, spec: JsonObject, scope = {}): Stated => ({
  kind,
  identity: { scope, key },
  spec,
});

test('leaves out empty fields, and sends null in a map of texts as an empty text', async () => {
  const Failover = { Targets: [{ Datacenter: 'dc2', Partition: '', Namespace: null }] };
  const role = { key_type: 'ca', allow_user_certificates: true, default_extensions: { 'permit-pty': null } };
  writeSet(
    bench,
    [
      named('secrets.policy', 'empty', { policy: 'path "a" {}', expiration: '', cas_required: null }),
      named('secrets.mount', 'ssh-empty/', { type: 'ssh' }),
      named('secrets.mount', 'kv-empty/', { type: 'kv', options: { version: null } }),
      named('secrets.ssh-role', 'empty', role, { mount: 'ssh-empty' }),
      named('registry.query', 'empty', { Service: { Service: 'web', Failover } }),
    ],
    { id: newSetId() },
  );
  const { code, stdout, stderr } = await bench.run(['apply', 'state', '--yes']);
  expect(code, stdout + stderr).toBe(0);
  const sent = (end: string) => {
    const request = bench.writes().find(({ url }) => url.split('?')[0]?.endsWith(end));
    return parseJson(request?.body ?? '') as JsonObject;
  };
  expect(sent('/acl/empty')).toEqual({ policy: 'path "a" {}', cas: -1 });
  expect(sent('/mounts/kv-empty')).toMatchObject({ type: 'kv', options: {} });
  expect(sent('/roles/empty')).toMatchObject({ default_extensions: { 'permit-pty': '' } });
  expect(sent('/v1/query')).toMatchObject({ Service: { Failover: { Targets: [{ Datacenter: 'dc2' }] } } });
});

test('an export refers to the secrets of an auth method that the service has', () => {
  const { schema } = kindOf('accounts.auth-method');
  const live = { type: 'ldap', attributes: { urls: ['ldap://a'], bind_dn: 'cn=x' } };
  const { spec } = exportSpec(schema, live, {
    existing: undefined,
    hasValues: ['attributes.bind_password'],
    secretValue: (path) => path.join('.'),
  });
  expect(spec).toEqual({
    ...live,
    attributes: { ...live.attributes, bind_password: 'attributes.bind_password' },
  });
});
