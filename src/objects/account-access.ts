import { field } from './schema.ts';

const labelled = (what: string) => ({
  name: field.string({
    form: 'trimmed',
    description: `Name of the ${what}, unique in its scope.`,
    flag: { value: 'NAME', help: `new name of the ${what}`, isKept: true, isNeverEmpty: true },
  }),
  description: field.string({ form: 'trimmed', description: 'Description.' }),
});

/** A user: the accounts of a person or program, which roles refer to (docs/protocol/accounts.md#endpoints). */
export const accountUser = field.object(labelled('user'));

/** A role: grants, the scopes that they apply to, and who has them (docs/protocol/accounts.md#endpoints). */
export const accountRole = field.object({
  ...labelled('role'),
  grant_scope_ids: field.set(
    field.string({ description: 'this, children, descendants, or the ID of a scope.' }),
    {
      description: 'Scopes that the grants apply to (default: this, the scope of the role).',
      flag: {
        name: 'grant-scope',
        value: 'SCOPE',
        help: 'scope of the grants: this (default), children, descendants, or a scope; repeatable',
        completes: 'account-scope',
        isRepeated: true,
        isKept: true,
      },
    },
  ),
});

/** A scope: an organization, or a project in one (docs/protocol/accounts.md#endpoints). */
export const accountScope = field.object({
  ...labelled('scope'),
  primary_auth_method_id: field.string({
    description: 'Auth method whose accounts get a user with their first login.',
    flag: {
      name: 'primary-auth-method',
      value: 'ID',
      help: 'primary auth method: its accounts get a user with their first login',
      completes: 'account-auth-method',
    },
  }),
});
