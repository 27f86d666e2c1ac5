import { HttpRefusal } from '../../http/service.ts';

/** @throws HttpRefusal 403 */
export function demand(permitted: boolean): void {
  if (!permitted) throw new HttpRefusal(403, 'Permission denied');
}
