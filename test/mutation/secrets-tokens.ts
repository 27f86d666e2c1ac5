import type { Area } from './area.ts';

/** Which tokens the embedded secrets service accepts, and where. */
export const secretsTokens: Area = {
  mutate: ['src/services/secrets/model/tokens.ts', 'src/services/secrets/auth.ts'],
  tests: [
    'test/unit/services/secrets/tokens.test.ts',
    'test/unit/services/secrets/model/tokens.test.ts',
    'test/unit/services/secrets/auth.test.ts',
    'test/unit/services/secrets/identity.test.ts',
  ],
  equivalent: [
    {
      file: 'src/services/secrets/model/tokens.ts',
      before: "return typeof digest === 'string' ? this.#findActive(digest) : undefined;",
      after: 'return true ? this.#findActive(digest) : undefined;',
      reason: 'The digest of an unknown accessor is undefined, and no entry has that digest.',
    },
    {
      file: 'src/services/secrets/model/tokens.ts',
      before: '...(parent === null ? [] : [childIndexKey(parent)]),',
      after: '...(false ? [] : [childIndexKey(parent)]),',
      reason: 'Children are looked up by the digest of their parent, which is never "null".',
    },
    {
      file: 'src/services/secrets/model/tokens.ts',
      before: '...(parent === null ? [] : [childIndexKey(parent)]),',
      after: '...(parent === null ? ["Stryker was here"] : [childIndexKey(parent)]),',
      reason: 'No token is looked up by that mark.',
    },
    {
      file: 'src/services/secrets/model/tokens.ts',
      before: '...(startUp ? [startUpIndexKey] : []),',
      after: '...(startUp ? [startUpIndexKey] : ["Stryker was here"]),',
      reason: 'No token is looked up by that mark.',
    },
    {
      file: 'src/services/secrets/model/tokens.ts',
      before: "const startUpIndexKey = 'start-up';",
      after: 'const startUpIndexKey = "";',
      reason: 'The mark only has to differ from the other marks, and these are not empty.',
    },
    {
      file: 'src/services/secrets/auth.ts',
      before: "path: resolved?.path ?? '',",
      after: 'path: resolved?.path ?? "Stryker was here!",',
      reason: 'The path below a mount is not used where there is no mount.',
    },
  ],
};
