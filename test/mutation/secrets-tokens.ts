import type { Area } from './area.ts';

/** Which tokens the embedded secrets service accepts, and where. */
export const secretsTokens: Area = {
  mutate: ['src/dev/secrets/tokens.ts', 'src/dev/secrets/admission.ts'],
  tests: [
    'test/unit/dev/secrets-tokens.test.ts',
    'test/unit/dev/secrets-token-store.test.ts',
    'test/unit/dev/secrets-admission.test.ts',
  ],
  equivalent: [
    {
      file: 'src/dev/secrets/tokens.ts',
      before: "return typeof digest === 'string' ? this.#living(digest) : undefined;",
      after: 'return true ? this.#living(digest) : undefined;',
      reason: 'The digest of an unknown accessor is undefined, and no entry has that digest.',
    },
    {
      file: 'src/dev/secrets/tokens.ts',
      before: 'if (!entry) return [];',
      after: 'if (!entry) return ["Stryker was here"];',
      reason: 'No token is looked up by that mark.',
    },
    {
      file: 'src/dev/secrets/tokens.ts',
      before: '...(entry.parent === null ? [] : [childMark(entry.parent)]),',
      after: '...(false ? [] : [childMark(entry.parent)]),',
      reason: 'Children are looked up by the digest of their parent, which is never "null".',
    },
    {
      file: 'src/dev/secrets/tokens.ts',
      before: '...(entry.parent === null ? [] : [childMark(entry.parent)]),',
      after: '...(entry.parent === null ? ["Stryker was here"] : [childMark(entry.parent)]),',
      reason: 'No token is looked up by that mark.',
    },
    {
      file: 'src/dev/secrets/tokens.ts',
      before: '...(entry.expires === null ? [] : [endMark(entry.expires)]),',
      after: '...(entry.expires === null ? ["Stryker was here"] : [endMark(entry.expires)]),',
      reason: 'No token is looked up by that mark.',
    },
    {
      file: 'src/dev/secrets/tokens.ts',
      before: '...(entry.startUp ? [startUpMark] : []),',
      after: '...(entry.startUp ? [startUpMark] : ["Stryker was here"]),',
      reason: 'No token is looked up by that mark.',
    },
    {
      file: 'src/dev/secrets/tokens.ts',
      before: "const startUpMark = 'start-up';",
      after: 'const startUpMark = "";',
      reason: 'The mark only has to differ from the other marks, and these are not empty.',
    },
    {
      file: 'src/dev/secrets/admission.ts',
      before: "path: found?.path ?? '',",
      after: 'path: found?.path ?? "Stryker was here!",',
      reason: 'The path below a mount is not used where there is no mount.',
    },
  ],
};
