import type { AuthMethod, AuthToken } from '../../../api/accounts.ts';
import { type Document, fields, good, listTable, strong } from '../../../output/document.ts';
import { timestampText } from '../../../output/humanize.ts';
import { attributeRows } from './views.ts';

export const authMethodsView = (methods: readonly AuthMethod[]): Document => [
  listTable(methods, 'No auth methods.', {
    ID: ({ id }) => [strong(id)],
    TYPE: ({ type }) => type ?? '',
    NAME: { cell: ({ name }) => name || null, shrinkPriority: 1 },
    PRIMARY: ({ is_primary }) => (is_primary ? [good('yes')] : null),
    SCOPE: { cell: ({ scope_id }) => scope_id ?? '', optional: 1 },
  }),
];

export const authMethodView = (method: AuthMethod): Document => [
  fields([
    ['ID', [strong(method.id)]],
    ['name', method.name || undefined],
    ['description', method.description || undefined],
    ['type', method.type || undefined],
    ['scope', method.scope_id || undefined],
    ['primary', method.is_primary ? 'yes' : 'no'],
    ['created', timestampText(method.created_time)],
    ['updated', timestampText(method.updated_time)],
    ...attributeRows(method),
  ]),
];

/** @param own the ID of the token of this call. */
export const authTokensView = (tokens: readonly AuthToken[], own: string | undefined): Document => [
  listTable(tokens, 'No tokens.', {
    ID: ({ id = '' }) => [strong(id)],
    ACCOUNT: ({ account_id }) => account_id ?? '',
    CREATED: { cell: (token) => timestampText(token.created_time) ?? '', optional: 2 },
    'LAST USED': { cell: (token) => timestampText(token.approximate_last_used_time) ?? '', optional: 3 },
    EXPIRES: { cell: expiry, optional: 1 },
    CURRENT: ({ id }) => (id === own ? [good('yes')] : null),
  }),
];

const expiry = ({ expiration_time }: AuthToken): string =>
  timestampText(expiration_time ?? undefined) ?? 'never';

export const authTokenView = (token: AuthToken): Document => [
  fields([
    ['ID', [strong(token.id ?? '')]],
    ['account', token.account_id || undefined],
    ['user', token.user_id || undefined],
    ['auth method', token.auth_method_id || undefined],
    ['created', timestampText(token.created_time)],
    ['last used', timestampText(token.approximate_last_used_time)],
    ['expires', expiry(token)],
  ]),
];
