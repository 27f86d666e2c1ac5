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
  equivalent: [],
};
