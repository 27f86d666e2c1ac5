import type { Area } from './area.ts';

/** What a transaction of the registry does, and what it rejects. */
export const registryTransactions: Area = {
  mutate: [
    'src/services/registry/txn/catalog.ts',
    'src/services/registry/txn/failure.ts',
    'src/services/registry/txn/kv.ts',
    'src/services/registry/txn/operation.ts',
    'src/services/registry/txn/transaction.ts',
  ],
  tests: [
    'test/unit/services/registry/acl.test.ts',
    'test/unit/services/registry/proxy-permissions.test.ts',
    'test/unit/services/registry/txn-body.test.ts',
    'test/unit/services/registry/txn-catalog.test.ts',
    'test/unit/services/registry/txn-keys.test.ts',
    'test/unit/services/registry/txn-permissions.test.ts',
    'test/unit/services/registry/txn.test.ts',
  ],
  equivalent: [],
};
