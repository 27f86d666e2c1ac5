import { describe, expect, test } from 'vitest';
import {
  isGoneToken,
  isInvalidId,
  isInvalidListToken,
  isLoginWithoutUser,
  rejectedValueIn,
} from '../../../src/api/conditions.ts';
import { failure } from '../../../src/api/failures.ts';
import type { ServiceName } from '../../../src/wire/services.ts';

/** The error that the client makes of a response. */
const errorOf = (service: ServiceName, status: number, text: string, type = 'application/json') =>
  failure(
    { operation: { name: 'do it', service, retry: 'write', accepts: [200] }, tokenSent: true, secrets: [] },
    { status, headers: text === '' ? {} : { 'content-type': type }, text },
  );

describe('Boundary', () => {
  const said = (status: number, kind: string, message: string) =>
    errorOf('accounts', status, JSON.stringify({ kind, message }));

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
    expect(rejectedValueIn(said(500, 'Internal', message))).toBe(reason);
    expect(rejectedValueIn(said(503, 'Internal', message))).toBeUndefined();
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
    expect(isInvalidListToken(said(status, 'invalid list token', message))).toBe(isInvalid);
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
    expect(isInvalidId(errorOf('accounts', 400, JSON.stringify(body)))).toBe(isInvalid);
  });

  test('isInvalidId: an error that is quoted twice', () => {
    const message =
      'Error in provided request.", Details: {{name: "auth_method_id", desc: "Invalid formatted identifier.';
    expect(isInvalidId(said(400, 'InvalidArgument', message))).toBe(true);
  });

  test('isLoginWithoutUser: an account without a user, not a missing auth method', () => {
    expect(isLoginWithoutUser(said(404, 'NotFound', 'Unable to find requested resource.'))).toBe(true);
    expect(isLoginWithoutUser(said(404, 'NotFound', 'Resource not found.'))).toBe(false);
    expect(isLoginWithoutUser(said(401, 'Unauthenticated', 'Unable to authenticate.'))).toBe(false);
  });

  test('isGoneToken: a deleted or expired token, not a missing route or a wrong secret', () => {
    expect(isGoneToken(said(404, 'NotFound', 'Resource not found.'))).toBe(true);
    expect(isGoneToken(said(404, 'NotFound', 'Not Found'))).toBe(false);
    expect(isGoneToken(errorOf('accounts', 404, ''))).toBe(false);
    expect(isGoneToken(said(401, 'Unauthenticated', 'Unauthenticated, or invalid token.'))).toBe(false);
    expect(isGoneToken(new Error('Resource not found.'))).toBe(false);
  });
});
