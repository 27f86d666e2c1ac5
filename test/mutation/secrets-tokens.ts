import type { Area } from './area.ts';

/** Which tokens the embedded secrets service accepts, and where. */
export const secretsTokens: Area = {
  mutate: ['src/services/secrets/model/tokens.ts', 'src/services/secrets/auth.ts'],
  tests: [
    'test/unit/services/secrets/tokens.test.ts',
    'test/unit/services/secrets/model/tokens.test.ts',
    'test/unit/services/secrets/auth.test.ts',
    'test/unit/services/secrets/identity.test.ts',
    'test/unit/services/secrets/batch-tokens.test.ts',
    'test/unit/services/secrets/kv/service.test.ts',
    'test/unit/services/secrets/namespaces.test.ts',
    'test/unit/services/secrets/mounts.test.ts',
    'test/unit/services/secrets/bound-cidrs.test.ts',
    'test/unit/services/secrets/leases.test.ts',
    'test/unit/services/secrets/server.test.ts',
  ],
  equivalent: [
    {
      file: 'src/services/secrets/model/tokens.ts',
      before: "return typeof digest === 'string' ? this.withDigest(digest) : undefined;",
      after: 'return true ? this.withDigest(digest) : undefined;',
      reason: 'The digest of an unknown accessor is undefined, and no entry has that digest.',
    },
    {
      file: 'src/services/secrets/auth.ts',
      before: "path: resolved?.path ?? '',",
      after: 'path: resolved?.path ?? "Stryker was here!",',
      reason: 'The path below a mount is not used where there is no mount.',
    },
  ],
};
