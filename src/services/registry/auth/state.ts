import { type Indexes, indexFields, putWithIndexes } from '../../core/state/put-with-indexes.ts';
import { type RowOf, s, table } from '../../core/store/table.ts';
import { deleteToken, tokensOf } from '../model/acl.ts';
import type { Transaction, View } from '../model/tables.ts';

export const methodTypes = ['jwt', 'kubernetes', 'oidc'] as const;
export type MethodType = (typeof methodTypes)[number];

/** A way to log in with an identity from another party. */
const authMethods = table('auth-methods/', {
  ...indexFields,
  Name: s.string,
  Type: s.oneOf(...methodTypes),
  DisplayName: s.string,
  Description: s.string,
  /** Lifetime of the tokens, a duration; missing: unlimited. */
  MaxTokenTTL: s.optional(s.string),
  /** Missing: local. */
  TokenLocality: s.optional(s.oneOf('local', 'global')),
  Config: s.record(s.json),
}).with({ encrypted: true });
export type AuthMethod = RowOf<typeof authMethods>;

export const bindTypes = ['service', 'node', 'role', 'policy'] as const;

/** The permissions of logins with an auth method that match the selector. */
const bindingRules = table('binding-rules/', {
  ...indexFields,
  ID: s.string,
  Description: s.string,
  AuthMethod: s.string,
  Selector: s.string,
  BindType: s.oneOf(...bindTypes),
  /** May contain placeholders for attributes of the caller: `${value.x}`. */
  BindName: s.string,
});
export type BindingRule = RowOf<typeof bindingRules>;

export const authTables = [authMethods, bindingRules];

export function authMethodOf(view: View, name: string): AuthMethod | undefined {
  return authMethods.get(view, name);
}

export function authMethodsOf(view: View): AuthMethod[] {
  return authMethods.values(view);
}

export function putAuthMethod(transaction: Transaction, method: Omit<AuthMethod, keyof Indexes>): AuthMethod {
  return putWithIndexes(transaction, authMethods, method.Name, method);
}

/** Deletes an auth method with its binding rules and the tokens of its logins. */
export function deleteAuthMethod(transaction: Transaction, name: string): void {
  for (const { ID } of bindingRulesOf(transaction, name)) deleteBindingRule(transaction, ID);
  for (const token of tokensOf(transaction)) if (token.AuthMethod === name) deleteToken(transaction, token);
  transaction.write(authMethods.remove(name));
}

export function bindingRuleOf(view: View, id: string): BindingRule | undefined {
  return bindingRules.get(view, id);
}

/** All binding rules, or those of one auth method. */
export function bindingRulesOf(view: View, method = ''): BindingRule[] {
  return bindingRules.values(view).filter(({ AuthMethod }) => method === '' || AuthMethod === method);
}

export function putBindingRule(
  transaction: Transaction,
  rule: Omit<BindingRule, keyof Indexes>,
): BindingRule {
  return putWithIndexes(transaction, bindingRules, rule.ID, rule);
}

export function deleteBindingRule(transaction: Transaction, id: string): void {
  transaction.write(bindingRules.remove(id));
}
