import type { Area } from './area.ts';

/** What the embedded SSH engine lets a certificate say. */
export const sshSigning: Area = {
  mutate: [
    'src/dev/secrets/ssh/rules.ts',
    'src/dev/secrets/ssh/templates.ts',
    'src/dev/secrets/ssh/terms.ts',
  ],
  tests: ['test/unit/dev/ssh/certificate-rules.test.ts', 'test/unit/dev/ssh/hardening.test.ts'],
  equivalent: [],
};
