import type { AuthMethod, AuthToken } from '../../../api/accounts.ts';
import {
  type Document,
  dim,
  fields,
  good,
  type StyledText,
  strong,
  table,
} from '../../../output/document.ts';
import { timestampText } from '../../../output/humanize.ts';
import { attributeLabel, attributeText } from './views.ts';

export const authMethodsView = (methods: readonly AuthMethod[]): Document => [
  table(
    ['ID', 'TYPE', { title: 'NAME', shrinkPriority: 1 }, 'PRIMARY', { title: 'SCOPE', optional: 1 }],
    methods.map((method) => [
      [strong(method.id)],
      method.type ?? '',
      method.name || [dim('-')],
      method.is_primary ? [good('yes')] : [dim('-')],
      method.scope_id ?? '',
    ]),
    'No auth methods.',
  ),
];

type Row = readonly [label: string, value: StyledText | undefined];

const presentFields = (rows: readonly Row[]): Document => [
  fields(rows.flatMap(([label, value]) => (value ? [[label, value] as const] : []))),
];

export const authMethodView = (method: AuthMethod): Document =>
  presentFields([
    ['ID', [strong(method.id)]],
    ['name', method.name],
    ['description', method.description],
    ['type', method.type],
    ['scope', method.scope_id],
    ['primary', method.is_primary ? 'yes' : 'no'],
    ['created', timestampText(method.created_time)],
    ['updated', timestampText(method.updated_time)],
    ...Object.entries(method.attributes ?? {}).map(
      ([name, value]) => [attributeLabel(name), attributeText(value)] as const,
    ),
  ]);

/** @param own the ID of the token of this call. */
export const authTokensView = (tokens: readonly AuthToken[], own: string | undefined): Document => [
  table(
    [
      'ID',
      'ACCOUNT',
      { title: 'CREATED', optional: 2 },
      { title: 'LAST USED', optional: 3 },
      { title: 'EXPIRES', optional: 1 },
      'CURRENT',
    ],
    tokens.map((token) => [
      [strong(token.id ?? '')],
      token.account_id ?? '',
      timestampText(token.created_time) ?? '',
      timestampText(token.approximate_last_used_time) ?? '',
      timestampText(token.expiration_time ?? undefined) ?? 'never',
      token.id === own ? [good('yes')] : [dim('-')],
    ]),
    'No tokens.',
  ),
];

export const authTokenView = (token: AuthToken): Document =>
  presentFields([
    ['ID', [strong(token.id ?? '')]],
    ['account', token.account_id],
    ['user', token.user_id],
    ['auth method', token.auth_method_id],
    ['created', timestampText(token.created_time)],
    ['last used', timestampText(token.approximate_last_used_time)],
    ['expires', timestampText(token.expiration_time ?? undefined) ?? 'never'],
  ]);
