import type { Indexes } from '../../core/state/state-table.ts';
import { uuid } from '../../core/uuid.ts';
import type { Registry } from '../call.ts';
import { hashOf, policies, roles, type Token } from '../model/acl.ts';
import type { View } from '../model/tables.ts';
import { linksOf } from './grants.ts';

const redacted = '<hidden>';

/** A new token that lets do nothing yet. @param secret where it is not a new one too */
export function newToken({ random, state }: Registry, secret = ''): Omit<Token, keyof Indexes> {
  const SecretID = secret || uuid(random);
  return {
    AccessorID: uuid(random),
    SecretID,
    Description: '',
    Policies: [],
    Local: false,
    CreateTime: new Date(state.now).toISOString(),
    Hash: hashOf(SecretID),
  };
}

/** A token as clients read it; its secret is for those who could make one. */
export function tokenView(view: View, token: Token, withSecret = true): object {
  const { Policies, Roles = [], SecretID, ...rest } = token;
  const roleLinks = linksOf(roles, view, Roles);
  return {
    ...rest,
    SecretID: withSecret ? SecretID : redacted,
    Policies: linksOf(policies, view, Policies),
    ...(roleLinks.length > 0 && { Roles: roleLinks }),
  };
}
