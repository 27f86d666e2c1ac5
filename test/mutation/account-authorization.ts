import type { Area } from './area.ts';

/** What a caller may do with accounts and boxes, and how passwords are checked. */
export const accountAuthorization: Area = {
  mutate: ['src/dev/accounts/access.ts', 'src/dev/box/access.ts', 'src/dev/password.ts', 'src/dev/turns.ts'],
  tests: [
    'test/unit/dev/accounts/access.test.ts',
    'test/unit/dev/accounts/passwords.test.ts',
    'test/unit/dev/box/access.test.ts',
    'test/unit/dev/password.test.ts',
    'test/unit/dev/turns.test.ts',
  ],
  equivalent: [
    {
      file: 'src/dev/accounts/access.ts',
      before: "const text = /^Bearer +(\\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? '';",
      after:
        'const text = /^Bearer +(\\S+)$/i.exec(headers.authorization ?? "Stryker was here!")?.[1] ?? \'\';',
      reason: 'Neither text has the form of a bearer token.',
    },
    {
      file: 'src/dev/accounts/access.ts',
      before: "const text = /^Bearer +(\\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? '';",
      after:
        'const text = /^Bearer +(\\S+)$/i.exec(headers.authorization ?? \'\')?.[1] ?? "Stryker was here!";',
      reason: 'Neither text has the form of a token.',
    },
    {
      file: 'src/dev/box/access.ts',
      before: 'if (caller === undefined) return undefined;',
      after: 'if (false) return undefined;',
      reason: 'No owner has the name undefined, and no organisation has such a member.',
    },
    {
      file: 'src/dev/box/access.ts',
      before:
        'if (box.private && ownerOf(registry.storage, box.owner)?.delinquent) throw delinquent(box.owner);',
      after:
        'if (box.private && ownerOf(registry.storage, box.owner).delinquent) throw delinquent(box.owner);',
      reason: 'Every box has an owner: owners are never removed.',
    },
    {
      file: 'src/dev/box/access.ts',
      before: "return boxOf(registry.storage, params.username ?? '', params.name ?? '');",
      after: 'return boxOf(registry.storage, params.username ?? "Stryker was here!", params.name ?? \'\');',
      reason: 'Every path of a box has the name of its owner.',
    },
    {
      file: 'src/dev/box/access.ts',
      before: "return boxOf(registry.storage, params.username ?? '', params.name ?? '');",
      after: 'return boxOf(registry.storage, params.username ?? \'\', params.name ?? "Stryker was here!");',
      reason: 'Every path of a box has its name.',
    },
    {
      file: 'src/dev/password.ts',
      before: "const salt = Buffer.from(known?.salt ?? '', 'base64');",
      after: 'const salt = Buffer.from(known?.salt ?? "Stryker was here!", \'base64\');',
      reason: 'Without a known hash the result is never compared.',
    },
  ],
};
