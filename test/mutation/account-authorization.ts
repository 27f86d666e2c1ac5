import type { Area } from './area.ts';

/** What a caller may do with accounts and boxes, and how passwords are checked. */
export const accountAuthorization: Area = {
  mutate: [
    'src/services/accounts/auth.ts',
    'src/services/box/auth.ts',
    'src/services/core/password.ts',
    'src/services/core/semaphore.ts',
  ],
  tests: [
    'test/unit/services/accounts/access.test.ts',
    'test/unit/services/accounts/passwords.test.ts',
    'test/unit/services/accounts/permissions.test.ts',
    'test/unit/services/box/access.test.ts',
    'test/unit/services/core/password.test.ts',
    'test/unit/services/turns.test.ts',
  ],
  equivalent: [
    {
      file: 'src/services/accounts/auth.ts',
      before: "const tokenText = /^Bearer +(\\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? '';",
      after:
        'const tokenText = /^Bearer +(\\S+)$/i.exec(headers.authorization ?? "Stryker was here!")?.[1] ?? \'\';',
      reason: 'Neither text has the form of a bearer token.',
    },
    {
      file: 'src/services/accounts/auth.ts',
      before: "const tokenText = /^Bearer +(\\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? '';",
      after:
        'const tokenText = /^Bearer +(\\S+)$/i.exec(headers.authorization ?? \'\')?.[1] ?? "Stryker was here!";',
      reason: 'Neither text has the form of a token.',
    },
    {
      file: 'src/services/box/auth.ts',
      before: 'if (caller === undefined) return undefined;',
      after: 'if (false) return undefined;',
      reason: 'No owner has the name undefined, and no organisation has such a member.',
    },
    {
      file: 'src/services/box/auth.ts',
      before:
        'if (box.private && ownerOf(registry.storage, box.owner)?.delinquent) throw paymentRequired(box.owner);',
      after:
        'if (box.private && ownerOf(registry.storage, box.owner).paymentRequired) throw paymentRequired(box.owner);',
      reason: 'Every box has an owner: owners are never removed.',
    },
    {
      file: 'src/services/box/auth.ts',
      before: "return boxOf(registry.storage, params.username ?? '', params.name ?? '');",
      after: 'return boxOf(registry.storage, params.username ?? "Stryker was here!", params.name ?? \'\');',
      reason: 'Every path of a box has the name of its owner.',
    },
    {
      file: 'src/services/box/auth.ts',
      before: "return boxOf(registry.storage, params.username ?? '', params.name ?? '');",
      after: 'return boxOf(registry.storage, params.username ?? \'\', params.name ?? "Stryker was here!");',
      reason: 'Every path of a box has its name.',
    },
    {
      file: 'src/services/core/password.ts',
      before: "const salt = Buffer.from(stored?.salt ?? '', 'base64');",
      after: 'const salt = Buffer.from(stored?.salt ?? "Stryker was here!", \'base64\');',
      reason: 'Without a known hash the result is never compared.',
    },
  ],
};
