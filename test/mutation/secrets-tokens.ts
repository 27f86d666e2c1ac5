import type { Area } from './area.ts';

/** Which tokens the embedded secrets service accepts, and where. */
export const secretsTokens: Area = {
  mutate: ['src/dev/secrets/tokens.ts', 'src/dev/secrets/admission.ts'],
  tests: [
    'test/unit/dev/secrets-tokens.test.ts',
    'test/unit/dev/secrets-token-store.test.ts',
    'test/unit/dev/secrets-admission.test.ts',
  ],
  equivalent: [],
};
