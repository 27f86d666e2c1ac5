import { describe, expect, test } from 'vitest';
import * as accounts from '../../../src/api/conditions/accounts.ts';
import * as anyService from '../../../src/api/conditions/any.ts';
import * as box from '../../../src/api/conditions/box.ts';
import * as registry from '../../../src/api/conditions/registry.ts';
import * as scheduler from '../../../src/api/conditions/scheduler.ts';
import * as secrets from '../../../src/api/conditions/secrets.ts';
import { LanyardError } from '../../../src/errors.ts';
import type { ServiceName } from '../../../src/wire/services.ts';
import { failureOf } from './support.ts';

type Condition = (error: unknown) => boolean;

/** An error with these messages, in the form in which each service sends them. */
function said(service: ServiceName, status: number, text: string) {
  const isPlain = service === 'registry' || service === 'scheduler';
  if (isPlain) return failureOf(service, status, text, 'text/plain');
  const body = service === 'accounts' ? { kind: 'Error', message: text } : { errors: [text] };
  return failureOf(service, status, JSON.stringify(body));
}

interface Case {
  readonly condition: Condition;
  readonly service: ServiceName;
  /** The statuses with which it holds; empty: with any. */
  readonly statuses: readonly number[];
  readonly holds: readonly string[];
  readonly fails?: readonly string[];
}

// The texts are those that the products send.
const cases: Readonly<Record<string, Case>> = {
  isExistingCa: {
    condition: secrets.isExistingCa,
    service: 'secrets',
    statuses: [],
    holds: ["keys are already configured; use the 'force' parameter"],
    fails: ["keys haven't been configured yet"],
  },
  isHiddenMount: {
    condition: secrets.isHiddenMount,
    service: 'secrets',
    statuses: [403],
    holds: [
      'preflight capability check returned 403, please ensure client\'s policies grant access to path "a/"',
    ],
    fails: ['the preflight capability check returned 403'],
  },
  isMissingRole: {
    condition: secrets.isMissingRole,
    service: 'secrets',
    statuses: [],
    holds: ['unknown role: deploy', 'Unknown role', 'role "deploy" not found'],
    fails: ['an unknown role', 'the role "deploy" not found', 'role not found'],
  },
  isRejectedExtension: {
    condition: secrets.isRejectedExtension,
    service: 'secrets',
    statuses: [],
    holds: ['extensions [permit-pty] are not on allowed list', 'Extension x is not allowed'],
    fails: ['principal is not allowed'],
  },
  isUnknownOtp: {
    condition: secrets.isUnknownOtp,
    service: 'secrets',
    statuses: [],
    holds: ['OTP not found'],
    fails: ['the OTP not found', 'not found'],
  },
  isRejectedProof: {
    condition: secrets.isRejectedProof,
    service: 'secrets',
    statuses: [],
    holds: [
      'invalid username or password',
      'invalid role or secret ID',
      'invalid role_id',
      'invalid secret_id',
      'error validating token: expired',
      'error verifying token signature',
      'error validating claims: audience',
      'ldap operation failed: failed to bind as user',
      'invalid certificate or no client certificate supplied',
      'no client certificate found',
      'OpenBao login failed. Expired or missing OAuth state.',
      'Vault login failed. error validating claims: claim "groups" does not match any associated bound claim values',
    ],
    fails: ['the login failed. x', 'an invalid username or password', 'invalid request', 'error validating'],
  },
  isDeniedByPolicy: {
    condition: secrets.isDeniedByPolicy,
    service: 'secrets',
    statuses: [403],
    holds: ['1 error occurred:\n\t* permission denied\n\n'],
    fails: ['permission denied', '2 errors occurred:\n\t* permission denied\n\t* invalid token\n\n'],
  },
  'isAccessControlOff of Consul': {
    condition: anyService.isAccessControlOff,
    service: 'registry',
    statuses: [400, 401],
    holds: ['ACL support disabled'],
    fails: ['ACL not found'],
  },
  isUnknownRegistryToken: {
    condition: registry.isUnknownRegistryToken,
    service: 'registry',
    statuses: [403],
    holds: ['ACL not found', 'ACL not found\n'],
    fails: ['ACL not found: token', 'ACL not\nfound'],
  },
  'isMissingQuery by ID': {
    condition: registry.isMissingQuery,
    service: 'registry',
    statuses: [404],
    holds: ['Query not found'],
  },
  'isMissingQuery on a write': {
    condition: registry.isMissingQuery,
    service: 'registry',
    statuses: [500],
    holds: ["Cannot modify non-existent prepared query: 'a'"],
  },
  isUnknownEndpoint: {
    condition: registry.isUnknownEndpoint,
    service: 'registry',
    statuses: [404],
    holds: ['', 'Invalid URL path: not a recognized HTTP API endpoint', '404 page not found'],
    fails: ['Query not found'],
  },
  isMissingAuthMethod: {
    condition: registry.isMissingAuthMethod,
    service: 'registry',
    statuses: [403],
    holds: ['ACL not found: auth method "nope" not found'],
    fails: ['auth method "nope"'],
  },
  isLoginWithoutRights: {
    condition: registry.isLoginWithoutRights,
    service: 'registry',
    statuses: [403],
    holds: ['Permission denied'],
    fails: ['Permission denied: x', 'a\nPermission denied'],
  },
  isTransactionTooLarge: {
    condition: registry.isTransactionTooLarge,
    service: 'registry',
    statuses: [413],
    holds: ['Request body(699106 bytes) too large, max size', 'Request body (9 bytes) too large'],
    fails: ['a Request body(9 bytes) too large', 'Request body too large'],
  },
  isForbiddenTransaction: {
    condition: registry.isForbiddenTransaction,
    service: 'registry',
    statuses: [409],
    holds: [
      'operation 0: Permission denied',
      'operation 12: Permission denied: x\noperation 3: Permission denied',
    ],
    fails: ['', 'an operation 0: Permission denied', 'operation 0: Permission denied\nother'],
  },
  isAnonymous: {
    condition: registry.isAnonymous,
    service: 'registry',
    statuses: [],
    holds: ["Permission denied: anonymous token lacks permission 'key:write'"],
    fails: ["token with AccessorID 'x' lacks permission"],
  },
  isTokenWithoutRules: {
    condition: registry.isTokenWithoutRules,
    service: 'registry',
    statuses: [500],
    holds: ['token with AccessorID "x" does not have any rules'],
    fails: ['No cluster leader'],
  },
  'isMissingNamespace by its text': {
    condition: scheduler.isMissingNamespace,
    service: 'scheduler',
    statuses: [],
    holds: ['Namespace not found'],
  },
  'isMissingNamespace by its status': {
    condition: scheduler.isMissingNamespace,
    service: 'scheduler',
    statuses: [404],
    holds: ['', 'other', 'the namespace not found', 'namespace not found here'],
  },
  isNamespaceInUse: {
    condition: scheduler.isNamespaceInUse,
    service: 'scheduler',
    statuses: [],
    holds: [
      'namespace "full" has variables associated with it in regions: [global]',
      'namespace "a" has non-terminal jobs in regions: [global]',
    ],
    fails: ['has nothing', 'variables associated with it'],
  },
  isValueTaken: {
    condition: accounts.isValueTaken,
    service: 'accounts',
    statuses: [400],
    holds: [
      'login name must be unique',
      'has the same value',
      'has the same unique value',
      'name already exists',
    ],
    fails: ['Error in provided request.'],
  },
  isStaleAccount: {
    condition: accounts.isStaleAccount,
    service: 'accounts',
    statuses: [],
    holds: ["Account doesn't exist or incorrect version provided."],
    fails: ['updated account and 10 rows updated'],
  },
  isInvalidId: {
    condition: accounts.isInvalidId,
    service: 'accounts',
    statuses: [400],
    holds: [
      'id: Invalid formatted identifier.',
      'auth_method_id: Unknown auth method type from ID.',
      'attributes: unknown subtype in ID: x',
    ],
    fails: [
      'scope_id: Invalid formatted identifier.',
      'the attributes: unknown subtype in ID',
      'id: missing',
    ],
  },
  isWrongPassword: {
    condition: accounts.isWrongPassword,
    service: 'accounts',
    statuses: [403],
    holds: ['Failed to change password.'],
    fails: ['Forbidden.'],
  },
  isInvalidListToken: {
    condition: accounts.isInvalidListToken,
    service: 'accounts',
    statuses: [400, 500],
    holds: ['list_token: Invalid.', 'list token was expired', 'handlers.ParseListToken: unknown'],
    fails: ['the list_token: Invalid.', 'playlist tokens'],
  },
  isLoginWithoutUser: {
    condition: accounts.isLoginWithoutUser,
    service: 'accounts',
    statuses: [404],
    holds: ['Unable to find requested resource.'],
    fails: ['x Unable to find requested resource.', 'Unable to find requested resource. x'],
  },
  isGoneToken: {
    condition: accounts.isGoneToken,
    service: 'accounts',
    statuses: [404],
    holds: ['Resource not found.'],
    fails: ['x Resource not found.', 'Resource not found. x'],
  },
  isReleasedAlready: {
    condition: box.isReleasedAlready,
    service: 'box',
    statuses: [422],
    holds: ['Version has already been released'],
    fails: ['Version has not been released'],
  },
  isExpiredToken: {
    condition: scheduler.isExpiredToken,
    service: 'scheduler',
    statuses: [400, 403],
    holds: ['ACL token expired', 'the token is expired'],
    fails: ['token not expired'],
  },
  isUnknownSchedulerToken: {
    condition: scheduler.isUnknownSchedulerToken,
    service: 'scheduler',
    statuses: [403],
    holds: ['Permission denied', 'ACL token not found'],
    fails: ['a Permission denied', 'ACL token not found here'],
  },
  isWithoutStoredToken: {
    condition: scheduler.isWithoutStoredToken,
    service: 'scheduler',
    statuses: [404],
    holds: ['ACL token not found'],
    fails: ['an ACL token not found', 'ACL token not found here'],
  },
};

describe.each(Object.entries(cases))('%s', (_name, { condition, service, statuses, holds, fails = [] }) => {
  const [status = 400] = statuses;

  test.each(holds)('holds for %j, with its statuses only', (text) => {
    for (const each of [400, 401, 403, 404, 409, 413, 422, 500]) {
      const expected = statuses.length === 0 || statuses.includes(each);
      expect([each, condition(said(service, each, text))]).toEqual([each, expected]);
    }
  });

  if (fails.length > 0)
    test.each(fails)('does not hold for %j', (text) => {
      expect(condition(said(service, status, text))).toBe(false);
    });

  test('does not hold for an error that is not from a service', () => {
    for (const error of [
      new Error(holds[0]),
      new LanyardError('usage', holds[0] ?? ''),
      undefined,
      null,
      'x',
    ])
      expect(condition(error)).toBe(false);
  });
});

describe('a policy that denies a call', () => {
  test('is reported by a body that begins with the count of errors', () => {
    const denied = '1 error occurred:\n\t* permission denied\n\n';
    const body = (text: string) => failureOf('secrets', 403, text);
    expect(secrets.isDeniedByPolicy(body(JSON.stringify({ data: { errors: [denied] } })))).toBe(false);
    expect(secrets.isDeniedByPolicy(body(JSON.stringify({ request_id: 'a', errors: [denied] })))).toBe(false);
    expect(
      secrets.isDeniedByPolicy(body(`{"errors":[${JSON.stringify(denied)}],"at":12345678901234567890}`)),
    ).toBe(true);
    expect(secrets.isDeniedByPolicy(new LanyardError('forbidden', 'a', { status: 403 }))).toBe(false);
    expect(secrets.isDeniedByPolicy(body(''))).toBe(false);
  });
});

describe('what a message names', () => {
  const consul = (text: string) => said('registry', 403, text);

  test('the reset index of a bootstrap, in one line', () => {
    expect(registry.resetIndexOf(consul('ACL bootstrap no longer allowed (reset index: 12)'))).toBe('12');
    expect(registry.resetIndexOf(consul('reset index: 6\n)'))).toBeUndefined();
    expect(registry.resetIndexOf(new Error('(reset index: 6)'))).toBeUndefined();
  });

  test('the number of operations that a transaction may have', () => {
    const text = 'Transaction contains too many operations (1290 > 128)';
    expect(registry.operationLimitOf(said('registry', 413, text))).toBe(128);
    expect(registry.operationLimitOf(said('registry', 400, text))).toBeUndefined();
    expect(registry.operationLimitOf(said('registry', 413, 'too many operations'))).toBeUndefined();
  });

  test('the selector that the listed objects do not have', () => {
    const text = 'error finding value in datum: /A/B at part 10: no key';
    expect(scheduler.unknownSelectorOf(said('scheduler', 400, text))).toEqual(['A', 'B']);
    expect(scheduler.unknownSelectorOf(said('scheduler', 400, text.replace('10', '')))).toBeUndefined();
    expect(scheduler.unknownSelectorOf(said('scheduler', 500, text))).toBeUndefined();
  });

  test('why a login name or password is rejected, with and without the functions before it', () => {
    const reason = 'username: ab, must be longer than 3';
    const violation = 'integrity violation: error #113';
    for (const before of ['', 'password.(Repository).CreateAccount: ', 'a.(Service).b: c.(Repository).D: '])
      expect(accounts.rejectedValueIn(said('accounts', 500, `${before}${reason}: ${violation}`))).toBe(
        reason,
      );
  });

  test('the parameters that were ignored', () => {
    const warnings = ['Endpoint ignored these unrecognized parameters: [a, b  c]'];
    expect(secrets.ignoredParameters({ warnings })).toEqual(['a', 'b', 'c']);
    expect(secrets.ignoredParameters({})).toEqual([]);
    expect(secrets.ignoredParameters(null)).toEqual([]);
    expect(secrets.ignoredParameters(undefined)).toEqual([]);
  });

  test('the path below no mount, at the start of a message', () => {
    const route = 'no handler for route "a/b". route entry not found.';
    expect(secrets.unmountedPathIn(['first', route])).toBe('a/b');
    expect(secrets.unmountedPathIn([`there is ${route}`])).toBeUndefined();
  });

  test('plain http to a port with TLS, at the start of a message', () => {
    const text = 'Client sent an HTTP request to an HTTPS server.';
    expect(anyService.isPlainHttpToTls(['first', text])).toBe(true);
    expect(anyService.isPlainHttpToTls([`the ${text}`])).toBe(false);
    expect(anyService.isPlainHttpToTls([])).toBe(false);
  });
});

describe('the variable of a conflict', () => {
  test('is zeroed if the body has none', () => {
    const none = { index: '0', items: undefined };
    for (const text of ['', 'null', 'conflict', '7'])
      expect(scheduler.conflictingVariable(failureOf('scheduler', 409, text))).toEqual(none);
    const withoutBody = new LanyardError('conflict', 'a', { status: 409 });
    expect(scheduler.conflictingVariable(withoutBody)).toEqual(none);
    expect(scheduler.conflictingVariable(new Error('conflict'))).toBeUndefined();
  });
});
