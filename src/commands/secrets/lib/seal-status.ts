import type { SecretsClient } from '../../../api/secrets.ts';
import { bad, fieldsResult, good } from '../../../output/document.ts';

export type SealStatus = Awaited<ReturnType<SecretsClient['sealStatus']>>['body'];

/** The state of the seal as a result: `state`, the threshold and number of keys, and the progress of unsealing. */
export function sealResult(status: SealStatus) {
  const { sealed, t, n, progress, nonce } = status;
  const data = {
    state: sealed ? 'sealed' : 'unsealed',
    /** The number of unseal keys that are required. */
    threshold: t,
    /** The number of unseal keys. */
    shares: n,
    /** The number of unseal keys that were given. */
    progress,
    nonce: nonce ? nonce : null,
  };
  return fieldsResult(data, [
    ['state', sealed ? bad('sealed') : good('unsealed')],
    ['unseal keys', keysText(status)],
    ['nonce', (sealed && nonce) || undefined],
  ]);
}

/** `3 of 5 required, 1 provided`. */
export const keysText = ({ sealed, t, n, progress }: SealStatus): string =>
  `${t} of ${n} required${sealed ? `, ${progress} provided` : ''}`;
