import { describe, expect, test } from 'vitest';
import { homeForEach } from '../../support/command-tests.ts';
import { services } from '../../support/services.ts';
import { runAt, shelf } from '../scheduler-shelf.ts';

const at = homeForEach();

/** The exit codes of many that merge an item each into one variable, at the same time. */
const merged = (run: (line: string) => Promise<{ readonly code: number }>): Promise<number[]> =>
  Promise.all(
    Array.from({ length: 50 }, async (_, n) => (await run(`var put app k${n}=v${n} --retry-merge`)).code),
  );

describe('50 concurrent "var put --retry-merge" lose nothing', () => {
  test('at a server with check-and-set', async () => {
    const server = await shelf();
    expect((await merged((line) => runAt(at)(server, line))).filter((code) => code !== 0)).toEqual([]);
    expect(Object.keys(server.variables.get('default app')?.Items ?? {})).toHaveLength(50);
  });

  test('at the embedded scheduler', async () => {
    const running = await services(at);
    try {
      expect((await merged((line) => at.run(line.split(' ')))).filter((code) => code !== 0)).toEqual([]);
      const { stdout } = await at.run(['var', 'get', 'app', '-o', 'json']);
      expect(Object.keys(JSON.parse(stdout).Items)).toHaveLength(50);
    } finally {
      await running.close();
    }
  });
});
