import type { Account } from '../../../api/accounts.ts';
import { formatValue } from '../../../output/diff.ts';
import {
  type Block,
  bad,
  type Column,
  code,
  type Document,
  dim,
  fields,
  good,
  type StyledText,
  strong,
  table,
  text,
} from '../../../output/document.ts';
import { timestampText } from '../../../output/humanize.ts';

/** The display name of an account: its login name, subject or name, else its ID. */
const displayName = ({ id, name, attributes }: Account): string =>
  String(attributes?.login_name || attributes?.subject || name || id);

/** An account in a message: `bob (acctpw_1234567890)`. */
export const title = (account: Account): string =>
  displayName(account) === account.id ? account.id : `${displayName(account)} (${account.id})`;

const cells = (account: Account): StyledText[] => [
  account.id,
  [strong(displayName(account))],
  account.name || [dim('-')],
  account.type ?? '',
  String(account.version),
  timestampText(account.updated_time) ?? '',
];
const columns = [
  'ID',
  { title: 'LOGIN OR SUBJECT', shrinkPriority: 1 },
  { title: 'NAME', shrinkPriority: 2 },
  'TYPE',
  { title: 'VERSION', optional: 2 },
  { title: 'UPDATED', optional: 1 },
] satisfies readonly (string | Column)[];

export const accountsView = (accounts: readonly Account[]): Document => [
  table(columns, accounts.map(cells), 'No accounts.'),
];

/** Changes since an earlier list. A new account has version 1. */
export const changedView = (accounts: readonly Account[], removed: readonly string[]): Document => [
  table(
    ['CHANGE', ...columns],
    [
      ...accounts.map((account) => [account.version === 1 ? [good('new')] : 'changed', ...cells(account)]),
      ...removed.map((id) => [[bad('removed')], id, '', '', '', '', '']),
    ],
    'No changes.',
  ),
];

/** The fields of an account that are not empty. */
export function accountView(account: Account): Document {
  const { scope } = account;
  const scopeText = scope?.name && scope.id ? `${scope.name} (${scope.id})` : (scope?.id ?? scope?.name);
  return [
    fields([
      ['ID', [strong(account.id)]],
      ['name', account.name || undefined],
      ['description', account.description || undefined],
      ['type', account.type || undefined],
      ['auth method', account.auth_method_id || undefined],
      ['scope', scopeText || undefined],
      ['version', String(account.version)],
      ['created', timestampText(account.created_time)],
      ['updated', timestampText(account.updated_time)],
      ...attributeRows(account),
      ['managed groups', account.managed_group_ids?.join(', ') || undefined],
      ['authorized actions', actions(account) || undefined],
    ]),
  ];
}

export const attributeRows = ({ attributes }: Pick<Account, 'attributes'>) =>
  Object.entries(attributes ?? {}).map(
    ([name, value]) => [attributeLabel(name), attributeText(value) || undefined] as const,
  );

/** Sorted, because the order of a service may vary. */
export const actions = ({
  authorized_actions,
}: {
  readonly authorized_actions?: readonly string[] | null | undefined;
}): string =>
  (authorized_actions ?? [])
    .filter((action) => action !== 'no-op')
    .toSorted()
    .join(', ');

/** `client_id` → `client ID` */
const attributeLabel = (name: string): string => name.replaceAll('_', ' ').replace(/\bid\b/, 'ID');

const attributeText = (value: unknown): string => {
  if (typeof value === 'string') return value;
  return Array.isArray(value) && value.every((each) => typeof each === 'string')
    ? value.join(', ')
    : formatValue(value);
};

/** What was done to an account, and its new version. @param done such as `Created account`. */
export const resultLine = (done: string, account: Account): Block =>
  text(`${done} `, code(title(account)), `, now version ${account.version}.`);
