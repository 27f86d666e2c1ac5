import type { Area } from './area.ts';

/** What a token of the registry allows. */
export const registryAuthorization: Area = {
  mutate: [
    'src/services/registry/auth.ts',
    'src/services/registry/acl/permissions.ts',
    'src/services/registry/acl/token-expiry.ts',
    'src/services/registry/acl/identities.ts',
    'src/services/registry/acl/rules.ts',
    'src/services/registry/require-permission.ts',
    'src/services/registry/handlers/register.ts',
  ],
  tests: [
    'test/unit/services/registry/acl.test.ts',
    'test/unit/services/registry/authorize.test.ts',
    'test/unit/services/registry/legacy-routes.test.ts',
    'test/unit/services/registry/legacy-rules.test.ts',
    'test/unit/services/registry/permissions.test.ts',
    'test/unit/services/registry/policy-rules.test.ts',
    'test/unit/services/registry/proxy-permissions.test.ts',
    'test/unit/services/registry/query-permissions.test.ts',
    'test/unit/services/registry/register-permissions.test.ts',
    'test/unit/services/registry/register.test.ts',
    'test/unit/services/registry/roles.test.ts',
    'test/unit/services/registry/rule-precedence.test.ts',
    'test/unit/services/registry/rules-json.test.ts',
    'test/unit/services/registry/token-rules.test.ts',
    'test/unit/services/registry/token-use.test.ts',
    'test/unit/services/registry/txn-permissions.test.ts',
    'test/unit/services/registry/without-token.test.ts',
  ],
  equivalent: [
    {
      file: 'src/services/registry/auth.ts',
      before: 'const { Roles = [] } = token;',
      after: 'const { Roles = ["Stryker was here"] } = token;',
      reason: 'No role has this ID: roles have UUIDs.',
    },
    {
      file: 'src/services/registry/auth.ts',
      before: 'const grants = [token, ...Roles.flatMap((id) => roles.get(view, id) ?? [])];',
      after: 'const grants = [token, ...Roles.flatMap((id) => roles.get(view, id) ?? ["Stryker was here"])];',
      reason:
        'A text has neither policies nor identities, so it grants nothing, like a role that was deleted.',
    },
    {
      file: 'src/services/registry/auth.ts',
      before:
        'if (cached?.sources.length === sources.length && cached.sources.every((each, at) => each === sources[at]))',
      after: 'if (false)',
      reason: 'The permissions are computed again; they are cached only to save time.',
    },
    {
      file: 'src/services/registry/auth.ts',
      before:
        'if (cached?.sources.length === sources.length && cached.sources.every((each, at) => each === sources[at]))',
      after: 'if (cached?.sources.length === sources.length && cached.sources.every(() => undefined))',
      reason: 'The permissions are computed again; they are cached only to save time.',
    },
    {
      file: 'src/services/registry/auth.ts',
      before:
        'if (cached?.sources.length === sources.length && cached.sources.every((each, at) => each === sources[at]))',
      after: 'if (cached?.sources.length === sources.length && cached.sources.every((each, at) => false))',
      reason: 'The permissions are computed again; they are cached only to save time.',
    },
    {
      file: 'src/services/registry/auth.ts',
      before:
        'if (cached?.sources.length === sources.length && cached.sources.every((each, at) => each === sources[at]))',
      after:
        'if (cached?.sources.length === sources.length && cached.sources.every((each, at) => each !== sources[at]))',
      reason:
        'The permissions are computed again; they are cached only to save time. The token itself is in both lists, so that never all differ.',
    },
    {
      file: 'src/services/registry/auth.ts',
      before: 'this.#parsed.set(row, rules);',
      after: ';',
      reason: 'The rules are parsed again; they are cached only to save time.',
    },
    {
      file: 'src/services/registry/auth.ts',
      before: "const bearer = /^bearer\\s(.*)/i.exec(request.headers.authorization ?? '')?.[1];",
      after:
        'const bearer = /^bearer\\s(.*)/i.exec(request.headers.authorization ?? "Stryker was here!")?.[1];',
      reason: 'Neither text has the form of a bearer token.',
    },
    {
      file: 'src/services/registry/auth.ts',
      before: 'if (ids.length === 1 && ids[0] === globalManagement.ID) return unrestricted;',
      after: 'if (false) return unrestricted;',
      reason: 'The rules of this policy allow the same.',
    },
    {
      file: 'src/services/registry/acl/permissions.ts',
      before: "denialMessage: () => 'Permission denied',",
      after: 'denialMessage: () => "",',
      reason: 'It is never called: this caller has every permission.',
    },
    {
      file: 'src/services/registry/acl/permissions.ts',
      before: "denialMessage: () => 'Permission denied',",
      after: 'denialMessage: () => undefined,',
      reason: 'It is never called: this caller has every permission.',
    },
    {
      file: 'src/services/registry/acl/permissions.ts',
      before: 'if (rule.isPrefix)',
      after: 'if (true)',
      reason: 'No rule is found for a prefix of the additional lengths.',
    },
    {
      file: 'src/services/registry/acl/permissions.ts',
      before: "this.#defaultLevel = defaultPolicy === 'allow' ? 'write' : 'deny';",
      after: "this.#defaultLevel = defaultPolicy === 'allow' ? 'write' : \"\";",
      reason: 'An unknown level permits nothing, like deny.',
    },
    {
      file: 'src/services/registry/acl/permissions.ts',
      before: "const defaultLevel = resource === 'acl' ? 'deny' : this.#defaultLevel;",
      after: 'const defaultLevel = resource === \'acl\' ? "" : this.#defaultLevel;',
      reason: 'An unknown level permits nothing, like deny.',
    },
    {
      file: 'src/services/registry/acl/permissions.ts',
      before: 'if (!this.#resources.has(resource)) return defaultLevel;',
      after: 'if (false) return defaultLevel;',
      reason: 'No rule is found for a resource without rules; the set is only there to save time.',
    },
    {
      file: 'src/services/registry/acl/permissions.ts',
      before: 'for (const length of this.#prefixLengths.get(resource) ?? []) {',
      after: 'for (const length of this.#prefixLengths.get(resource) ?? ["Stryker was here"]) {',
      reason:
        'The text counts as length 0, and there is no rule for the empty prefix: it would be among the lengths.',
    },
    {
      file: 'src/services/registry/acl/permissions.ts',
      before: "if (a === undefined || a === 'deny') return a ?? b;",
      after: "if (false || a === 'deny') return a ?? b;",
      reason: 'An unknown level comes before all others, so that the other level is returned.',
    },
    {
      file: 'src/services/registry/acl/permissions.ts',
      before: "return b === 'deny' || levels.indexOf(b) > levels.indexOf(a) ? b : a;",
      after: "return b === 'deny' || levels.indexOf(b) >= levels.indexOf(a) ? b : a;",
      reason: 'Equal levels are the same text.',
    },
    {
      file: 'src/services/registry/acl/permissions.ts',
      before: 'if (known) return known;',
      after: 'if (false) return known;',
      reason: 'The permission is split again; its parts are kept only to save time.',
    },
    {
      file: 'src/services/registry/acl/permissions.ts',
      before: 'knownParts.set(permission, parts);',
      after: ';',
      reason: 'The permission is split again; its parts are kept only to save time.',
    },
    {
      file: 'src/services/registry/acl/permissions.ts',
      before: "if (resource !== 'service') return [];",
      after: 'if (resource !== \'service\') return ["Stryker was here"];',
      reason: 'A text is a rule about no resource, and no permission is asked for without a resource.',
    },
    {
      file: 'src/services/registry/acl/token-expiry.ts',
      before: 'return ExpirationTime !== undefined && Date.parse(ExpirationTime) <= now;',
      after: 'return true && Date.parse(ExpirationTime) <= now;',
      reason: 'Without a time Date.parse returns NaN, which is not before now.',
    },
    {
      file: 'src/services/registry/acl/token-expiry.ts',
      before: 'if (expired.length === 0) return;',
      after: 'if (false) return;',
      reason: 'A change that deletes nothing writes nothing.',
    },
    {
      file: 'src/services/registry/acl/rules.ts',
      before:
        "return Object.entries(requireObject(json, 'the rules')).flatMap(([kind, value]) => parseRule(kind, value));",
      after:
        'return Object.entries(requireObject(json, "")).flatMap(([kind, value]) => parseRule(kind, value));',
      reason: 'The rules are always an object: JSON that begins with a brace, or what was made from blocks.',
    },
  ],
};
