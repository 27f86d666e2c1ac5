import type { Json } from '../../../wire/json.ts';
import { type Indexes, putWithIndexes } from '../../core/state/put-with-indexes.ts';
import type { Row } from '../../core/state/transaction.ts';
import { deleteToken, tokensOf } from '../model/acl.ts';
import type { Transaction, View } from '../model/tables.ts';

export const methodTypes = ['jwt', 'kubernetes', 'oidc'] as const;
export type MethodType = (typeof methodTypes)[number];

/** An auth method: it issues tokens for the identities of another party. */
export interface AuthMethod extends Indexes {
  readonly Name: string;
  readonly Type: MethodType;
  readonly DisplayName: string;
  readonly Description: string;
  /** The TTL of its tokens, as a duration; absent: unlimited. */
  readonly MaxTokenTTL?: string;
  /** Absent: local. */
  readonly TokenLocality?: 'local' | 'global';
  readonly Config: { readonly [member: string]: Json };
}

export const bindTypes = ['service', 'node', 'role', 'policy'] as const;

/** The grants of a login with an auth method, for the callers that the selector selects. */
export interface BindingRule extends Indexes {
  readonly ID: string;
  readonly Description: string;
  readonly AuthMethod: string;
  readonly Selector: string;
  readonly BindType: (typeof bindTypes)[number];
  /** May contain variables of the identity: `${value.x}`. */
  readonly BindName: string;
}

export function authMethodOf(view: View, name: string): AuthMethod | undefined {
  return view.get('auth-methods', name) as (Row & AuthMethod) | undefined;
}

export function authMethodsOf(view: View): AuthMethod[] {
  return view.keys('auth-methods', '').flatMap((name) => authMethodOf(view, name) ?? []);
}

export function putAuthMethod(transaction: Transaction, method: Omit<AuthMethod, keyof Indexes>): AuthMethod {
  return putWithIndexes(transaction, 'auth-methods', method.Name, method);
}

/** Deletes an auth method with its binding rules and tokens. */
export function deleteAuthMethod(transaction: Transaction, name: string): void {
  for (const { ID } of bindingRulesOf(transaction, name)) deleteBindingRule(transaction, ID);
  for (const token of tokensOf(transaction)) if (token.AuthMethod === name) deleteToken(transaction, token);
  transaction.put('auth-methods', name, undefined);
}

export function bindingRuleOf(view: View, id: string): BindingRule | undefined {
  return view.get('binding-rules', id) as (Row & BindingRule) | undefined;
}

/** All binding rules, or those of one auth method. */
export function bindingRulesOf(view: View, method = ''): BindingRule[] {
  return view
    .keys('binding-rules', '')
    .flatMap((id) => bindingRuleOf(view, id) ?? [])
    .filter(({ AuthMethod }) => method === '' || AuthMethod === method);
}

export function putBindingRule(
  transaction: Transaction,
  rule: Omit<BindingRule, keyof Indexes>,
): BindingRule {
  return putWithIndexes(transaction, 'binding-rules', rule.ID, rule);
}

export function deleteBindingRule(transaction: Transaction, id: string): void {
  transaction.put('binding-rules', id, undefined);
}
