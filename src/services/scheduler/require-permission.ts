import { HttpError } from '../core/http/http-service.ts';

/** @throws HttpError 403 */
export function requirePermission(permitted: boolean): void {
  if (!permitted) throw new HttpError(403, 'Permission denied');
}
