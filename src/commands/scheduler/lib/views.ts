import type {
  OwnSchedulerToken,
  SchedulerToken,
  SchedulerTokenMetadata,
} from '../../../api/scheduler-acl.ts';
import { type Block, dim, fields, strong } from '../../../output/document.ts';
import { timestampText } from '../../../output/humanize.ts';

type Granted = Pick<SchedulerTokenMetadata, 'Type' | 'Policies' | 'Roles'>;

/** The names of the roles of a token; the ID of one whose name the service does not show. */
const roleNames = ({ Roles }: Pick<Granted, 'Roles'>): readonly string[] =>
  (Roles ?? []).map(({ Name, ID }) => Name || ID || '');

/** The permissions of a token: "all permissions", "policies a, b, role c", "no policies". */
export function grants(token: Granted): string {
  if (token.Type === 'management') return 'all permissions';
  const parts = [
    grantText('policy', 'policies', token.Policies ?? []),
    grantText('role', 'roles', roleNames(token)),
  ].filter((part) => part !== '');
  return parts.join(', ') || 'no policies';
}

const grantText = (one: string, several: string, names: readonly string[]): string =>
  names.length === 0 ? '' : `${names.length === 1 ? one : several} ${names.join(', ')}`;

/** When a token expires, or `never`. */
export const expiresText = ({ ExpirationTime }: Pick<SchedulerTokenMetadata, 'ExpirationTime'>): string =>
  timestampText(ExpirationTime) ?? 'never';

export const scopeText = ({ Global }: Pick<SchedulerTokenMetadata, 'Global'>): string =>
  Global ? 'global' : 'region';

/** A token with its secret, for the only time that it is printed. */
export const createdToken = (token: SchedulerToken): Block =>
  fields([
    ['secret', strong(token.SecretID)],
    ['accessor', token.AccessorID],
    ['name', token.Name || undefined],
    ['grants', grants(token)],
    ['scope', scopeText(token)],
    ['expires', expiresText(token)],
  ]);

/** A token; its secret is redacted before, unless it is to be shown. */
export const tokenView = (token: OwnSchedulerToken): Block =>
  fields([
    ['accessor', strong(token.AccessorID ?? '')],
    ['secret', token.SecretID?.startsWith('<') ? dim(token.SecretID) : token.SecretID || undefined],
    ['name', token.Name || null],
    ['type', token.Type],
    ['grants', grants(token)],
    ['scope', scopeText(token)],
    ['created', timestampText(token.CreateTime)],
    ['expires', expiresText(token)],
  ]);
