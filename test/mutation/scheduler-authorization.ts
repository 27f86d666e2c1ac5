import type { Area } from './area.ts';

/** What a token of the scheduler allows. */
export const schedulerAuthorization: Area = {
  mutate: [
    'src/dev/scheduler/acl/access.ts',
    'src/dev/scheduler/acl/authority.ts',
    'src/dev/scheduler/acl/rules.ts',
  ],
  tests: [
    'test/unit/dev/scheduler/acl.test.ts',
    'test/unit/dev/scheduler/namespaces.test.ts',
    'test/unit/dev/scheduler/rule-patterns.test.ts',
    'test/unit/dev/scheduler/token-use.test.ts',
  ],
  equivalent: [
    {
      file: 'src/dev/scheduler/acl/access.ts',
      before: 'const known = this.#authorities.get(token ?? this);',
      after: 'const known = this.#authorities.get(token && this);',
      reason: 'The permissions that are found are used only if they come from the same policies.',
    },
    {
      file: 'src/dev/scheduler/acl/access.ts',
      before:
        'if (known?.from.length === policies.length && known.from.every((each, at) => each === policies[at]))',
      after: 'if (false)',
      reason: 'The permissions are computed again; they are cached only to save time.',
    },
    {
      file: 'src/dev/scheduler/acl/access.ts',
      before:
        'if (known?.from.length === policies.length && known.from.every((each, at) => each === policies[at]))',
      after: 'if (known?.from.length === policies.length && known.from.every(() => undefined))',
      reason: 'The permissions are computed again; they are cached only to save time.',
    },
    {
      file: 'src/dev/scheduler/acl/access.ts',
      before:
        'if (known?.from.length === policies.length && known.from.every((each, at) => each === policies[at]))',
      after: 'if (known?.from.length === policies.length && known.from.every((each, at) => false))',
      reason: 'The permissions are computed again; they are cached only to save time.',
    },
    {
      file: 'src/dev/scheduler/acl/access.ts',
      before: 'this.#parsed.set(policy, rules);',
      after: ';',
      reason: 'The rules are parsed again; they are cached only to save time.',
    },
    {
      file: 'src/dev/scheduler/acl/access.ts',
      before: 'return ExpirationTime !== undefined && Date.parse(ExpirationTime) <= now;',
      after: 'return true && Date.parse(ExpirationTime) <= now;',
      reason: 'Without a time Date.parse returns NaN, which is not before now.',
    },
    {
      file: 'src/dev/scheduler/acl/access.ts',
      before: "const bearer = /^bearer\\s(.*)/i.exec(request.headers.authorization ?? '')?.[1];",
      after:
        'const bearer = /^bearer\\s(.*)/i.exec(request.headers.authorization ?? "Stryker was here!")?.[1];',
      reason: 'Neither text has the form of a bearer token.',
    },
    {
      file: 'src/dev/scheduler/acl/authority.ts',
      before: "const [first = '', ...middle] = name.split('*');",
      after: 'const [first = "Stryker was here!", ...middle] = name.split(\'*\');',
      reason: 'Splitting a text returns at least one text.',
    },
    {
      file: 'src/dev/scheduler/acl/rules.ts',
      before: "reach: denies ? 'deny' : level !== undefined || allowed.length > 0 ? 'some' : 'none',",
      after: "reach: denies ? 'deny' : level !== undefined || allowed.length > 0 ? \"\" : 'none',",
      reason: 'Only the other two texts are compared with.',
    },
    {
      file: 'src/dev/scheduler/acl/rules.ts',
      before: "refuseOthers(block, [], ['path']);",
      after: 'refuseOthers(block, ["Stryker was here"], [\'path\']);',
      reason: 'No name in a policy has a space in it.',
    },
    {
      file: 'src/dev/scheduler/acl/rules.ts',
      before: "refuseOthers(each, ['capabilities'], []);",
      after: 'refuseOthers(each, [\'capabilities\'], ["Stryker was here"]);',
      reason: 'No name in a policy has a space in it.',
    },
  ],
};
