import { usage } from '../errors.ts';
import { compact } from '../wire/objects.ts';
import { flag, type Values } from './command.ts';

/** The flags of a read of the registry. */
export const consistencyFlags = {
  stale: flag.boolean('allow stale reads'),
  consistent: flag.boolean('fully consistent reads'),
} as const;

type Flags = Values<typeof consistencyFlags> & { readonly dc: string | undefined };

/** The query parameters of a read. @throws LanyardError usage: --stale and --consistent together. */
export function readParameters({ stale, consistent, dc }: Flags) {
  if (stale && consistent) throw usage('--stale cannot be combined with --consistent');
  const set = (isGiven: boolean) => (isGiven ? ('' as const) : undefined);
  return { ...compact({ dc }), stale: set(stale), consistent: set(consistent) };
}
