import { describe, expect, test } from 'vitest';
import { isDatabaseDown } from '../../../src/api/conditions/accounts.ts';
import {
  isInactiveServer,
  isLostInCluster,
  isNotProcessed,
  isRateLimited,
  isSealed,
  isUpgradingMount,
  isWithoutTokens,
  mayHaveForwarded,
  saysAccessControlOff,
} from '../../../src/api/conditions/any.ts';
import { missingNamespaceIn } from '../../../src/api/conditions/scheduler.ts';
import { saysCheckAndSetMismatch, saysCheckAndSetRequired } from '../../../src/api/conditions/secrets.ts';
import { type ServiceName, serviceNames } from '../../../src/wire/services.ts';

const others: readonly ServiceName[] = ['registry', 'box', 'scheduler', 'accounts'];
const errors = (...messages: readonly string[]): string => JSON.stringify({ errors: messages });

describe('isSealed', () => {
  test('a 503 of the secrets service with that text', () => {
    for (const text of [errors('Vault is sealed'), errors('Sealed')])
      expect(isSealed('secrets', { status: 503, text })).toBe(true);
    expect(isSealed('secrets', { status: 503, text: errors('unsealed') })).toBe(false);
    for (const status of [200, 500]) expect(isSealed('secrets', { status, text: 'sealed' })).toBe(false);
    for (const service of others) expect(isSealed(service, { status: 503, text: 'sealed' })).toBe(false);
  });
});

describe('isInactiveServer', () => {
  const leaderless = errors('local node not active but active cluster node not found');

  test.each([
    [503, errors('Vault is sealed')],
    [503, errors('no active Vault instance found')],
    [503, errors('node is not active')],
    [500, leaderless],
  ])('of the secrets service: %i %s', (status, text) => {
    expect(isInactiveServer('secrets', { status, text })).toBe(true);
    for (const other of [400, status === 500 ? 503 : 500])
      expect(isInactiveServer('secrets', { status: other, text })).toBe(false);
    for (const service of others) expect(isInactiveServer(service, { status, text })).toBe(false);
  });

  test.each([
    'No cluster leader',
    'no cluster leader\n',
    'rpc error making call: No cluster leader',
    'rpc error making call: node is not the leader',
    'rpc error getting client: failed to get conn: dial tcp 127.0.0.1:0->127.0.0.1:8300: connect: connection refused',
    'rpc error: failed to get conn: dial tcp 127.0.0.1:4647: connect: connection refused',
    "rpc error: failed to get conn: rpc error: lead thread didn't get connection",
  ])('of registry and scheduler: %j', (text) => {
    for (const service of ['registry', 'scheduler'] as const) {
      expect(isInactiveServer(service, { status: 500, text })).toBe(true);
      expect(isInactiveServer(service, { status: 503, text })).toBe(false);
    }
    for (const service of ['secrets', 'box', 'accounts'] as const)
      expect(isInactiveServer(service, { status: 500, text })).toBe(false);
  });

  test.each(['', 'a: No cluster leader', 'No cluster leader found', 'rpc error: a: No cluster leader'])(
    'is no other 500: %j',
    (text) => {
      for (const service of ['secrets', 'registry', 'scheduler'] as const)
        expect(isInactiveServer(service, { status: 500, text })).toBe(false);
    },
  );

  test('is no other 503', () => {
    expect(isInactiveServer('secrets', { status: 503, text: errors('in maintenance mode') })).toBe(false);
  });
});

describe('isLostInCluster', () => {
  test.each([
    'leadership lost while committing log',
    'rpc error making call: leadership lost while committing log',
    'rpc error making call: EOF',
    'rpc error: stream closed',
    'rpc error making call: read tcp 127.0.0.1:1->127.0.0.1:2: connection reset by peer',
  ])('of registry and scheduler: %j', (text) => {
    for (const service of ['registry', 'scheduler'] as const) {
      expect(isLostInCluster(service, { status: 500, text })).toBe(true);
      expect(isLostInCluster(service, { status: 400, text })).toBe(false);
      expect(isInactiveServer(service, { status: 500, text })).toBe(false);
    }
    for (const service of ['secrets', 'box', 'accounts'] as const)
      expect(isLostInCluster(service, { status: 500, text })).toBe(false);
  });

  test.each([
    '',
    'unexpected EOF',
    'No cluster leader',
    'rpc error making call: invalid key "EOF"',
    'an rpc error: EOF',
  ])('is no other 500: %j', (text) => {
    expect(isLostInCluster('registry', { status: 500, text })).toBe(false);
  });
});

test('errors about access control and check-and-set', () => {
  expect(saysAccessControlOff('ACL support disabled')).toBe(true);
  expect(saysAccessControlOff('ACL not found')).toBe(false);
  expect(saysCheckAndSetMismatch('check-and-set parameter did not match the current version')).toBe(true);
  for (const text of [
    'check-and-set parameter set to -1 on existing entry',
    'metadata check-and-set parameter does not match the current version',
    'metadata_cas must be 0 when creating new metadata',
  ])
    expect(saysCheckAndSetMismatch(text)).toBe(true);
  expect(saysCheckAndSetMismatch('no metadata_cas must be 0 when creating new metadata')).toBe(false);
  expect(saysCheckAndSetMismatch('check-and-set parameter required for this call')).toBe(false);
  expect(saysCheckAndSetRequired('check-and-set parameter required for this call')).toBe(true);
  expect(saysCheckAndSetRequired('check-and-set parameter did not match the current version')).toBe(false);
});

test.each([
  ['db.Lookup: unknown: error #0: connection refused', true],
  ['dbw.LookupById: error', true],
  ['failed to connect to `host=localhost`', true],
  ['iam.(Repository).Lookup: not found', false],
  ['db.: x', false],
  ['no database', false],
])('isDatabaseDown: %s', (text, isDown) => {
  expect(isDatabaseDown(text)).toBe(isDown);
});

describe('isNotProcessed', () => {
  const limited =
    'rate limit exceeded for operation that can only be performed by the leader, try again later';

  test('by the registry: the rate limit, as the only text', () => {
    for (const isPlain of [true, false]) expect(isNotProcessed('registry', limited, isPlain)).toBe(true);
    expect(isNotProcessed('registry', `gateway: ${limited}`, true)).toBe(false);
    expect(isNotProcessed('registry', 'Vault is sealed', false)).toBe(false);
  });

  test.each([
    'Vault is sealed',
    'in maintenance',
    'node is not active',
    'no active OpenBao instance found',
    'has been locked',
  ])('by the secrets service, in JSON: %s', (said) => {
    expect(isNotProcessed('secrets', said, false)).toBe(true);
    expect(isNotProcessed('secrets', said, true)).toBe(false);
    for (const service of ['scheduler', 'accounts'] as const)
      expect(isNotProcessed(service, said, false)).toBe(false);
  });

  test('by the box registry, in JSON: maintenance', () => {
    expect(isNotProcessed('box', 'The registry is under maintenance', false)).toBe(true);
    expect(isNotProcessed('box', 'The registry is under maintenance', true)).toBe(false);
    expect(isNotProcessed('box', 'Vault is sealed', false)).toBe(false);
  });
});

test('the namespace that a message says does not exist', () => {
  expect(missingNamespaceIn('variable "a" is in nonexistent namespace "team-a"')).toBe('team-a');
  expect(missingNamespaceIn('variable "a" not found')).toBeUndefined();
});

describe('the services and statuses with which a response', () => {
  const limited =
    'rate limit exceeded for operation that can only be performed by the leader, try again later';
  const bootstrap = 'ACL system must be bootstrapped before making any requests that require authorization';
  const upgrading =
    'from non-versioned to versioned data. This backend will be unavailable for a brief period';
  const others429 = ['registry 429', 'box 429', 'scheduler 429', 'accounts 429'];

  test.each([
    ['is of a server without the tokens', isWithoutTokens, bootstrap, ['registry 403']],
    ['is of a server without the tokens', isWithoutTokens, `the ${bootstrap}`, []],
    ['may be of a write that was forwarded', mayHaveForwarded, '', ['secrets 307']],
    [
      'may be of a write that was forwarded',
      mayHaveForwarded,
      errors('no active Vault instance found'),
      ['secrets 307', 'secrets 503'],
    ],
    ['is of a mount that is new', isUpgradingMount, errors(`Upgrading ${upgrading}`), ['secrets 400']],
    [
      'is of a mount that is new',
      isUpgradingMount,
      errors(`Waiting for the primary to upgrade ${upgrading}`),
      ['secrets 400'],
    ],
    ['is of a mount that is new', isUpgradingMount, errors(upgrading), []],
    ['is of a rate limit, not of a standby', isRateLimited, '', others429],
    ['is of a rate limit', isRateLimited, errors('Vault is sealed'), ['secrets 429', ...others429]],
    ['is of a rate limit', isRateLimited, 'x', ['secrets 429', ...others429]],
    ['is of a rate limit', isRateLimited, limited, ['secrets 429', ...others429, 'registry 503']],
  ])('%s: %s %j', (_what, condition, text, expected) => {
    const held = serviceNames.flatMap((service) =>
      [200, 307, 400, 403, 429, 500, 503]
        .filter((status) => condition(service, { status, text }))
        .map((status) => `${service} ${status}`),
    );
    expect(held.sort()).toEqual([...expected].sort());
  });
});
