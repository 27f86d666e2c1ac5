import { filterInSlices } from '../../core/in-slices.ts';
import * as s from '../../core/schema/types.ts';
import { stateTable } from '../../core/state/state-table.ts';
import type { RowOf } from '../../core/store/table.ts';
import { foldName, isSameName } from '../fold-name.ts';
import { deleteToken, templateVariables, tokens } from '../model/acl.ts';
import type { Transaction, View } from '../model/tables.ts';

export const methodTypes = ['jwt', 'kubernetes', 'oidc'] as const;
export type MethodType = (typeof methodTypes)[number];

/** A way to log in with an identity from another party. */
export const authMethods = stateTable('auth-methods/', {
  Name: s.string(),
  Type: s.oneOf([...methodTypes]),
  DisplayName: s.string(),
  Description: s.string(),
  /** Lifetime of the tokens, a duration; missing: unlimited. */
  MaxTokenTTL: s.optional(s.string()),
  /** Missing: local. */
  TokenLocality: s.optional(s.oneOf(['local', 'global'])),
  Config: s.map(s.json()),
}).with({ encrypted: true });
export type AuthMethod = RowOf<typeof authMethods>;

export const bindTypes = ['service', 'node', 'role', 'policy', 'templated-policy'] as const;

/** The permissions of logins with an auth method that match the selector. */
export const bindingRules = stateTable('binding-rules/', {
  ID: s.string(),
  Description: s.string(),
  AuthMethod: s.string(),
  Selector: s.string(),
  BindType: s.oneOf([...bindTypes]),
  /** May contain placeholders for attributes of the caller: `${value.x}`. */
  BindName: s.string(),
  /** The variables of a templated policy, with placeholders too. */
  BindVars: s.optional(templateVariables),
});
export type BindingRule = RowOf<typeof bindingRules>;

export const authTables = [authMethods, bindingRules];

export const authMethodOf = (view: View, name: string) => authMethods.get(view, foldName(name));

/** Deletes an auth method with its binding rules and the tokens of its logins. */
export function deleteAuthMethod(transaction: Transaction, name: string): void {
  authMethods.delete(transaction, foldName(name));
  transaction.defer(function* () {
    for (const id of bindingRules.keys(transaction)) {
      const rule = bindingRules.get(transaction, id);
      yield rule && isSameName(rule.AuthMethod, name) && bindingRules.delete(transaction, id);
    }
    for (const accessor of tokens.keys(transaction)) {
      const token = tokens.get(transaction, accessor);
      if (token?.AuthMethod !== undefined && isSameName(token.AuthMethod, name))
        deleteToken(transaction, token);
      yield;
    }
  });
}

/** All binding rules, or those of one auth method; the view must be of one moment. */
export async function bindingRulesOf(view: View, method = ''): Promise<BindingRule[]> {
  return filterInSlices(
    await bindingRules.list(view),
    ({ AuthMethod }) => method === '' || isSameName(AuthMethod, method),
  );
}
