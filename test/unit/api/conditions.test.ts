import { describe, expect, test } from 'vitest';
import { isGoneToken } from '../../../src/api/conditions.ts';
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

  test('isGoneToken: a deleted or expired token, not a missing route or a wrong secret', () => {
    expect(isGoneToken(said(404, 'NotFound', 'Resource not found.'))).toBe(true);
    expect(isGoneToken(said(404, 'NotFound', 'Not Found'))).toBe(false);
    expect(isGoneToken(errorOf('accounts', 404, ''))).toBe(false);
    expect(isGoneToken(said(401, 'Unauthenticated', 'Unauthenticated, or invalid token.'))).toBe(false);
    expect(isGoneToken(new Error('Resource not found.'))).toBe(false);
  });
});
