import type { Area } from './area.ts';

/** What the embedded SSH engine lets a certificate say. */
export const sshSigning: Area = {
  mutate: [
    'src/services/secrets/ssh/rules.ts',
    'src/services/secrets/ssh/templates.ts',
    'src/services/secrets/ssh/certificate-options.ts',
  ],
  tests: [
    'test/unit/services/secrets/ssh/certificate-rules.test.ts',
    'test/unit/services/secrets/ssh/hardening.test.ts',
  ],
  equivalent: [
    {
      file: 'src/services/secrets/ssh/templates.ts',
      before: "const [start = '', ...pieces] = value.split('{{');",
      after: 'const [start = "Stryker was here!", ...pieces] = value.split(\'{{\');',
      reason: 'A text that is split has at least one piece.',
    },
    {
      file: 'src/services/secrets/ssh/templates.ts',
      before: 'const resolved = entity && end > 0 ? lookUp(piece.slice(0, end).trim(), entity) : undefined;',
      after: 'const resolved = entity && end >= 0 ? lookUp(piece.slice(0, end).trim(), entity) : undefined;',
      reason: 'Nothing is found at an empty path.',
    },
    {
      file: 'src/services/secrets/ssh/templates.ts',
      before: "const [, plain, field, rest = ''] = resolved;",
      after: 'const [, plain, field, rest = "Stryker was here!"] = resolved;',
      reason: 'The rest is only used with a member, and the expression matches both or neither.',
    },
  ],
};
