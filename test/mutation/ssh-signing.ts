import type { Area } from './area.ts';

/** What the embedded SSH engine lets a certificate say. */
export const sshSigning: Area = {
  mutate: [
    'src/dev/secrets/ssh/rules.ts',
    'src/dev/secrets/ssh/templates.ts',
    'src/dev/secrets/ssh/terms.ts',
  ],
  tests: ['test/unit/dev/ssh/certificate-rules.test.ts', 'test/unit/dev/ssh/hardening.test.ts'],
  equivalent: [
    {
      file: 'src/dev/secrets/ssh/templates.ts',
      before: "const [start = '', ...pieces] = value.split('{{');",
      after: 'const [start = "Stryker was here!", ...pieces] = value.split(\'{{\');',
      reason: 'A text that is split has at least one piece.',
    },
    {
      file: 'src/dev/secrets/ssh/templates.ts',
      before: 'const found = entity && end > 0 ? lookUp(piece.slice(0, end).trim(), entity) : undefined;',
      after: 'const found = entity && end >= 0 ? lookUp(piece.slice(0, end).trim(), entity) : undefined;',
      reason: 'Nothing is found at an empty path.',
    },
    {
      file: 'src/dev/secrets/ssh/templates.ts',
      before: "const [, plain, member, rest = ''] = found;",
      after: 'const [, plain, member, rest = "Stryker was here!"] = found;',
      reason: 'The rest is only used with a member, and the expression matches both or neither.',
    },
  ],
};
