import { expect, test } from 'vitest';
import { isInactiveAuthMethod, isUnusableIssuer } from '../../../src/api/conditions/accounts.ts';
import {
  isForbiddenLogin,
  isMissingLoginRole,
  isWithoutLoginRole,
} from '../../../src/api/conditions/secrets.ts';
import { LanyardError } from '../../../src/errors.ts';

const error = (status: number, text: string) => new LanyardError('failure', 'x', { status, details: [text] });

// Of Boundary 0.21.0.
const inactive = 'Cannot start authentication against an inactive OIDC auth method';
const issuer =
  'oidc.StartAuth: oidc.(providers).getProvider: NewProvider: unable to create provider: Get "http://127.0.0.1:9/.well-known/openid-configuration": dial tcp 127.0.0.1:9: connect: connection refused';

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
  [isInactiveAuthMethod, 400, inactive, true],
  [isInactiveAuthMethod, 500, inactive, false],
  [isInactiveAuthMethod, 400, `x ${inactive}`, false],
  [isUnusableIssuer, 400, issuer, true],
  [isUnusableIssuer, 500, issuer, false],
  [isUnusableIssuer, 400, 'unable to create provider', false],
])('%o of status %i with "%s": %s', (condition, status, text, holds) => {
  expect(condition(error(status, text))).toBe(holds);
});
