import type { Indexes } from '../../state/indexed.ts';
import { uuid } from '../../uuid.ts';
import type { Registry } from '../http/call.ts';
import { hashOf, type Token } from '../state/acl.ts';
import type { View } from '../state/draft.ts';
import { policyLinks, roleLinks } from './grants.ts';

const hidden = '<hidden>';

/** A new token that lets do nothing yet. @param secret where it is not a new one too */
export function freshToken({ random, state }: Registry, secret = ''): Omit<Token, keyof Indexes> {
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
export function shownToken(view: View, token: Token, withSecret = true): object {
  const { Policies, Roles = [], SecretID, ...rest } = token;
  const roles = roleLinks(view, Roles);
  return {
    ...rest,
    SecretID: withSecret ? SecretID : hidden,
    Policies: policyLinks(view, Policies),
    ...(roles.length > 0 && { Roles: roles }),
  };
}
