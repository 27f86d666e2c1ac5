import { describe, expect, test } from 'vitest';
import {
  isAclNameTaken,
  isBuiltInAclObject,
  isInvalidRules,
  isMissingAclObject,
  isMissingTemplate,
  missingLinkOf,
} from '../../../src/api/conditions/registry.ts';
import { failureOf } from './support.ts';

const said = (status: number, text: string) =>
  failureOf('registry', status, text, 'text/plain; charset=utf-8');
const id = '11111111-1111-4111-8111-111111111119';

// The texts of Consul 1.21.4.
describe('Consul', () => {
  test.each([
    [404, 'Requested policy does not exist: ACL not found', true],
    [404, 'Cannot find token to delete', true],
    [403, 'token does not exist: ACL not found', true],
    [500, `cannot find policy ${id}`, true],
    [500, `Cannot find token "${id}"`, true],
    [500, 'cannot find auth method with name "nope"', true],
    [403, 'ACL not found', false],
    [403, `Permission denied: token with AccessorID '${id}' lacks permission 'acl:read'`, false],
    [500, 'Invalid Policy: A Policy with Name "a" already exists', false],
    [400, `cannot find policy ${id}`, false],
  ])('isMissingAclObject: %i %s', (status, text, expected) => {
    expect(isMissingAclObject(said(status, text))).toBe(expected);
  });

  test.each([
    [500, 'Invalid Policy: A Policy with Name "a" already exists', true],
    [500, 'Invalid Policy: A policy with name "a" already exists', true],
    [500, 'Invalid Role: A Role with Name "a" already exists', true],
    [500, 'Invalid Token: AccessorID is already in use', false],
    [400, 'A Policy with Name "a" already exists', false],
  ])('isAclNameTaken: %i %s', (status, text, expected) => {
    expect(isAclNameTaken(said(status, text))).toBe(expected);
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
    expect(missingLinkOf(said(status, text))).toEqual(expected);
  });

  test.each([
    [400, 'Invalid templated policy Name: nope', true],
    [400, 'templated policy "builtin/nope" does not exist', true],
    [
      400,
      'validation error for templated policy: "builtin/service": service identity "" has an invalid name.',
      false,
    ],
    [404, 'Invalid URL path: not a recognized HTTP API endpoint', false],
    [404, '', false],
  ])('isMissingTemplate: %i %s', (status, text, expected) => {
    expect(isMissingTemplate(said(status, text))).toBe(expected);
  });

  test.each([
    [
      500,
      'Invalid key policy: &acl.KeyRule{Prefix:"a", Policy:"foo", EnterpriseRule:acl.EnterpriseRule{}}',
      true,
    ],
    [500, 'Invalid service intentions policy: &acl.ServiceRule{Name:"a"}', true],
    [500, 'Failed to parse ACL rules: At 1:5: nested object expected: LBRACE got: ASSIGN', true],
    [500, 'Invalid Policy: A Policy with Name "a" already exists', false],
    [400, 'Failed to parse ACL rules: At 1:5', false],
  ])('isInvalidRules: %i %s', (status, text, expected) => {
    expect(isInvalidRules(said(status, text))).toBe(expected);
  });

  test.each([
    [500, 'Delete operation not permitted on the builtin global-management policy', true],
    [500, 'Changing the Rules for the builtin global-management policy is not permitted', true],
    [500, 'Delete operation not permitted on the anonymous token', true],
    [500, "Deletion of the request's authorization token is not permitted", true],
    [500, 'Cannot toggle local mode', false],
    [403, 'Delete operation not permitted on the anonymous token', false],
  ])('isBuiltInAclObject: %i %s', (status, text, expected) => {
    expect(isBuiltInAclObject(said(status, text))).toBe(expected);
  });
});
