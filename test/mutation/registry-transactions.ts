import type { Area } from './area.ts';

/** What a transaction of the registry does, and what it rejects. */
export const registryTransactions: Area = {
  mutate: [
    'src/dev/registry/txn/catalog.ts',
    'src/dev/registry/txn/failure.ts',
    'src/dev/registry/txn/kv.ts',
    'src/dev/registry/txn/operation.ts',
    'src/dev/registry/txn/transaction.ts',
  ],
  tests: [
    'test/unit/dev/registry/acl.test.ts',
    'test/unit/dev/registry/proxy-permissions.test.ts',
    'test/unit/dev/registry/txn-body.test.ts',
    'test/unit/dev/registry/txn-catalog.test.ts',
    'test/unit/dev/registry/txn-keys.test.ts',
    'test/unit/dev/registry/txn-permissions.test.ts',
    'test/unit/dev/registry/txn.test.ts',
  ],
  equivalent: [],
};
