import { HttpRefusal } from '../../http/service.ts';

export const denied = (): HttpRefusal => new HttpRefusal(403, 'Permission denied');

/** @throws HttpRefusal 403 */
export function demand(permitted: boolean): void {
  if (!permitted) throw denied();
}
