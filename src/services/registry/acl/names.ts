import { HttpError } from '../../core/http/http-service.ts';
import { uuidPattern } from '../../core/uuid.ts';

const maxIdentityLength = 256;

/** Whether a service or node identity can have this name. */
export function isIdentityName(name: string): boolean {
  return name.length <= maxIdentityLength && /^[a-z0-9]([a-z0-9_-]*[a-z0-9])?$/.test(name);
}

export const isRoleName = (name: string): boolean => /^[\w-]{1,256}$/.test(name);

/** The problem with the name of a policy; undefined: none. */
export function policyNameProblem(name: string): string | undefined {
  if (name === '') return 'no Name is set';
  if (name.length > 128) return 'invalid Name. Length must be greater than 0 and less than 128';
  if (name.startsWith('/') || name.startsWith('builtin/'))
    return "invalid Name. Names cannot be prefixed with '/' or 'builtin/'";
  return /^[\w-]+\/?[\w-]*$/.test(name)
    ? undefined
    : "invalid Name. Only alphanumeric characters, a single '/', '-' and '_' are allowed";
}

/** @param table e.g. `acl policy`. @throws HttpError 500: the ID cannot be looked up */
export function checkUuid(table: string, id: string, prefix = ''): void {
  if (!uuidPattern.test(id))
    throw new HttpError(500, `${prefix}failed ${table} lookup: index error: UUID must be 36 characters`);
}
