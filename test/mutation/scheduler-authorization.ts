import type { Area } from './area.ts';

/** What a token of the scheduler allows. */
export const schedulerAuthorization: Area = {
  mutate: [
    'src/services/scheduler/auth.ts',
    'src/services/scheduler/acl/permissions.ts',
    'src/services/scheduler/acl/rules.ts',
  ],
  tests: [
    'test/unit/services/scheduler/acl.test.ts',
    'test/unit/services/scheduler/namespaces.test.ts',
    'test/unit/services/scheduler/rule-patterns.test.ts',
    'test/unit/services/scheduler/token-use.test.ts',
  ],
  equivalent: [
    {
      file: 'src/services/scheduler/auth.ts',
      before: 'const cached = this.#cache.get(token ?? this);',
      after: 'const cached = this.#cache.get(token && this);',
      reason: 'The permissions that are found are used only if they come from the same policies.',
    },
    {
      file: 'src/services/scheduler/auth.ts',
      before:
        'if ( cached?.policies.length === policies.length && cached.policies.every((each, at) => each === policies[at]) )',
      after: 'if (false)',
      reason: 'The permissions are computed again; they are cached only to save time.',
    },
    {
      file: 'src/services/scheduler/auth.ts',
      before:
        'if ( cached?.policies.length === policies.length && cached.policies.every((each, at) => each === policies[at]) )',
      after: 'if ( cached?.policies.length === policies.length && cached.policies.every(() => undefined) )',
      reason: 'The permissions are computed again; they are cached only to save time.',
    },
    {
      file: 'src/services/scheduler/auth.ts',
      before:
        'if ( cached?.policies.length === policies.length && cached.policies.every((each, at) => each === policies[at]) )',
      after:
        'if ( cached?.policies.length === policies.length && cached.policies.every((each, at) => false) )',
      reason: 'The permissions are computed again; they are cached only to save time.',
    },
    {
      file: 'src/services/scheduler/auth.ts',
      before: 'this.#parsed.set(policy, rules);',
      after: ';',
      reason: 'The rules are parsed again; they are cached only to save time.',
    },
    {
      file: 'src/services/scheduler/auth.ts',
      before: 'return ExpirationTime !== undefined && Date.parse(ExpirationTime) <= now;',
      after: 'return true && Date.parse(ExpirationTime) <= now;',
      reason: 'Without a time Date.parse returns NaN, which is not before now.',
    },
    {
      file: 'src/services/scheduler/auth.ts',
      before: "const bearer = /^bearer\\s(.*)/i.exec(request.headers.authorization ?? '')?.[1];",
      after:
        'const bearer = /^bearer\\s(.*)/i.exec(request.headers.authorization ?? "Stryker was here!")?.[1];',
      reason: 'Neither text has the form of a bearer token.',
    },
    {
      file: 'src/services/scheduler/acl/permissions.ts',
      before: "const [first = '', ...middle] = name.split('*');",
      after: 'const [first = "Stryker was here!", ...middle] = name.split(\'*\');',
      reason: 'Splitting a text returns at least one text.',
    },
    {
      file: 'src/services/scheduler/acl/rules.ts',
      before: "access: denies ? 'deny' : level !== undefined || allowed.length > 0 ? 'some' : 'none',",
      after: "access: denies ? 'deny' : level !== undefined || allowed.length > 0 ? \"\" : 'none',",
      reason: 'Only the other two texts are compared with.',
    },
    {
      file: 'src/services/scheduler/acl/rules.ts',
      before: "rejectUnknownFields(block, [], ['path']);",
      after: 'rejectUnknownFields(block, ["Stryker was here"], [\'path\']);',
      reason: 'No name in a policy has a space in it.',
    },
    {
      file: 'src/services/scheduler/acl/rules.ts',
      before: "rejectUnknownFields(each, ['capabilities'], []);",
      after: 'rejectUnknownFields(each, [\'capabilities\'], ["Stryker was here"]);',
      reason: 'No name in a policy has a space in it.',
    },
  ],
};
