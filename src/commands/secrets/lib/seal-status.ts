import type { SecretsClient } from '../../../api/secrets.ts';
import { bad, type Document, fields, good } from '../../../output/document.ts';

export type SealStatus = Awaited<ReturnType<SecretsClient['sealStatus']>>['body'];

/** The state of the seal as a result: `state`, the threshold and number of keys, and the progress of unsealing. */
export function sealData({ sealed, t, n, progress, nonce }: SealStatus) {
  return {
    state: sealed ? 'sealed' : 'unsealed',
    /** The number of unseal keys that are required. */
    threshold: t,
    /** The number of unseal keys. */
    shares: n,
    /** The number of unseal keys that were given. */
    progress,
    nonce: nonce ? nonce : null,
  };
}

/** The state of the seal, and how many keys are missing. */
export function sealView({ sealed, t, n, progress, nonce }: SealStatus): Document {
  return [
    fields([
      ['state', [sealed ? bad('sealed') : good('unsealed')]],
      ['unseal keys', sealed ? `${t} of ${n} required, ${progress} provided` : `${t} of ${n} required`],
      ...(sealed && nonce ? ([['nonce', nonce]] as const) : []),
    ]),
  ];
}
