import { describe, expect, test } from 'vitest';
import { canonicalGrant, checkGrant } from '../../../src/objects/grants/check.ts';
import { GrantError } from '../../../src/objects/grants/parse.ts';
import { actions, resourceTypes } from '../../../src/objects/grants/words.ts';
import { checkGrant as serviceCheck } from '../../../src/services/accounts/permissions/check-grant.ts';

const problemOf = (grant: string): GrantError | undefined => {
  try {
    checkGrant(grant);
    return undefined;
  } catch (error) {
    if (error instanceof GrantError) return error;
    throw error;
  }
};

/** Whether the embedded service accepts a grant. */
const isAccepted = (grant: string): boolean => {
  try {
    serviceCheck(grant);
    return true;
  } catch {
    return false;
  }
};

describe('the offline check of grants', () => {
  test.each([
    'ids=*;type=*;actions=read,list',
    'ids=*;type=*;actions=*',
    '{"type":"host-catalog","actions":["create"]}',
    '{"ids":["hcst_foobar", "hcst_foobaz"],"actions":["read"]}',
    'ids=u_foobar;output_fields=id,version',
    'type=Host-Catalog;actions=CREATE',
    'ids={{.User.Id}};actions=read:self',
    'ids={{ account.id }};actions=change-password',
    'ids=hcst_mypin;type=host;actions=*',
    'ids=ampw_1;type=*;actions=read',
    'type=worker;actions=create:worker-led',
    'ids=u_1;type=user;actions=read',
    'ids=global;actions=read',
  ])('accepts %s', (grant) => {
    expect(problemOf(grant)?.message).toBeUndefined();
    expect(isAccepted(grant)).toBe(true);
  });

  test.each([
    ['', undefined, 'the grant is empty'],
    ['{}', undefined, 'no actions'],
    ['{w', undefined, 'invalid JSON'],
    ['ids=', 0, 'field "ids" has no value'],
    ['ids=,', 4, '"ids" has an empty value'],
    ['ids=*;type=usr;actions=read', 11, 'unknown type "usr": expected *, account'],
    ['ids=*;type=user;actions=read,fly', 29, 'unknown action "fly"'],
    ['ids=*;type=user;action=read', 16, 'unknown field "action": expected ids, type, actions'],
    ['ids=*; type=user;actions=read', 6, 'unknown field " type"'],
    ['id=*;type=user;actions=read', 0, 'the field "id" is no longer supported, use "ids"'],
    ['ids=*;type=user;actions=read;', 29, 'empty field: remove the ";"'],
    ['ids=*;ids=u_1;actions=read', 6, 'duplicate field "ids"'],
    ['ids=*;type=target;actions=add-host-sets', 26, 'use "add-host-sources"'],
    ['ids=*;type=*;actions=*,read', 21, '"*" cannot be combined with other actions'],
    ['ids=*,u_1;actions=read', 4, '"*" cannot be combined with other IDs'],
    ['ids={{superman}};actions=read', 4, 'unknown template "{{superman}}"'],
    ['ids=u_1,r_1;actions=read', 4, 'the IDs are of several types: user, role'],
    ['ids=*;actions=read', 4, '"ids=*" requires a type'],
    ['ids=foobar;actions=read', 4, 'unknown kind of ID "foobar"'],
    ['ids=u_1;actions=create,read', 4, '"list" and "create" require a type'],
    ['ids=u_1;type=*;actions=read', 13, 'no other type is below a user'],
    [
      'ids=u_1;type=host;actions=read',
      13,
      'type "host" is not below a user: it is below IDs of a host-catalog',
    ],
    ['ids=acctpw_1;type=account;actions=read', 18, 'omit "type=account"'],
    ['actions=read', undefined, 'no IDs and no type'],
    ['type=*;actions=list', 5, '"type=*" requires "ids=*"'],
    ['type=user;actions=read', 5, 'a type without IDs permits only "list" and "create"'],
    ['type=account;actions=list', 5, 'type "account" requires "ids=*", or the ID of its auth-method'],
  ])('rejects %j at %j: %s', (grant, offset, message) => {
    const problem = problemOf(grant);
    expect(problem?.message).toContain(message);
    expect(problem?.offset).toBe(offset);
  });

  test('decides as the service for every combination of IDs, type and actions', () => {
    const ids = [
      '',
      'ids=*',
      'ids=u_1',
      'ids=ampw_1',
      'ids=acctpw_1',
      'ids=hcst_1,hcst_2',
      'ids={{.User.Id}}',
    ];
    const types = ['', 'type=*', ...Object.keys(resourceTypes).map((type) => `type=${type}`)];
    const some = ['', 'output_fields=id', 'actions=list', 'actions=list,create', 'actions=create,read'];
    const all = [...some, ...actions.map((action) => `actions=${action}`)];
    const differing: string[] = [];
    for (const id of ids)
      for (const type of types)
        for (const action of all) {
          const grant = [id, type, action].filter((part) => part !== '').join(';');
          if ((problemOf(grant) === undefined) !== isAccepted(grant)) differing.push(grant);
        }
    expect(differing).toEqual([]);
  });
});

test('grants that permit the same have the same canonical form', () => {
  const forms = [
    'ids=u_1,u_2;actions=read,update',
    'actions=update,READ;ids=u_2,u_1',
    '{"ids":["u_2","u_1"],"actions":["read","update","read"]}',
  ].map((grant) => canonicalGrant(checkGrant(grant)));
  expect(new Set(forms).size).toBe(1);
});
