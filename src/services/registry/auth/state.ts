import { isObject } from '../../../wire/objects.ts';
import { filterInSlices } from '../../core/in-slices.ts';
import * as s from '../../core/schema/types.ts';
import { shownIndexes, stateTable } from '../../core/state/state-table.ts';
import type { RowOf } from '../../core/store/table.ts';
import { foldName, isSameName } from '../fold-name.ts';
import { deleteToken, templateVariables, tokens } from '../model/acl.ts';
import type { Transaction, View } from '../model/tables.ts';
import { authMethodConfig, methodTypes } from './settings.ts';

const methodFields = {
  Name: s.string('Default: from the path.'),
  Type: s.string('`jwt`, `kubernetes` or `oidc`. Default in an update: unchanged.'),
  DisplayName: s.omitEmpty(s.string()),
  Description: s.omitEmpty(s.string()),
  TokenLocality: s.nonEmpty(
    s.string('Datacenters in which tokens of logins are valid: `local` (default) or `global`.'),
  ),
  ...shownIndexes,
};

export const authMethodInput = s.named(
  'AuthMethod',
  s.object({
    ...methodFields,
    MaxTokenTTL: s.duration('Lifetime of tokens: a duration such as `5s`, or nanoseconds.'),
    /** It is stored unchanged. */
    Config: s.converted(authMethodConfig, (value) => (isObject(value) ? value : undefined)),
  }),
);
export type AuthMethodInput = s.Input<typeof authMethodInput>;

const shownFields = {
  ...methodFields,
  MaxTokenTTL: s.optional(s.string('Lifetime of tokens, a duration; missing: unlimited.')),
};
export const authMethodMetadata = s.named(
  'AuthMethodMetadata',
  s.object(shownFields, 'An auth method without its configuration.'),
);
export const authMethod = s.named(
  'AuthMethod',
  s.object({ ...shownFields, Config: s.map(s.json(), 'The written configuration, unchanged.') }),
);

/** A way to log in with an identity from another party. */
export const authMethods = stateTable('auth-methods/', {
  ...authMethod.fields,
  Type: s.oneOf(methodTypes),
  TokenLocality: s.optional(s.oneOf(['local', 'global'])),
}).with({ encrypted: true });
export type AuthMethod = RowOf<typeof authMethods>;

export const bindTypes = ['service', 'node', 'role', 'policy', 'templated-policy'] as const;

export const bindingRule = s.named(
  'BindingRule',
  s.object({
    ID: s.string(),
    Description: s.string(),
    AuthMethod: s.string('Required to create a rule. It cannot be changed.'),
    Selector: s.string('A filter expression over the claims; empty: all logins.'),
    BindType: s.string('`service`, `node`, `role`, `policy` or `templated-policy`.'),
    BindName: s.string('Name of the grant, with variables of the login in braces.'),
    BindVars: s.optional(templateVariables),
    ...shownIndexes,
  }),
);

/** The permissions of logins with an auth method that match the selector. */
export const bindingRules = stateTable('binding-rules/', {
  ...bindingRule.fields,
  BindType: s.oneOf(bindTypes),
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

/** All binding rules, or the rules of one auth method; the view must be of one moment. */
export async function bindingRulesOf(view: View, method = ''): Promise<BindingRule[]> {
  return filterInSlices(
    await bindingRules.list(view),
    ({ AuthMethod }) => method === '' || isSameName(AuthMethod, method),
  );
}
