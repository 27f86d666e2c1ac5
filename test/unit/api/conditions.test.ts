import { describe, expect, test } from 'vitest';
import * as accounts from '../../../src/api/conditions/accounts.ts';
import * as anyService from '../../../src/api/conditions/any.ts';
import * as registry from '../../../src/api/conditions/registry.ts';
import * as scheduler from '../../../src/api/conditions/scheduler.ts';
import * as secrets from '../../../src/api/conditions/secrets.ts';
import { LanyardError } from '../../../src/errors.ts';
import { failureOf } from './support.ts';

describe('Boundary', () => {
  const said = (status: number, kind: string, message: string) =>
    failureOf('accounts', status, JSON.stringify({ kind, message }));

  test.each([
    [
      'accounts.(Service).createInRepo: accounts.(Service).createPwInRepo: password.(Repository).CreateAccount: username: ab, must be longer than 3: integrity violation: error #113',
      'username: ab, must be longer than 3',
    ],
    [
      'accounts.(Service).createInRepo: accounts.(Service).createPwInRepo: password.(Repository).CreateAccount: must be longer than 8: password violation: error #200',
      'must be longer than 8',
    ],
    [
      'accounts.(Service).createInRepo: accounts.(Service).createPwInRepo: password.(Repository).CreateAccount: login name must be all-lowercase alphanumeric, period or hyphen. got: ABC: parameter violation: error #100',
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
    expect(accounts.rejectedValueIn(said(500, 'Internal', message))).toBe(reason);
    expect(accounts.rejectedValueIn(said(503, 'Internal', message))).toBeUndefined();
  });

  test.each([
    [400, 'grants have changed since list token was issued', true],
    [400, 'list token was expired', true],
    [400, 'list token resource type does not match expected resource type', true],
    [
      500,
      'handlers.ParseListToken: unknown, unknown: error #0: proto: cannot parse invalid wire-format data',
      true,
    ],
    [400, 'Error in provided request.', false],
    [404, 'list token was expired', false],
  ])('isInvalidListToken: %i %s', (status, message, isInvalid) => {
    expect(accounts.isInvalidListToken(said(status, 'invalid list token', message))).toBe(isInvalid);
  });

  test.each([
    ['id', 'Invalid formatted identifier.', true],
    ['id', 'Improperly formatted path identifier.', true],
    ['id', 'Incorrectly formatted identifier.', true],
    ['auth_method_id', 'Unknown auth method type from ID.', true],
    ['attributes', 'unknown subtype in ID: x', true],
    ['id', 'This is a read only field.', false],
    ['attributes', 'Attribute fields do not match the expected format.', false],
  ])('isInvalidId: %s: %s', (name, description, isInvalid) => {
    const fields = { request_fields: [{ name, description }] };
    const body = { kind: 'InvalidArgument', message: 'Error in provided request.', details: fields };
    expect(accounts.isInvalidId(failureOf('accounts', 400, JSON.stringify(body)))).toBe(isInvalid);
  });

  test('isInvalidId: an error that is quoted twice', () => {
    const message =
      'Error in provided request.", Details: {{name: "auth_method_id", desc: "Invalid formatted identifier.';
    expect(accounts.isInvalidId(said(400, 'InvalidArgument', message))).toBe(true);
  });

  test('isStaleAccount: in the words of a change and of a change of password', () => {
    const outdated = 'Account "acctpw_1" doesn\'t exist or incorrect version provided.';
    const password =
      'account.(Service).changePasswordInRepo: password.(Repository).ChangePassword: db.DoTx: password.(Repository).ChangePassword: updated account and 0 rows updated: search issue: error #1101';
    expect(accounts.isStaleAccount(said(404, 'NotFound', outdated))).toBe(true);
    expect(accounts.isStaleAccount(said(500, 'Internal', password))).toBe(true);
    expect(accounts.isStaleAccount(said(404, 'NotFound', 'Resource not found.'))).toBe(false);
    expect(accounts.isStaleAccount(said(500, 'Internal', 'internal error'))).toBe(false);
  });

  test('isLoginWithoutUser: an account without a user, not a missing auth method', () => {
    expect(accounts.isLoginWithoutUser(said(404, 'NotFound', 'Unable to find requested resource.'))).toBe(
      true,
    );
    expect(accounts.isLoginWithoutUser(said(404, 'NotFound', 'Resource not found.'))).toBe(false);
    expect(accounts.isLoginWithoutUser(said(401, 'Unauthenticated', 'Unable to authenticate.'))).toBe(false);
  });

  test('isGoneToken: a deleted or expired token, not a missing route or a wrong secret', () => {
    expect(accounts.isGoneToken(said(404, 'NotFound', 'Resource not found.'))).toBe(true);
    expect(accounts.isGoneToken(said(404, 'NotFound', 'Not Found'))).toBe(false);
    expect(accounts.isGoneToken(failureOf('accounts', 404, ''))).toBe(false);
    expect(accounts.isGoneToken(said(401, 'Unauthenticated', 'Unauthenticated, or invalid token.'))).toBe(
      false,
    );
    expect(accounts.isGoneToken(new Error('Resource not found.'))).toBe(false);
  });
});

describe('Consul', () => {
  const consul = (status: number, text: string) =>
    failureOf('registry', status, text, 'text/plain; charset=utf-8');
  const rolledBack = (...texts: readonly string[]) =>
    failureOf(
      'registry',
      409,
      JSON.stringify({ Results: null, Errors: texts.map((What, OpIndex) => ({ OpIndex, What })) }),
    );

  test('isMissingQuery: by execution, by ID, by a write', () => {
    const missing = "Cannot modify non-existent prepared query: '4f1b0b5c-2c66-4c44-8f76-1f0a2c4d6c11'";
    expect(registry.isMissingQuery(consul(404, 'Query not found'))).toBe(true);
    expect(registry.isMissingQuery(consul(500, missing))).toBe(true);
    const malformed = 'failed prepared query lookup: index error: UUID must be 36 characters';
    expect(registry.isMissingQuery(consul(500, malformed))).toBe(false);
  });

  test('isQueryNameTaken: a name, and the template for every name', () => {
    const taken = [
      "raft apply failed: name 'q1' aliases an existing query name",
      'raft apply failed: a query template with an empty name already exists',
    ];
    for (const text of taken) expect(registry.isQueryNameTaken(consul(500, text))).toBe(true);
    expect(registry.isQueryNameTaken(consul(500, 'raft apply failed: invalid session "x"'))).toBe(false);
  });

  test('responses to a login', () => {
    const rejected = [
      'error parsing token: illegal base64 data at input byte 0',
      'error parsing token: go-jose/go-jose: compact JWS format must have three parts',
      'error validating claims: go-jose/go-jose/jwt: validation failed, token is expired (exp)',
      'error validating claims: aud claim does not match any bound audience',
      'no known key successfully validated the token signature',
      'missing jwt',
    ];
    for (const text of rejected) expect(registry.isRejectedBearerToken(consul(500, text))).toBe(true);
    expect(registry.isRejectedBearerToken(consul(500, 'No cluster leader'))).toBe(false);
    const missing = consul(403, 'ACL not found: auth method "nope" not found');
    expect(registry.isMissingAuthMethod(missing)).toBe(true);
    expect(registry.isLoginWithoutRights(missing)).toBe(false);
    expect(registry.isLoginWithoutRights(consul(403, 'Permission denied'))).toBe(true);
    expect(
      registry.isLoginWithoutRights(consul(403, "Permission denied: token wasn't created via login")),
    ).toBe(false);
  });

  test('resetIndexOf: the index that allows another bootstrap', () => {
    const done = 'Permission denied: ACL bootstrap no longer allowed (reset index: 6)';
    expect(registry.resetIndexOf(consul(403, done))).toBe('6');
    expect(registry.resetIndexOf(consul(403, 'Permission denied'))).toBeUndefined();
  });

  test('isUnknownEndpoint: a route that this edition does not have', () => {
    const text = 'Invalid URL path: not a recognized HTTP API endpoint';
    expect(registry.isUnknownEndpoint(consul(404, text))).toBe(true);
    expect(registry.isUnknownEndpoint(consul(404, 'Query not found'))).toBe(false);
    expect(registry.isUnknownEndpoint(consul(500, text))).toBe(false);
  });

  test('what a transaction is too large for', () => {
    const many = consul(413, 'Transaction contains too many operations (129 > 128)');
    const bytes = consul(
      413,
      'Request body(699106 bytes) too large, max size: 524288 bytes. See https://developer.hashicorp.com/docs/agent/config/config-files#txn_max_req_len.',
    );
    expect([many, bytes].map(registry.operationLimitOf)).toEqual([128, undefined]);
    expect([many, bytes].map(registry.isTransactionTooLarge)).toEqual([false, true]);
  });

  test('isForbiddenTransaction: a rollback for permissions alone', () => {
    const denied = `Permission denied: token with AccessorID 'x' lacks permission 'key:write' on "no/a"`;
    const anonymous = `Permission denied: anonymous token lacks permission 'key:write' on "a". The anonymous token is used implicitly when a request does not specify a token.`;
    const stale = 'failed to set key "k/1", index is stale';
    expect(registry.isForbiddenTransaction(rolledBack(denied, anonymous))).toBe(true);
    expect(registry.isForbiddenTransaction(rolledBack(denied, stale))).toBe(false);
    expect(registry.isForbiddenTransaction(rolledBack(stale))).toBe(false);
    expect(registry.isAnonymous(rolledBack(anonymous))).toBe(true);
    expect(registry.isAnonymous(rolledBack(denied))).toBe(false);
  });
});

describe('Nomad', () => {
  const nomad = (status: number, text: string) =>
    failureOf('scheduler', status, text, 'text/plain; charset=utf-8');

  test('a conflict is JSON sent as plain text, with the items or without', () => {
    const metadata =
      '"CreateIndex":9,"CreateTime":1795319469411675940,"ModifyIndex":9,"ModifyTime":1795319469411675940,"Namespace":"default","Path":"t/one"';
    expect(scheduler.conflictingVariable(nomad(409, `{${metadata},"Items":{"a":"1","b":"2"}}`))).toEqual({
      index: '9',
      items: { a: '1', b: '2' },
    });
    const unreadable = nomad(409, `{${metadata}}`);
    expect(scheduler.conflictingVariable(unreadable)).toEqual({ index: '9', items: undefined });
    expect(unreadable.details).toEqual(['the stored variable has ModifyIndex 9']);
  });

  test('a conflict about a lock or about nothing is zeroed', () => {
    const zeroed = nomad(
      409,
      '{"CreateIndex":0,"CreateTime":0,"ModifyIndex":0,"ModifyTime":0,"Namespace":"default","Path":"t/locked"}',
    );
    expect(scheduler.conflictingVariable(zeroed)).toEqual({ index: '0', items: undefined });
    expect(zeroed.details).toEqual(['the variable is locked or does not exist']);
    expect(scheduler.conflictingVariable(nomad(500, 'rpc error'))).toBeUndefined();
  });

  test('unknownSelectorOf: the field that a filter names, not a filter that cannot be read', () => {
    const said = 'failed to read result page: error finding value in datum: ';
    const reason = `couldn't find key: struct field with name "Path"`;
    expect(scheduler.unknownSelectorOf(nomad(400, `${said}/Path at part 0: ${reason}`))).toEqual(['Path']);
    expect(
      scheduler.unknownSelectorOf(nomad(400, `${said}/VariableMetadata/Nope at part 1: ${reason}`)),
    ).toEqual(['VariableMetadata', 'Nope']);
    const unread =
      'failed to create result paginator: failed to read filter expression: 1:8 (7): no match found';
    expect(scheduler.unknownSelectorOf(nomad(400, unread))).toBeUndefined();
  });

  test('errors about namespaces and sizes', () => {
    expect(scheduler.isMissingNamespace(nomad(404, 'Namespace not found'))).toBe(true);
    expect(scheduler.isMissingNamespace(nomad(500, 'namespace not found'))).toBe(true);
    const inUse = 'namespace "full" has variables associated with it in regions: [global]';
    expect(scheduler.isNamespaceInUse(nomad(500, inUse))).toBe(true);
    expect(scheduler.isMissingNamespace(nomad(500, inUse))).toBe(false);
    const large = 'RPC Error:: 400,variables are limited to 64KiB in total size';
    expect(scheduler.isVariableTooLarge(nomad(400, large))).toBe(true);
    expect(scheduler.isVariableTooLarge(nomad(400, 'RPC Error:: 400,invalid path "a.b"'))).toBe(false);
  });
});

const failed = (status: number, ...details: readonly string[]): LanyardError =>
  new LanyardError(status === 404 ? 'not_found' : 'failure', 'an operation', { status, details });

describe('Vault and OpenBao', () => {
  test.each([
    [failed(400, 'no default issuer currently configured'), true],
    [failed(400, "keys haven't been configured yet"), true],
    [failed(500, 'no keys configured'), true],
    [failed(404), true],
    [failed(404, 'no handler for route "nossh/config/ca". route entry not found.'), false],
    [failed(403, 'permission denied'), false],
    [new Error('no default issuer currently configured'), false],
  ])('a mount without a CA (%#)', (error, expected) => {
    expect(secrets.isWithoutCa(error)).toBe(expected);
  });

  test('a mount whose issuers have no default', () => {
    expect(secrets.hasNoDefaultIssuer(failed(400, 'no default issuer currently configured'))).toBe(true);
    expect(secrets.hasNoDefaultIssuer(failed(400, "keys haven't been configured yet"))).toBe(false);
  });

  test.each([
    [['Endpoint ignored these unrecognized parameters: [managed_key_name]'], ['managed_key_name']],
    [
      ['other', 'Endpoint ignored these unrecognized parameters: [a b]'],
      ['a', 'b'],
    ],
    [['Deleted 2 issuers, including default issuer if configured.'], []],
    [null, []],
    [undefined, []],
  ])('ignored parameters (%#)', (warnings, names) => {
    expect(secrets.ignoredParameters({ warnings })).toEqual(names);
  });

  test.each([
    [['no handler for route "kvx/data/a". route entry not found.'], 'kvx/data/a'],
    [['unsupported path'], undefined],
    [[], undefined],
  ])('a path below no mount (%#)', (messages, path) => {
    expect(secrets.unmountedPathIn(messages)).toBe(path);
  });

  test('a mount hidden from a known token', () => {
    const text = 'preflight capability check returned 403, please ensure ...';
    expect(secrets.isHiddenMount(failed(403, text))).toBe(true);
    expect(secrets.isHiddenMount(failed(403, 'permission denied'))).toBe(false);
    expect(secrets.isHiddenMount(failed(400, text))).toBe(false);
  });

  test('a parameter that the help of a path does not list', () => {
    const help = '## PARAMETERS\n\n    generate_signing_key (bool)\n\n        Generate managed_key_name.\n';
    expect(secrets.lacksParameter(help, 'generate_signing_key', 'managed_key_name')).toBe(true);
    expect(secrets.lacksParameter(help, 'generate_signing_key', 'generate_signing_key')).toBe(false);
    expect(secrets.lacksParameter('', 'generate_signing_key', 'managed_key_name')).toBe(false);
  });
});

describe('every product', () => {
  test('plain http to a port that speaks TLS', () => {
    expect(anyService.isPlainHttpToTls(['Client sent an HTTP request to an HTTPS server.'])).toBe(true);
    expect(anyService.isPlainHttpToTls(['an HTTPS server'])).toBe(false);
  });
});
