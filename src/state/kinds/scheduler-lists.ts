import { isAccessControlOff } from '../../api/conditions/any.ts';
import { LanyardError } from '../../errors.ts';
import { accessControlOffAccessor } from '../../wire/services.ts';
import type { Services } from '../kind.ts';

/**
 * The scheduler leaves out of a list what the token may not list, without saying so: only the list of a management
 * token is complete.
 *
 * @param what for the message: `list variables`.
 * @throws LanyardError forbidden: the list may be incomplete.
 */
export async function requireCompleteLists(services: Services, what: string): Promise<void> {
  const scheduler = await services.scheduler();
  try {
    const { AccessorID, Type } = (await scheduler.readOwnToken({})).body;
    if (Type === 'management' || AccessorID === accessControlOffAccessor) return;
  } catch (error) {
    if (isAccessControlOff(error)) return;
    throw error;
  }
  throw new LanyardError(
    'forbidden',
    `cannot ${what}: the list may be incomplete without a management token`,
    {
      service: 'scheduler',
      hint: 'The scheduler leaves out what the token may not list. Use a management token.',
    },
  );
}
