import { uuid } from '../core/uuid.ts';
import { isExpired } from './auth.ts';
import type { Scheduler } from './call.ts';
import { newToken } from './handlers/tokens.ts';
import { tokenBySecret, tokens } from './model/acl.ts';

/** The accessor ID of the start-up token: there is one, and a new one replaces it. */
const startUpAccessor = '3c1a7e52-0d1e-4c55-8a65-6c616e796173';

/**
 * Ensures that a management token exists before ACLs are bootstrapped. It changes nothing for requests without a token,
 * and does not count as the bootstrap.
 *
 * @param previous the token of the last start, which is kept while the service accepts it.
 * @returns its secret.
 */
export async function ensureStartUpToken(scheduler: Scheduler, previous?: string): Promise<string> {
  const { state } = scheduler;
  const existing = previous === undefined ? undefined : tokenBySecret(state.view, previous);
  if (previous !== undefined && existing && !isExpired(existing, state.now)) return previous;
  const secret = uuid(scheduler.random);
  const input = { Name: 'lanyard dev', Type: 'management', Policies: [], Global: true } as const;
  await state.update((transaction) => {
    const token = newToken(scheduler, { accessor: startUpAccessor, secret });
    tokens.write(transaction, startUpAccessor, { ...token, ...input });
  });
  return secret;
}
