import { type Content, stateTable } from '../../core/state/state-table.ts';
import * as s from '../../core/store/schema.ts';
import type { RowOf } from '../../core/store/table.ts';
import { deleteToken, tokensOf } from '../model/acl.ts';
import type { Transaction, View } from '../model/tables.ts';

export const methodTypes = ['jwt', 'kubernetes', 'oidc'] as const;
export type MethodType = (typeof methodTypes)[number];

/** A way to log in with an identity from another party. */
const authMethods = stateTable('auth-methods/', {
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
const bindingRules = stateTable('binding-rules/', {
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

export const authMethodOf = (view: View, name: string) => authMethods.get(view, name);
export const authMethodsOf = (view: View) => authMethods.values(view);
export const putAuthMethod = (transaction: Transaction, method: Content<AuthMethod>) =>
  authMethods.write(transaction, method.Name, method);

/** Deletes an auth method with its binding rules and the tokens of its logins. */
export function deleteAuthMethod(transaction: Transaction, name: string): void {
  for (const { ID } of bindingRulesOf(transaction, name)) deleteBindingRule(transaction, ID);
  for (const token of tokensOf(transaction)) if (token.AuthMethod === name) deleteToken(transaction, token);
  authMethods.delete(transaction, name);
}

export const bindingRuleOf = (view: View, id: string) => bindingRules.get(view, id);
/** All binding rules, or those of one auth method. */
export function bindingRulesOf(view: View, method = ''): BindingRule[] {
  return bindingRules.values(view).filter(({ AuthMethod }) => method === '' || AuthMethod === method);
}

export const putBindingRule = (transaction: Transaction, rule: Content<BindingRule>) =>
  bindingRules.write(transaction, rule.ID, rule);

export const deleteBindingRule = (transaction: Transaction, id: string) =>
  bindingRules.delete(transaction, id);
