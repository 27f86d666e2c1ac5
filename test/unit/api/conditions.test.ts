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

/** An error with these messages, in the form in which each service sends them. */
function errorWith(service: ServiceName, status: number, text: string) {
  const isPlain = service === 'registry' || service === 'scheduler';
  if (isPlain) return failureOf(service, status, text, 'text/plain');
  const body = service === 'accounts' ? { kind: 'Error', message: text } : { errors: [text] };
  return failureOf(service, status, JSON.stringify(body));
}

const id = '11111111-1111-4111-8111-111111111119';
const beforeBootstrap =
  'ACL system must be bootstrapped before making any requests that require authorization: ACL not found';

interface Case {
  readonly condition: (error: unknown) => boolean;
  /** The statuses with which it holds; none: any. */
  readonly statuses?: readonly number[];
  readonly holds: readonly string[];
  readonly fails?: readonly string[];
}

// The texts are those that the products send.
const cases: { readonly [S in ServiceName]: Readonly<Record<string, Case>> } = {
  secrets: {
    isExistingCa: {
      condition: secrets.isExistingCa,
      holds: ["keys are already configured; use the 'force' parameter"],
      fails: ["keys haven't been configured yet"],
    },
    isHiddenMount: {
      condition: secrets.isHiddenMount,
      statuses: [403],
      holds: [
        'preflight capability check returned 403, please ensure client\'s policies grant access to path "a/"',
      ],
      fails: ['the preflight capability check returned 403'],
    },
    isMissingRole: {
      condition: secrets.isMissingRole,
      holds: ['unknown role: deploy', 'Unknown role', 'role "deploy" not found'],
      fails: ['an unknown role', 'the role "deploy" not found', 'role not found'],
    },
    isRejectedExtension: {
      condition: secrets.isRejectedExtension,
      holds: ['extensions [permit-pty] are not on allowed list', 'Extension x is not allowed'],
      fails: ['principal is not allowed'],
    },
    isUnknownOtp: {
      condition: secrets.isUnknownOtp,
      holds: ['OTP not found'],
      fails: ['the OTP not found', 'not found'],
    },
    isRejectedProof: {
      condition: secrets.isRejectedProof,
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
      fails: [
        'the login failed. x',
        'an invalid username or password',
        'invalid request',
        'error validating',
      ],
    },
    isDeniedByPolicy: {
      condition: secrets.isDeniedByPolicy,
      statuses: [403],
      holds: ['1 error occurred:\n\t* permission denied\n\n'],
      fails: ['permission denied', '2 errors occurred:\n\t* permission denied\n\t* invalid token\n\n'],
    },
    hasNoDefaultIssuer: {
      condition: secrets.hasNoDefaultIssuer,
      holds: ['no default issuer currently configured'],
      fails: ["keys haven't been configured yet"],
    },
    isUnknownSecretsToken: {
      condition: secrets.isUnknownSecretsToken,
      statuses: [403],
      holds: ['2 errors occurred:\n\t* permission denied\n\t* invalid token\n\n', 'bad token'],
      fails: ['permission denied', '1 error occurred:\n\t* permission denied\n\n'],
    },
    isMissingLoginRole: {
      condition: secrets.isMissingLoginRole,
      statuses: [400],
      holds: ['role "nope" could not be found', 'invalid role name "nope"'],
      fails: ['invalid role or secret ID', 'an invalid role name "nope"'],
    },
    isWithoutLoginRole: {
      condition: secrets.isWithoutLoginRole,
      statuses: [400],
      holds: ['missing role'],
      fails: ['missing role_id', 'a missing role'],
    },
    isForbiddenLogin: {
      condition: secrets.isForbiddenLogin,
      statuses: [403],
      holds: ['permission denied'],
      fails: ['service account name not authorized', 'the permission denied', 'permission denied: x'],
    },
    isMissingMount: {
      condition: secrets.isMissingMount,
      statuses: [400],
      holds: [
        'No secret engine mount at a/',
        'No auth engine at a/',
        'no matching mount at "a/"',
        'cannot fetch sysview for path "a/"',
        'tune of path "a/" failed: no mount entry found',
      ],
      fails: ['found No auth engine at a/', 'tune of path "a/" failed'],
    },
    isMountPathTaken: {
      condition: secrets.isMountPathTaken,
      statuses: [400],
      holds: ['path is already in use at a/', 'existing mount already in use at a/'],
      fails: ['the path is already in use at a/'],
    },
    isUnknownMountType: {
      condition: secrets.isUnknownMountType,
      statuses: [400],
      holds: ['plugin not found in the catalog: x', 'unknown backend type: "x"', 'unknown auth type: "x"'],
      fails: ['a plugin not found in the catalog', 'an unknown backend type: "x"'],
    },
    isMissingToken: {
      condition: secrets.isMissingToken,
      statuses: [400, 403, 404],
      holds: [
        'bad token',
        'token not found',
        'token to revoke not found',
        'invalid accessor',
        '1724.x9 invalid accessor',
        '1 error occurred:\n\t* invalid accessor\n\n',
      ],
      fails: [
        'a bad token',
        'bad token: x',
        'the token not found',
        'not an invalid accessor',
        'invalid accessor: x',
        '1 error occurred:\n\t* invalid accessor: x\n\n',
      ],
    },
    isMissingTokenRole: {
      condition: secrets.isMissingTokenRole,
      statuses: [400],
      holds: ['unknown role deploy'],
      fails: ['an unknown role deploy'],
    },
    isTokenIdTaken: {
      condition: secrets.isTokenIdTaken,
      statuses: [400],
      holds: ['cannot create a token with a duplicate ID'],
      fails: ['we cannot create a token with a duplicate ID'],
    },
    isMissingLease: {
      condition: secrets.isMissingLease,
      statuses: [400],
      holds: ['invalid lease', 'lease not found', 'lease not found or lease is not renewable'],
      fails: ['an invalid lease', 'invalid lease ID', 'the lease not found'],
    },
    isUnknownWrappingToken: {
      condition: secrets.isUnknownWrappingToken,
      statuses: [400],
      holds: ['wrapping token is not valid or does not exist'],
      fails: ['the wrapping token is not valid or does not exist'],
    },
    isInvalidWrappingToken: {
      condition: secrets.isInvalidWrappingToken,
      statuses: [400, 403],
      holds: ['wrapping token is not valid or does not exist'],
      fails: ['no token'],
    },
    isInvalidPolicy: {
      condition: secrets.isInvalidPolicy,
      statuses: [400],
      holds: ['failed to parse policy: unexpected token'],
      fails: ['it failed to parse policy'],
    },
  },
  registry: {
    'isAccessControlOff of Consul': {
      condition: anyService.isAccessControlOff,
      statuses: [400, 401],
      holds: ['ACL support disabled'],
      fails: ['ACL not found'],
    },
    isUnknownRegistryToken: {
      condition: registry.isUnknownRegistryToken,
      statuses: [403],
      holds: ['ACL not found', 'ACL not found\n', beforeBootstrap],
      fails: [
        'ACL not found: token',
        'ACL not\nfound',
        `${beforeBootstrap}: more`,
        'token does not exist: ACL not found',
        'ACL not found: auth method "x" not found',
        'Permission denied',
      ],
    },
    'isMissingQuery by ID': {
      condition: registry.isMissingQuery,
      statuses: [404],
      holds: ['Query not found'],
    },
    'isMissingQuery on a write': {
      condition: registry.isMissingQuery,
      statuses: [500],
      holds: ["Cannot modify non-existent prepared query: 'a'"],
      fails: ['failed prepared query lookup: index error: UUID must be 36 characters'],
    },
    isUnknownEndpoint: {
      condition: registry.isUnknownEndpoint,
      statuses: [404],
      holds: ['', 'Invalid URL path: not a recognized HTTP API endpoint', '404 page not found'],
      fails: ['Query not found'],
    },
    isMissingAuthMethod: {
      condition: registry.isMissingAuthMethod,
      statuses: [403],
      holds: ['ACL not found: auth method "nope" not found'],
      fails: ['auth method "nope"'],
    },
    isLoginWithoutRights: {
      condition: registry.isLoginWithoutRights,
      statuses: [403],
      holds: ['Permission denied'],
      fails: [
        'Permission denied: x',
        'a\nPermission denied',
        "Permission denied: token wasn't created via login",
        'ACL not found: auth method "nope" not found',
      ],
    },
    isTransactionTooLarge: {
      condition: registry.isTransactionTooLarge,
      statuses: [413],
      holds: [
        'Request body(699106 bytes) too large, max size',
        'Request body (9 bytes) too large',
        'Request body(699106 bytes) too large, max size: 524288 bytes. See https://developer.hashicorp.com/docs/agent/config/config-files#txn_max_req_len.',
      ],
      fails: [
        'a Request body(9 bytes) too large',
        'Request body too large',
        'Transaction contains too many operations (129 > 128)',
      ],
    },
    isForbiddenTransaction: {
      condition: registry.isForbiddenTransaction,
      statuses: [409],
      holds: [
        'operation 0: Permission denied',
        'operation 12: Permission denied: x\noperation 3: Permission denied',
      ],
      fails: ['', 'an operation 0: Permission denied', 'operation 0: Permission denied\nother'],
    },
    isAnonymous: {
      condition: registry.isAnonymous,
      holds: ["Permission denied: anonymous token lacks permission 'key:write'"],
      fails: ["token with AccessorID 'x' lacks permission"],
    },
    isTokenWithoutRules: {
      condition: registry.isTokenWithoutRules,
      statuses: [500],
      holds: ['token with AccessorID "x" does not have any rules'],
      fails: ['No cluster leader'],
    },
    isUnidentifiedCaller: {
      condition: registry.isUnidentifiedCaller,
      statuses: [403, 404],
      holds: ['token does not exist: ACL not found', 'ACL not found'],
      fails: ['Permission denied', 'ACL support disabled'],
    },
    isTokenNotRead: {
      condition: registry.isTokenNotRead,
      statuses: [401],
      holds: ['Supplied token does not exist'],
      fails: ['ACL support disabled'],
    },
    isQueryNameTaken: {
      condition: registry.isQueryNameTaken,
      statuses: [500],
      holds: [
        "raft apply failed: name 'q1' aliases an existing query name",
        'raft apply failed: a query template with an empty name already exists',
      ],
      fails: ['raft apply failed: invalid session "x"'],
    },
    isRejectedBearerToken: {
      condition: registry.isRejectedBearerToken,
      statuses: [500],
      holds: [
        'error parsing token: illegal base64 data at input byte 0',
        'error parsing token: go-jose/go-jose: compact JWS format must have three parts',
        'error validating claims: go-jose/go-jose/jwt: validation failed, token is expired (exp)',
        'error validating claims: aud claim does not match any bound audience',
        'no known key successfully validated the token signature',
        'missing jwt',
      ],
      fails: ['No cluster leader'],
    },
    'isMissingAclObject by its status': {
      condition: registry.isMissingAclObject,
      statuses: [404],
      holds: ['Requested policy does not exist: ACL not found'],
    },
    'isMissingAclObject of a token': {
      condition: registry.isMissingAclObject,
      statuses: [403, 404],
      holds: ['token does not exist: ACL not found'],
      fails: [
        'ACL not found',
        'the token does not exist: ACL not found',
        "Permission denied: token with AccessorID 'x' lacks permission 'acl:read'",
      ],
    },
    'isMissingAclObject on a write': {
      condition: registry.isMissingAclObject,
      statuses: [500, 404],
      holds: [
        'Cannot find token to delete',
        `cannot find policy ${id}`,
        `Cannot find token "${id}"`,
        'cannot find auth method with name "nope"',
      ],
      fails: ['Invalid Policy: A Policy with Name "a" already exists', 'we cannot find policy a'],
    },
    isAclNameTaken: {
      condition: registry.isAclNameTaken,
      statuses: [500],
      holds: [
        'Invalid Policy: A Policy with Name "a" already exists',
        'Invalid Policy: A policy with name "a" already exists',
        'Invalid Role: A Role with Name "ab" already exists',
      ],
      fails: ['Invalid Token: AccessorID is already in use'],
    },
    'isMissingTemplate by its text': {
      condition: registry.isMissingTemplate,
      statuses: [400, 404],
      holds: ['Invalid templated policy Name: nope', 'templated policy "builtin/nope" does not exist'],
      fails: [
        'validation error for templated policy: "builtin/service": service identity "" has an invalid name.',
        'an invalid templated policy Name: nope',
        'the templated policy "builtin/nope" does not exist',
      ],
    },
    'isMissingTemplate by its status': {
      condition: registry.isMissingTemplate,
      statuses: [404],
      holds: ['other'],
      fails: ['Invalid URL path: not a recognized HTTP API endpoint', ''],
    },
    isInvalidRules: {
      condition: registry.isInvalidRules,
      statuses: [500],
      holds: [
        'Invalid key policy: &acl.KeyRule{Prefix:"a", Policy:"foo", EnterpriseRule:acl.EnterpriseRule{}}',
        'Invalid service intentions policy: &acl.ServiceRule{Name:"a"}',
        'Failed to parse ACL rules: At 1:5: nested object expected: LBRACE got: ASSIGN',
      ],
      fails: ['Invalid Policy: A Policy with Name "a" already exists', 'It Failed to parse ACL rules: x'],
    },
    isBuiltInAclObject: {
      condition: registry.isBuiltInAclObject,
      statuses: [500],
      holds: [
        'Delete operation not permitted on the builtin global-management policy',
        'Changing the Rules for the builtin global-management policy is not permitted',
        'Delete operation not permitted on the anonymous token',
        "Deletion of the request's authorization token is not permitted",
      ],
      fails: ['Cannot toggle local mode'],
    },
    isMissingTemplateName: {
      condition: registry.isMissingTemplateName,
      statuses: [500],
      holds: ['Invalid type. Expected: object, given: null'],
      fails: [
        'a: Invalid type. Expected: object, given: null',
        'Invalid type. Expected: object, given: null: x',
      ],
    },
    isUnknownResource: {
      condition: registry.isUnknownResource,
      statuses: [400],
      holds: ['Invalid ACL resource requested: x'],
      fails: ['an Invalid ACL resource requested'],
    },
    isMissingKey: {
      condition: registry.isMissingKey,
      statuses: [409],
      holds: [`operation 0: key "a/b" doesn't exist`, `operation 0: key "a\nb" doesn't exist`],
      fails: [`an operation 0: key "a" doesn't exist`, `operation 0: key "a" doesn't exist: x`],
    },
    isSessionGone: {
      condition: registry.isSessionGone,
      statuses: [404, 500],
      holds: [`Session id '${id}' not found`, `raft apply failed: invalid session "${id}"`],
      fails: [`the Session id '${id}' not found`],
    },
  },
  scheduler: {
    'isMissingNamespace by its text': {
      condition: scheduler.isMissingNamespace,
      holds: ['Namespace not found', 'namespace not found'],
      fails: ['namespace "full" has variables associated with it in regions: [global]'],
    },
    'isMissingNamespace by its status': {
      condition: scheduler.isMissingNamespace,
      statuses: [404],
      holds: ['', 'other', 'the namespace not found', 'namespace not found here'],
    },
    isNamespaceInUse: {
      condition: scheduler.isNamespaceInUse,
      holds: [
        'namespace "full" has variables associated with it in regions: [global]',
        'namespace "a" has non-terminal jobs in regions: [global]',
      ],
      fails: ['has nothing', 'variables associated with it'],
    },
    isExpiredToken: {
      condition: scheduler.isExpiredToken,
      statuses: [400, 403],
      holds: ['ACL token expired', 'the token is expired'],
      fails: ['token not expired', 'Permission denied'],
    },
    isUnknownSchedulerToken: {
      condition: scheduler.isUnknownSchedulerToken,
      statuses: [403],
      holds: ['Permission denied', 'ACL token not found'],
      fails: [
        'a Permission denied',
        'ACL token not found here',
        'blocked by gateway policy',
        'Permission denied by gateway',
      ],
    },
    saysUnknownToken: {
      condition: scheduler.saysUnknownToken,
      statuses: [403],
      holds: ['ACL token not found'],
      fails: ['an ACL token not found', 'ACL token not found here', 'Permission denied'],
    },
    'isMissingSchedulerToken by its status': {
      condition: scheduler.isMissingSchedulerToken,
      statuses: [404],
      holds: ['ACL token not found'],
    },
    'isMissingSchedulerToken by its text': {
      condition: scheduler.isMissingSchedulerToken,
      statuses: [400, 404],
      holds: ['Cannot delete nonexistent tokens: a', 'cannot find token a'],
      fails: ['cannot find role a', 'the token cannot find token'],
    },
    isRoleNameTaken: {
      condition: scheduler.isRoleNameTaken,
      statuses: [400],
      holds: ['role with name ops already exists'],
      fails: ['a role with name ops already exists', 'role with name ops'],
    },
    isRejectedRules: {
      condition: scheduler.isRejectedRules,
      statuses: [400],
      holds: ['policy 0 invalid: 1 error occurred:\n\t* failed to parse rules: Invalid policy: x\n\n'],
      fails: ['policy 0 invalid: 1 error occurred:\n\t* description longer than 256\n\n'],
    },
    isBootstrapped: {
      condition: scheduler.isBootstrapped,
      statuses: [400],
      holds: ['ACL bootstrap already done (reset index: 17)'],
      fails: ['Invalid bootstrap reset index (specified 4, reset index: 17)'],
    },
    'isLockLost by its status': {
      condition: scheduler.isLockLost,
      statuses: [404, 409],
      holds: ['', 'other'],
    },
    'isLockLost by its text': {
      condition: scheduler.isLockLost,
      holds: ["variable doesn't hold a lock", "variable doesn't exist"],
    },
    isWithoutStoredToken: {
      condition: scheduler.isWithoutStoredToken,
      statuses: [404],
      holds: ['ACL token not found'],
      fails: ['an ACL token not found', 'ACL token not found here', '404 page not found'],
    },
    isVariableTooLarge: {
      condition: scheduler.isVariableTooLarge,
      holds: ['RPC Error:: 400,variables are limited to 64KiB in total size'],
      fails: ['RPC Error:: 400,invalid path "a.b"'],
    },
    isTakenForUuid: {
      condition: scheduler.isTakenForUuid,
      statuses: [500],
      holds: ['UUID must be 36 characters'],
      fails: ['failed to parse signed token: go-jose/go-jose: compact JWS format must have three parts'],
    },
    isMalformedToken: {
      condition: scheduler.isMalformedToken,
      statuses: [500],
      holds: [
        'UUID must be 36 characters',
        'failed to parse signed token: go-jose/go-jose: compact JWS format must have three parts',
      ],
      fails: ['rpc error'],
    },
  },
  accounts: {
    isValueTaken: {
      condition: accounts.isValueTaken,
      statuses: [400],
      holds: [
        'login name must be unique',
        'has the same value',
        'has the same unique value',
        'name already exists',
      ],
      fails: ['Error in provided request.'],
    },
    isStaleVersion: {
      condition: accounts.isStaleVersion,
      holds: [
        "Account doesn't exist or incorrect version provided.",
        'Account "acctpw_1" doesn\'t exist or incorrect version provided.',
        'account.(Service).changePasswordInRepo: password.(Repository).ChangePassword: db.DoTx: password.(Repository).ChangePassword: updated account and 0 rows updated: search issue: error #1101',
      ],
      fails: ['updated account and 10 rows updated', 'Resource not found.', 'internal error'],
    },
    isInvalidId: {
      condition: accounts.isInvalidId,
      statuses: [400],
      holds: [
        'id: Invalid formatted identifier.',
        'auth_method_id: Unknown auth method type from ID.',
        'attributes: unknown subtype in ID: x',
        'id: Improperly formatted path identifier.',
        'id: Incorrectly formatted identifier.',
      ],
      fails: [
        'scope_id: Invalid formatted identifier.',
        'the attributes: unknown subtype in ID',
        'id: missing',
        'id: This is a read only field.',
        'attributes: Attribute fields do not match the expected format.',
      ],
    },
    isWrongPassword: {
      condition: accounts.isWrongPassword,
      statuses: [403],
      holds: ['Failed to change password.'],
      fails: ['Forbidden.'],
    },
    isInvalidListToken: {
      condition: accounts.isInvalidListToken,
      statuses: [400, 500],
      holds: [
        'list_token: Invalid.',
        'list token was expired',
        'handlers.ParseListToken: unknown',
        'grants have changed since list token was issued',
        'list token resource type does not match expected resource type',
      ],
      fails: ['the list_token: Invalid.', 'playlist tokens', 'Error in provided request.'],
    },
    isLoginWithoutUser: {
      condition: accounts.isLoginWithoutUser,
      statuses: [404],
      holds: ['Unable to find requested resource.'],
      fails: [
        'x Unable to find requested resource.',
        'Unable to find requested resource. x',
        'Resource not found.',
        'Unable to authenticate.',
      ],
    },
    isGoneToken: {
      condition: accounts.isGoneToken,
      statuses: [404],
      holds: ['Resource not found.'],
      fails: ['x Resource not found.', 'Resource not found. x', 'Not Found', ''],
    },
    isInactiveAuthMethod: {
      condition: accounts.isInactiveAuthMethod,
      statuses: [400],
      holds: ['Cannot start authentication against an inactive OIDC auth method'],
      fails: ['x Cannot start authentication against an inactive OIDC auth method'],
    },
    isUnusableIssuer: {
      condition: accounts.isUnusableIssuer,
      statuses: [400],
      holds: [
        'oidc.StartAuth: oidc.(providers).getProvider: NewProvider: unable to create provider: Get "http://127.0.0.1:9/.well-known/openid-configuration": dial tcp 127.0.0.1:9: connect: connection refused',
      ],
      fails: ['unable to create provider', 'an oidc.StartAuth: unable to create provider: x'],
    },
    isInvalidScope: {
      condition: accounts.isInvalidScope,
      statuses: [400],
      holds: ['scope_id: Must be "global" or a valid org scope id.'],
      fails: ['the scope_id: invalid'],
    },
  },
  box: {
    isReleasedAlready: {
      condition: box.isReleasedAlready,
      statuses: [422],
      holds: ['Version has already been released'],
      fails: ['Version has not been released'],
    },
  },
};

const rows = Object.entries(cases).flatMap(([service, conditions]) =>
  Object.entries(conditions).map(([name, one]) => ({ name, service: service as ServiceName, ...one })),
);

describe.each(rows)('$name', ({ condition, service, statuses = [], holds, fails = [] }) => {
  const [status = 400] = statuses;

  test.each(holds)('holds for %j, with its statuses only', (text) => {
    for (const each of [400, 401, 403, 404, 409, 413, 422, 500]) {
      const expected = statuses.length === 0 || statuses.includes(each);
      expect([each, condition(errorWith(service, each, text))]).toEqual([each, expected]);
    }
  });

  if (fails.length > 0)
    test.each(fails)('does not hold for %j', (text) => {
      expect(condition(errorWith(service, status, text))).toBe(false);
    });

  test('does not hold for an error that is not from a service', () => {
    const usage = new LanyardError('usage', holds[0] ?? '');
    for (const error of [new Error(holds[0]), usage, undefined, null, 'x'])
      expect(condition(error)).toBe(false);
  });
});

describe('Vault and OpenBao', () => {
  const failed = (status: number, ...details: readonly string[]): LanyardError =>
    new LanyardError(status === 404 ? 'not_found' : 'failure', 'an operation', { status, details });

  test('isDeniedByPolicy: the body begins with the count of errors', () => {
    const denied = '1 error occurred:\n\t* permission denied\n\n';
    const isDenied = (text: string) => secrets.isDeniedByPolicy(failureOf('secrets', 403, text));
    expect(isDenied(JSON.stringify({ data: { errors: [denied] } }))).toBe(false);
    expect(isDenied(JSON.stringify({ request_id: 'a', errors: [denied] }))).toBe(false);
    expect(isDenied(`{"errors":[${JSON.stringify(denied)}],"at":12345678901234567890}`)).toBe(true);
    expect(isDenied('')).toBe(false);
    expect(secrets.isDeniedByPolicy(new LanyardError('forbidden', 'a', { status: 403 }))).toBe(false);
  });

  test.each([
    [failed(400, 'no default issuer currently configured'), true],
    [failed(400, "keys haven't been configured yet"), true],
    [failed(500, 'no keys configured'), true],
    [failed(404), true],
    [failed(404, 'no handler for route "nossh/config/ca". route entry not found.'), false],
    [failed(403, 'permission denied'), false],
    [new Error('no default issuer currently configured'), false],
  ])('isWithoutCa (%#)', (error, expected) => {
    expect(secrets.isWithoutCa(error)).toBe(expected);
  });

  test.each([
    [['Endpoint ignored these unrecognized parameters: [managed_key_name]'], ['managed_key_name']],
    [
      ['other', 'Endpoint ignored these unrecognized parameters: [a, b  c]'],
      ['a', 'b', 'c'],
    ],
    [['Deleted 2 issuers, including default issuer if configured.'], []],
    [null, []],
    [undefined, []],
  ])('ignoredParameters (%#)', (warnings, names) => {
    expect(secrets.ignoredParameters({ warnings })).toEqual(names);
  });

  test('ignoredParameters without warnings or a body is empty', () => {
    for (const body of [{}, null, undefined]) expect(secrets.ignoredParameters(body)).toEqual([]);
  });

  test.each([
    [['first', 'no handler for route "kvx/data/a". route entry not found.'], 'kvx/data/a'],
    [['there is no handler for route "a/b". route entry not found.'], undefined],
    [['unsupported path'], undefined],
    [[], undefined],
  ])('unmountedPathIn(%j): %s', (messages, path) => {
    expect(secrets.unmountedPathIn(messages)).toBe(path);
  });

  const removed = { version: 2, deletion_time: '2026-01-01T00:00:00Z', destroyed: false };
  test.each([
    [404, { data: { data: null, metadata: { ...removed, created_time: 'a' } } }, removed],
    [404, { data: { ...removed, destroyed: true } }, { ...removed, destroyed: true }],
    [400, { data: removed }, undefined],
    [404, { data: { ...removed, version: '2' } }, undefined],
    [404, { data: { ...removed, deletion_time: 0 } }, undefined],
    [404, { data: null }, undefined],
    [404, { errors: [] }, undefined],
    [404, null, undefined],
  ])('removedVersion of %i %j: %j', (status, body, expected) => {
    expect(secrets.removedVersion(failureOf('secrets', status, JSON.stringify(body)))).toEqual(expected);
  });

  test('removedVersion of an error that is not from a service is undefined', () => {
    const body = { data: removed };
    const others = [{ status: 404, body }, Object.assign(new Error('a'), { status: 404, body }), failed(404)];
    for (const other of others) expect(secrets.removedVersion(other)).toBeUndefined();
  });

  test('lacksParameter: a parameter that the help of a path does not list', () => {
    const help = '## PARAMETERS\n\n    generate_signing_key (bool)\n\n        Generate managed_key_name.\n';
    expect(secrets.lacksParameter(help, 'generate_signing_key', 'managed_key_name')).toBe(true);
    expect(secrets.lacksParameter(help, 'generate_signing_key', 'generate_signing_key')).toBe(false);
    expect(secrets.lacksParameter('', 'generate_signing_key', 'managed_key_name')).toBe(false);
  });
});

describe('Consul', () => {
  const consul = (status: number, text: string) => errorWith('registry', status, text);

  test('resetIndexOf: the index that allows another bootstrap, in one line', () => {
    const done = 'Permission denied: ACL bootstrap no longer allowed (reset index: 12)';
    expect(registry.resetIndexOf(consul(403, done))).toBe('12');
    expect(registry.resetIndexOf(consul(403, 'Permission denied'))).toBeUndefined();
    expect(registry.resetIndexOf(consul(403, 'reset index: 6\n)'))).toBeUndefined();
    expect(registry.resetIndexOf(new Error('(reset index: 6)'))).toBeUndefined();
  });

  test('operationLimitOf: the number of operations that a transaction may have', () => {
    const text = 'Transaction contains too many operations (1290 > 128)';
    expect(registry.operationLimitOf(consul(413, text))).toBe(128);
    expect(registry.operationLimitOf(consul(400, text))).toBeUndefined();
    expect(registry.operationLimitOf(consul(413, 'too many operations'))).toBeUndefined();
    expect(registry.operationLimitOf(consul(413, 'Request body(699106 bytes) too large'))).toBeUndefined();
  });

  test.each([
    ['anonymous token lacks permission \'key:write\' on "a/b"', { access: 'key:write', name: 'a/b' }],
    ["token with AccessorID 'x' lacks permission 'acl:read'", { access: 'acl:read', name: undefined }],
    ['', undefined],
  ])('missingPermissionIn: %s', (text, expected) => {
    expect(registry.missingPermissionIn(consul(403, `Permission denied: ${text}`))).toEqual(expected);
  });

  test('isForbiddenTransaction and isAnonymous of a rollback', () => {
    const rolledBack = (...texts: readonly string[]) => {
      const body = { Results: null, Errors: texts.map((What, OpIndex) => ({ OpIndex, What })) };
      return failureOf('registry', 409, JSON.stringify(body));
    };
    const denied = `Permission denied: token with AccessorID 'x' lacks permission 'key:write' on "no/a"`;
    const anonymous = `Permission denied: anonymous token lacks permission 'key:write' on "a". The anonymous token is used implicitly when a request does not specify a token.`;
    const stale = 'failed to set key "k/1", index is stale';
    expect(registry.isForbiddenTransaction(rolledBack(denied, anonymous))).toBe(true);
    expect(registry.isForbiddenTransaction(rolledBack(denied, stale))).toBe(false);
    expect(registry.isForbiddenTransaction(rolledBack(stale))).toBe(false);
    expect(registry.isAnonymous(rolledBack(anonymous))).toBe(true);
    expect(registry.isAnonymous(rolledBack(denied))).toBe(false);
  });

  test.each([
    [500, 'No such ACL policy with name "nope"', { kind: 'policy', name: 'nope' }],
    [500, `No such ACL role with ID "${id}"`, { kind: 'role', name: id }],
    [
      500,
      'no such ACL templated policy with Name "builtin/nope"',
      { kind: 'templated policy', name: 'builtin/nope' },
    ],
    [
      500,
      'templated policy with an invalid templated name: builtin/nope for this role',
      { kind: 'templated policy', name: 'builtin/nope' },
    ],
    [404, 'No such ACL policy with name "nope"', undefined],
    [500, 'rpc error making call: stream closed', undefined],
  ])('missingLinkOf: %i %s', (status, text, expected) => {
    expect(registry.missingLinkOf(consul(status, text))).toEqual(expected);
  });
});

describe('Nomad', () => {
  test('unknownSelectorOf: the field that a filter names', () => {
    const text = 'failed to read result page: error finding value in datum: /A/B at part 10: no key';
    expect(scheduler.unknownSelectorOf(errorWith('scheduler', 400, text))).toEqual(['A', 'B']);
    const unread =
      'failed to create result paginator: failed to read filter expression: 1:8 (7): no match found';
    for (const other of [text.replace('10', ''), unread])
      expect(scheduler.unknownSelectorOf(errorWith('scheduler', 400, other))).toBeUndefined();
    expect(scheduler.unknownSelectorOf(errorWith('scheduler', 500, text))).toBeUndefined();
  });

  const metadata =
    '"CreateIndex":9,"CreateTime":1795319469411675940,"ModifyIndex":9,"ModifyTime":1795319469411675940,"Namespace":"default","Path":"t/one"';
  const zeroed =
    '{"CreateIndex":0,"CreateTime":0,"ModifyIndex":0,"ModifyTime":0,"Namespace":"default","Path":"t/locked"}';
  const stored = 'the stored variable has ModifyIndex 9';
  test.each([
    [`{${metadata},"Items":{"a":"1","b":"2"}}`, { index: '9', items: { a: '1', b: '2' } }, stored],
    [`{${metadata}}`, { index: '9', items: undefined }, stored],
    [zeroed, { index: '0', items: undefined }, 'the variable is locked or does not exist'],
  ])('conflictingVariable of a conflict, JSON sent as plain text: %s', (text, variable, detail) => {
    const conflict = failureOf('scheduler', 409, text, 'text/plain; charset=utf-8');
    expect(scheduler.conflictingVariable(conflict)).toEqual(variable);
    expect(conflict.details).toEqual([detail]);
  });

  test('conflictingVariable of another error is undefined, and of a conflict without a variable zeroed', () => {
    const bodies = ['', 'null', 'conflict', '7'].map((text) => failureOf('scheduler', 409, text));
    for (const conflict of [...bodies, new LanyardError('conflict', 'a', { status: 409 })])
      expect(scheduler.conflictingVariable(conflict)).toEqual({ index: '0', items: undefined });
    expect(scheduler.conflictingVariable(errorWith('scheduler', 500, 'rpc error'))).toBeUndefined();
    expect(scheduler.conflictingVariable(new Error('conflict'))).toBeUndefined();
  });
});

describe('Boundary', () => {
  const create = 'accounts.(Service).createInRepo: accounts.(Service).createPwInRepo: password.(Repository).';
  test.each([
    [
      'username: ab, must be longer than 3: integrity violation: error #113',
      'username: ab, must be longer than 3',
    ],
    [
      'a.(Service).b: c.(Repository).D: username: ab, must be longer than 3: integrity violation: error #113',
      'username: ab, must be longer than 3',
    ],
    [
      `${create}CreateAccount: username: ab, must be longer than 3: integrity violation: error #113`,
      'username: ab, must be longer than 3',
    ],
    [
      `${create}CreateAccount: must be longer than 8: password violation: error #200`,
      'must be longer than 8',
    ],
    [
      `${create}CreateAccount: login name must be all-lowercase alphanumeric, period or hyphen. got: ABC: parameter violation: error #100`,
      'login name must be all-lowercase alphanumeric, period or hyphen. got: ABC',
    ],
    [
      'accounts.(Service).updateInRepo: accounts.(Service).updatePwInRepo: password.(Repository).UpdateAccount: invalid username: must be all-lowercase alphanumeric, period or hyphen, got Bob: parameter violation: error #100',
      'invalid username: must be all-lowercase alphanumeric, period or hyphen, got Bob',
    ],
    [
      'accounts.(Service).setPasswordInRepo: password.(Repository).SetPassword: updated account and 0 rows updated: search issue: error #1101',
      undefined,
    ],
    ['internal fault: the value must be longer than the buffer', undefined],
  ])('rejectedValueIn: %s', (message, reason) => {
    expect(accounts.rejectedValueIn(errorWith('accounts', 500, message))).toBe(reason);
    expect(accounts.rejectedValueIn(errorWith('accounts', 503, message))).toBeUndefined();
  });

  test('isInvalidId of a field, and of an error that is quoted twice', () => {
    const fields = { request_fields: [{ name: 'id', description: 'Invalid formatted identifier.' }] };
    const body = { kind: 'InvalidArgument', message: 'Error in provided request.', details: fields };
    expect(accounts.isInvalidId(failureOf('accounts', 400, JSON.stringify(body)))).toBe(true);
    const quoted =
      'Error in provided request.", Details: {{name: "auth_method_id", desc: "Invalid formatted identifier.';
    expect(accounts.isInvalidId(errorWith('accounts', 400, quoted))).toBe(true);
  });

  test('isGoneToken does not hold for an empty 404', () => {
    expect(accounts.isGoneToken(failureOf('accounts', 404, ''))).toBe(false);
  });
});

test('isPlainHttpToTls: the text at the start of a message', () => {
  const text = 'Client sent an HTTP request to an HTTPS server.';
  expect(anyService.isPlainHttpToTls(['first', text])).toBe(true);
  expect(anyService.isPlainHttpToTls([`the ${text}`])).toBe(false);
  expect(anyService.isPlainHttpToTls([])).toBe(false);
});
