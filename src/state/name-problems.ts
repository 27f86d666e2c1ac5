import type { Identity, Kind } from './kind.ts';
import { scopeNameProblem, scopePathProblem } from './kinds/accounts-scopes.ts';

/** What is wrong with a part of an identity; `field`: of `metadata`. */
interface NameProblem {
  readonly field: string;
  readonly message: string;
}

/** Kinds that are found by their name in a list: it is in no path. */
const listed: ReadonlySet<string> = new Set([
  'registry.query',
  'registry.binding-rule',
  'scheduler.token',
  'accounts.account',
  'accounts.auth-method',
  'accounts.role',
  'accounts.scope',
  'accounts.user',
]);

/**
 * The names of an object that no request can have: they would lead to another route of the service, or name another
 * object.
 */
export function nameProblems(kind: Kind, { scope, key }: Identity): readonly NameProblem[] {
  const parts = Object.entries(scope).concat(kind.keyOf ? [] : [['name', key]]);
  return parts.flatMap(([field, value]): NameProblem[] => {
    const message = value === '' ? undefined : problemOf(kind, field, value);
    return message === undefined ? [] : [{ field, message: `invalid ${field}: ${message}` }];
  });
}

function problemOf({ name: kind, service }: Kind, field: string, value: string): string | undefined {
  // A key that no path can have is written by a transaction.
  const isKey = kind === 'registry.key' && field === 'name';
  if (!isKey && /\p{Cc}/u.test(value)) return 'contains a control character';
  if (!value.isWellFormed()) return 'contains an unpaired surrogate (invalid UTF-16)';
  if (service === 'accounts' && field === 'scope')
    return scopePathProblem(value, kind === 'accounts.role' ? 2 : 1);
  if (kind === 'accounts.scope') return scopeNameProblem(value);
  if (listed.has(kind)) return undefined;
  // The path of a mount has a slash at its end.
  const isMount = field === 'name' && ['secrets.mount', 'secrets.auth-method'].includes(kind);
  const path = isMount ? value.replace(/\/$/, '') : value;
  const segments = path.split('/');
  if (kind === 'registry.key') return leadsOut(segments) ? 'leads to another path' : undefined;
  if (service === 'registry' && segments.length > 1) return 'must not contain "/"';
  // Nomad keeps variables whose path ends in a slash; a namespace is in the query.
  const isPath = kind === 'scheduler.variable' && field === 'name';
  if (kind === 'scheduler.variable' && !isPath) return undefined;
  if (isPath && segments.length > 1 && segments.at(-1) === '') segments.pop();
  const wrong = segments.find((segment) => ['', '.', '..'].includes(segment));
  if (wrong === '') return 'contains an empty path segment';
  if (wrong !== undefined) return `must not contain "${wrong}" as a path segment`;
  return service === 'secrets' && path.endsWith('.') ? 'must not end with a period' : undefined;
}

/** Whether a path with "." and ".." ends at or above its beginning. */
function leadsOut(segments: readonly string[]): boolean {
  let depth = 0;
  for (const segment of segments) {
    if (segment === '..') depth -= 1;
    else if (segment !== '' && segment !== '.') depth += 1;
    if (depth < 0) return true;
  }
  return depth === 0 || (segments.length === 1 && depth < 1);
}
