import type { AccountRole, AccountScope, AccountUser } from '../../../../api/accounts-access.ts';
import { code, fieldsResult, type Shown, strong, text } from '../../../../output/document.ts';
import { timestampText } from '../../../../output/humanize.ts';
import { withoutScope } from '../own-token.ts';
import { actions } from '../views.ts';

interface Labelled {
  readonly id: string;
  readonly version: number;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly created_time?: string | undefined;
  readonly updated_time?: string | undefined;
  readonly authorized_actions?: readonly string[] | null | undefined;
  readonly scope?:
    | { readonly id?: string | undefined; readonly name?: string | undefined }
    | null
    | undefined;
}

/** In a message: `bob (u_1234567890)`. */
export const objectTitle = ({ id, name }: Pick<Labelled, 'id' | 'name'>): string =>
  name ? `${name} (${id})` : id;

/** What was done to an object, and its new version. @param done such as `Created user`. */
export const doneLine = (
  done: string,
  object: Pick<Labelled, 'id' | 'name'> & { readonly version?: number | undefined },
) => text(`${done} `, code(objectTitle(object)), `, now version ${object.version}.`);

/** The name of the scope of an object, else its ID. */
const scopeText = ({ scope }: Pick<Labelled, 'scope'>): string | undefined =>
  scope?.name && scope.id && scope.name !== scope.id
    ? `${scope.name} (${scope.id})`
    : (scope?.id ?? scope?.name);

type Rows = readonly (readonly [label: string, value: Shown | undefined])[];

/** The fields of an object that are not empty. @param rows the rows of its kind */
const labelledResult = <Object extends Labelled>(object: Object, rows: Rows) => ({
  ...fieldsResult(object, [
    ['ID', [strong(object.id)]],
    ['name', object.name || undefined],
    ['description', object.description || undefined],
    ['scope', scopeText(object)],
    ...rows,
    ['version', String(object.version)],
    ['created', timestampText(object.created_time)],
    ['updated', timestampText(object.updated_time)],
    ['authorized actions', actions(object) || undefined],
  ]),
  payload: withoutScope(object),
});

const lines = (values: readonly string[] | null | undefined): string | undefined =>
  values?.join('\n') || undefined;

export const userResult = (user: AccountUser) =>
  labelledResult(user, [
    ['login name', user.login_name || undefined],
    ['full name', user.full_name || undefined],
    ['email', user.email || undefined],
    ['primary account', user.primary_account_id || undefined],
    ['accounts', lines(user.account_ids)],
  ]);

export const roleResult = (role: AccountRole) =>
  labelledResult(role, [
    ['grant scopes', role.grant_scope_ids?.join(', ') || undefined],
    ['grants', lines(role.grant_strings)],
    ['principals', lines(role.principal_ids)],
  ]);

export const scopeResult = (scope: AccountScope) =>
  labelledResult(scope, [
    ['type', scope.type || undefined],
    ['primary auth method', scope.primary_auth_method_id || undefined],
  ]);

/** In lists, the version may be omitted. */
type Listed = Omit<Labelled, 'version'>;

/** The columns of lists that users, roles and scopes have in common. */
export const labelColumns = {
  ID: ({ id }: Listed) => [strong(id)],
  NAME: ({ name }: Listed) => name || null,
  DESCRIPTION: { cell: ({ description }: Listed) => description || null, shrinkPriority: 2, optional: 1 },
} as const;

/** The column of lists with objects of several scopes. */
export const scopeColumn = {
  SCOPE: { cell: ({ scope }: Listed) => scope?.name ?? scope?.id ?? null, shrinkPriority: 1 },
} as const;
