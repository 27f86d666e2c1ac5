import { describe, expect, test } from 'vitest';
import {
  isTokenNotRead,
  isUnidentifiedCaller,
  isUnknownRegistryToken,
} from '../../../src/api/conditions/registry.ts';
import {
  isExpiredToken,
  isMalformedToken,
  isTakenForUuid,
  isUnknownSchedulerToken,
  isWithoutStoredToken,
} from '../../../src/api/conditions/scheduler.ts';
import { isUnknownSecretsToken } from '../../../src/api/conditions/secrets.ts';
import { failureOf } from './support.ts';

describe('Vault and OpenBao', () => {
  const said = (...errors: string[]) => failureOf('secrets', 403, JSON.stringify({ errors }));

  test('isUnknownSecretsToken: in the words of Vault only', () => {
    expect(
      isUnknownSecretsToken(said('2 errors occurred:\n\t* permission denied\n\t* invalid token\n\n')),
    ).toBe(true);
    expect(isUnknownSecretsToken(said('bad token'))).toBe(true);
    expect(isUnknownSecretsToken(said('permission denied'))).toBe(false);
    expect(isUnknownSecretsToken(said('1 error occurred:\n\t* permission denied\n\n'))).toBe(false);
  });
});

describe('Consul', () => {
  const said = (status: number, text: string) => failureOf('registry', status, text, 'text/plain');
  const unread = said(401, 'Supplied token does not exist');
  const self = said(403, 'token does not exist: ACL not found');

  test('isUnknownRegistryToken: a token that was read, not a caller without one', () => {
    expect(isUnknownRegistryToken(said(403, 'ACL not found'))).toBe(true);
    const beforeBootstrap =
      'ACL system must be bootstrapped before making any requests that require authorization: ACL not found';
    expect(isUnknownRegistryToken(said(403, beforeBootstrap))).toBe(true);
    expect(isUnknownRegistryToken(said(403, `${beforeBootstrap}: more`))).toBe(false);
    expect(isUnknownRegistryToken(self)).toBe(false);
    expect(isUnknownRegistryToken(unread)).toBe(false);
    expect(isUnknownRegistryToken(said(403, 'ACL not found: auth method "x" not found'))).toBe(false);
    expect(isUnknownRegistryToken(said(403, 'Permission denied'))).toBe(false);
  });

  test('isUnidentifiedCaller: of the own token, with and without one', () => {
    expect(isUnidentifiedCaller(self)).toBe(true);
    expect(isUnidentifiedCaller(said(403, 'ACL not found'))).toBe(true);
    expect(isUnidentifiedCaller(said(403, 'Permission denied'))).toBe(false);
    expect(isUnidentifiedCaller(said(401, 'ACL support disabled'))).toBe(false);
  });

  test('isTokenNotRead: the logout of a caller without a token', () => {
    expect(isTokenNotRead(unread)).toBe(true);
    expect(isTokenNotRead(said(401, 'ACL support disabled'))).toBe(false);
  });
});

describe('Nomad', () => {
  const said = (status: number, text: string) => failureOf('scheduler', status, text, 'text/plain');

  test('isUnknownSchedulerToken: in the words of Nomad, not of a gateway', () => {
    expect(isUnknownSchedulerToken(said(403, 'Permission denied'))).toBe(true);
    expect(isUnknownSchedulerToken(said(403, 'ACL token not found'))).toBe(true);
    expect(isUnknownSchedulerToken(said(403, 'blocked by gateway policy'))).toBe(false);
    expect(isUnknownSchedulerToken(said(403, 'Permission denied by gateway'))).toBe(false);
    expect(isUnknownSchedulerToken(said(404, 'ACL token not found'))).toBe(false);
  });

  test('isWithoutStoredToken: not a route that is missing', () => {
    expect(isWithoutStoredToken(said(404, 'ACL token not found'))).toBe(true);
    expect(isWithoutStoredToken(said(404, '404 page not found'))).toBe(false);
    expect(isWithoutStoredToken(said(403, 'ACL token not found'))).toBe(false);
  });

  test('isTakenForUuid and isMalformedToken: a text that is not a UUID', () => {
    const uuid = said(500, 'UUID must be 36 characters');
    expect([isTakenForUuid(uuid), isMalformedToken(uuid)]).toEqual([true, true]);
    const unsigned = said(
      500,
      'failed to parse signed token: go-jose/go-jose: compact JWS format must have three parts',
    );
    expect([isTakenForUuid(unsigned), isMalformedToken(unsigned)]).toEqual([false, true]);
    expect(isMalformedToken(said(500, 'rpc error'))).toBe(false);
  });

  test('isExpiredToken', () => {
    expect(isExpiredToken(said(403, 'ACL token expired'))).toBe(true);
    expect(isExpiredToken(said(403, 'Permission denied'))).toBe(false);
  });
});
