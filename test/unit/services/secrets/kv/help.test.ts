import { expect, test } from 'vitest';
import { SecretsError } from '../../../../../src/services/secrets/errors.ts';
import { mount } from './harness.ts';

const operations = ['read', 'list', 'create', 'update', 'patch', 'delete', 'recover'] as const;

test.each([1, 2] as const)('the description of version %i lists exactly what is served', async (version) => {
  const kv = mount(version);

  async function serves(operation: (typeof operations)[number], path: string): Promise<boolean> {
    try {
      const answer = await kv.call(operation, path);
      return !answer?.warnings?.some((warning) => warning.includes('versioned K/V secrets engine'));
    } catch (error) {
      if (error instanceof SecretsError) return error.status !== 405;
      throw error;
    }
  }

  for (const { path, operations: described } of kv.engine.describe?.() ?? []) {
    for (const operation of operations) {
      expect(await serves(operation, path.replace('*key', 'a/key')), `${operation} ${path}`).toBe(
        described.includes(operation),
      );
    }
  }
  expect(kv.engine.describe?.()).toHaveLength(version === 1 ? 1 : 10);
});
