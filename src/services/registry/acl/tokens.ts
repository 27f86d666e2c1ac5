import type { Indexes } from '../../core/state/state-table.ts';
import { uuid } from '../../core/uuid.ts';
import { agentNode } from '../agent-node.ts';
import type { Registry } from '../call.ts';
import { hashOf, policies, type Role, roles, type Token } from '../model/acl.ts';
import type { View } from '../model/tables.ts';
import { linksOf } from './grants.ts';
import { templateUses } from './identities.ts';
import { syntheticPolicy } from './templates.ts';

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
  const policyLinks = linksOf(policies, view, Policies);
  const roleLinks = linksOf(roles, view, Roles);
  return {
    ...rest,
    SecretID: withSecret ? SecretID : redacted,
    ...(policyLinks.length > 0 && { Policies: policyLinks }),
    ...(roleLinks.length > 0 && { Roles: roleLinks }),
  };
}

/** A role as clients read it. */
export function roleView(view: View, { Policies, ...rest }: Role): object {
  const links = linksOf(policies, view, Policies);
  return { ...rest, ...(links.length > 0 && { Policies: links }) };
}

/** All roles and policies of a token, with those of its identities and templated policies. */
export function expandedInfo(view: View, token: Token, defaultPolicy: 'allow' | 'deny'): object {
  const tokenRoles = (token.Roles ?? []).flatMap((id) => roles.get(view, id) ?? []);
  const grants = [token, ...tokenRoles];
  const ids = new Set(grants.flatMap(({ Policies }) => Policies));
  const synthetic = grants.flatMap(templateUses).map((use) => syntheticPolicy(use, hashOf));
  const ExpandedPolicies = [
    ...[...ids].flatMap((id) => policies.get(view, id) ?? []),
    ...new Map(synthetic.map((policy) => [policy.ID, policy])).values(),
  ];
  return {
    ExpandedPolicies: ExpandedPolicies.length > 0 ? ExpandedPolicies : null,
    ExpandedRoles: tokenRoles.length > 0 ? tokenRoles.map((role) => roleView(view, role)) : null,
    NamespaceDefaultPolicyIDs: null,
    NamespaceDefaultRoleIDs: null,
    AgentACLDefaultPolicy: defaultPolicy,
    AgentACLDownPolicy: 'extend-cache',
    ResolvedByAgent: agentNode,
  };
}
