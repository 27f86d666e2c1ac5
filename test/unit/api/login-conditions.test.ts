import { expect, test } from 'vitest';
import {
  isForbiddenLogin,
  isMissingLoginRole,
  isWithoutLoginRole,
} from '../../../src/api/login-conditions.ts';
import { LanyardError } from '../../../src/errors.ts';

const error = (status: number, text: string) => new LanyardError('failure', 'x', { status, details: [text] });

test.each([
  [isMissingLoginRole, 400, 'role "nope" could not be found', true],
  [isMissingLoginRole, 400, 'invalid role name "nope"', true],
  [isMissingLoginRole, 403, 'role "nope" could not be found', false],
  [isMissingLoginRole, 400, 'invalid role or secret ID', false],
  [isWithoutLoginRole, 400, 'missing role', true],
  [isWithoutLoginRole, 400, 'missing role_id', false],
  [isForbiddenLogin, 403, 'permission denied', true],
  [isForbiddenLogin, 403, 'service account name not authorized', false],
  [isForbiddenLogin, 400, 'permission denied', false],
])('%o of status %i with "%s": %s', (condition, status, text, holds) => {
  expect(condition(error(status, text))).toBe(holds);
});
