import type { Area } from './area.ts';

/** What a token of the registry allows. */
export const registryAuthorization: Area = {
  mutate: [
    'src/dev/registry/acl/access.ts',
    'src/dev/registry/acl/authority.ts',
    'src/dev/registry/acl/expiry.ts',
    'src/dev/registry/acl/identities.ts',
    'src/dev/registry/acl/rules.ts',
    'src/dev/registry/http/demand.ts',
    'src/dev/registry/routes/register.ts',
  ],
  tests: [
    'test/unit/dev/registry/acl.test.ts',
    'test/unit/dev/registry/legacy-routes.test.ts',
    'test/unit/dev/registry/legacy-rules.test.ts',
    'test/unit/dev/registry/proxy-permissions.test.ts',
    'test/unit/dev/registry/query-permissions.test.ts',
    'test/unit/dev/registry/register-permissions.test.ts',
    'test/unit/dev/registry/register.test.ts',
    'test/unit/dev/registry/roles.test.ts',
    'test/unit/dev/registry/rule-precedence.test.ts',
    'test/unit/dev/registry/rules-json.test.ts',
    'test/unit/dev/registry/token-use.test.ts',
    'test/unit/dev/registry/txn-permissions.test.ts',
  ],
  equivalent: [
    {
      file: 'src/dev/registry/acl/access.ts',
      before: 'const { Roles = [] } = token;',
      after: 'const { Roles = ["Stryker was here"] } = token;',
      reason: 'No role has this ID: roles have UUIDs.',
    },
    {
      file: 'src/dev/registry/acl/access.ts',
      before: 'const grants = [token, ...Roles.flatMap((id) => roleOf(view, id) ?? [])];',
      after: 'const grants = [token, ...Roles.flatMap((id) => roleOf(view, id) ?? ["Stryker was here"])];',
      reason:
        'A text has neither policies nor identities, so it grants nothing, like a role that was deleted.',
    },
    {
      file: 'src/dev/registry/acl/access.ts',
      before: 'if (known?.from.length === from.length && known.from.every((each, at) => each === from[at]))',
      after: 'if (false)',
      reason: 'The permissions are computed again; they are cached only to save time.',
    },
    {
      file: 'src/dev/registry/acl/access.ts',
      before: 'if (known?.from.length === from.length && known.from.every((each, at) => each === from[at]))',
      after: 'if (known?.from.length === from.length && known.from.every(() => undefined))',
      reason: 'The permissions are computed again; they are cached only to save time.',
    },
    {
      file: 'src/dev/registry/acl/access.ts',
      before: 'if (known?.from.length === from.length && known.from.every((each, at) => each === from[at]))',
      after: 'if (known?.from.length === from.length && known.from.every((each, at) => false))',
      reason: 'The permissions are computed again; they are cached only to save time.',
    },
    {
      file: 'src/dev/registry/acl/access.ts',
      before: 'if (known?.from.length === from.length && known.from.every((each, at) => each === from[at]))',
      after: 'if (known?.from.length === from.length && known.from.every((each, at) => each !== from[at]))',
      reason:
        'The permissions are computed again; they are cached only to save time. The token itself is in both lists, so that never all differ.',
    },
    {
      file: 'src/dev/registry/acl/access.ts',
      before: 'if (!token.Rules) return [];',
      after: 'if (!token.Rules) return ["Stryker was here"];',
      reason: 'A text is a rule about no resource, and no permission is asked for without a resource.',
    },
    {
      file: 'src/dev/registry/acl/access.ts',
      before: 'this.#parsed.set(token, rules);',
      after: ';',
      reason: 'The rules are parsed again; they are cached only to save time.',
    },
    {
      file: 'src/dev/registry/acl/access.ts',
      before: 'this.#parsed.set(policy, rules);',
      after: ';',
      reason: 'The rules are parsed again; they are cached only to save time.',
    },
    {
      file: 'src/dev/registry/acl/access.ts',
      before: "const bearer = /^bearer\\s(.*)/i.exec(request.headers.authorization ?? '')?.[1];",
      after:
        'const bearer = /^bearer\\s(.*)/i.exec(request.headers.authorization ?? "Stryker was here!")?.[1];',
      reason: 'Neither text has the form of a bearer token.',
    },
    {
      file: 'src/dev/registry/acl/authority.ts',
      before: "denial: () => 'Permission denied',",
      after: 'denial: () => "",',
      reason: 'It is never called: this caller has every permission.',
    },
    {
      file: 'src/dev/registry/acl/authority.ts',
      before: "denial: () => 'Permission denied',",
      after: 'denial: () => undefined,',
      reason: 'It is never called: this caller has every permission.',
    },
    {
      file: 'src/dev/registry/acl/authority.ts',
      before: 'if (rule.prefix)',
      after: 'if (true)',
      reason: 'No rule is found for a prefix of the additional lengths.',
    },
    {
      file: 'src/dev/registry/acl/authority.ts',
      before: "this.#otherwise = defaultPolicy === 'allow' ? 'write' : 'deny';",
      after: "this.#otherwise = defaultPolicy === 'allow' ? 'write' : \"\";",
      reason: 'An unknown level permits nothing, like deny.',
    },
    {
      file: 'src/dev/registry/acl/authority.ts',
      before: "const otherwise = resource === 'acl' ? 'deny' : this.#otherwise;",
      after: 'const otherwise = resource === \'acl\' ? "" : this.#otherwise;',
      reason: 'An unknown level permits nothing, like deny.',
    },
    {
      file: 'src/dev/registry/acl/authority.ts',
      before: 'if (!this.#ruled.has(resource)) return otherwise;',
      after: 'if (false) return otherwise;',
      reason: 'No rule is found for a resource without rules; the set is only there to save time.',
    },
    {
      file: 'src/dev/registry/acl/authority.ts',
      before: 'for (const length of this.#prefixLengths.get(resource) ?? []) {',
      after: 'for (const length of this.#prefixLengths.get(resource) ?? ["Stryker was here"]) {',
      reason:
        'The text counts as length 0, and there is no rule for the empty prefix: it would be among the lengths.',
    },
    {
      file: 'src/dev/registry/acl/authority.ts',
      before: "if (a === undefined || a === 'deny') return a ?? b;",
      after: "if (false || a === 'deny') return a ?? b;",
      reason: 'An unknown level comes before all others, so that the other level is returned.',
    },
    {
      file: 'src/dev/registry/acl/authority.ts',
      before: "return b === 'deny' || levels.indexOf(b) > levels.indexOf(a) ? b : a;",
      after: "return b === 'deny' || levels.indexOf(b) >= levels.indexOf(a) ? b : a;",
      reason: 'Equal levels are the same text.',
    },
    {
      file: 'src/dev/registry/acl/expiry.ts',
      before: 'return ExpirationTime !== undefined && Date.parse(ExpirationTime) <= now;',
      after: 'return true && Date.parse(ExpirationTime) <= now;',
      reason: 'Without a time Date.parse returns NaN, which is not before now.',
    },
    {
      file: 'src/dev/registry/acl/expiry.ts',
      before: 'if (over.length === 0) return;',
      after: 'if (false) return;',
      reason: 'A change that deletes nothing writes nothing.',
    },
    {
      file: 'src/dev/registry/acl/identities.ts',
      before:
        "{ ServiceIdentities = [], NodeIdentities = [] }: Pick<Grants, 'ServiceIdentities' | 'NodeIdentities'>,",
      after:
        "{ ServiceIdentities = [], NodeIdentities = [\"Stryker was here\"] }: Pick<Grants, 'ServiceIdentities' | 'NodeIdentities'>,",
      reason: 'A text is in no datacenter, so it stands for no rule.',
    },
    {
      file: 'src/dev/registry/acl/rules.ts',
      before:
        "return Object.entries(objectOf(json, 'the rules')).flatMap(([kind, value]) => rulesOf(kind, value));",
      after: 'return Object.entries(objectOf(json, "")).flatMap(([kind, value]) => rulesOf(kind, value));',
      reason: 'The rules are always an object: JSON that begins with a brace, or what was made from blocks.',
    },
  ],
};
