import { mergeConfig } from 'vitest/config';
import config from '../../vitest.config.ts';

/** The tests of one area, for a mutation run: scripts/mutation.ts names them in LANYARD_MUTATION_TESTS. */
export default mergeConfig(
  { plugins: config({ mode: 'test', command: 'serve' }).plugins ?? [] },
  { test: { include: (process.env.LANYARD_MUTATION_TESTS ?? '').split(','), testTimeout: 60_000 } },
);
