import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accountsOperations } from '../../../src/api/accounts.ts';
import { client } from '../../../src/api/client.ts';
import { transport } from '../../../src/api/http/client.ts';
import { LanyardError } from '../../../src/errors.ts';
import { home } from '../../support/run.ts';
import { services, type TestServices } from '../../support/services.ts';
import { endpointOf, optionsOf } from '../../unit/api/support.ts';

const names = Object.keys(accountsOperations) as (keyof typeof accountsOperations)[];
const folder = join(import.meta.dirname, '../../../src/commands');
const source = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((file) => /^(account\/.*|status)\.ts$/.test(file.replaceAll('\\', '/')))
  .map((file) => readFileSync(join(folder, file), 'utf8'))
  .join('\n');

describe('each operation of the account service', () => {
  const at = home();
  let running: TestServices;
  beforeAll(async () => {
    running = await services(at);
  });
  afterAll(async () => {
    await running.close();
    at.remove();
  });

  test.each(names)('%s is reached by a command', (name) => {
    expect(source).toMatch(new RegExp(`(accounts|accounts\\(\\)\\))\\s*\\.${name}\\(`));
  });

  test.each(names)('%s is reached by a route', async (name) => {
    const send = transport(
      endpointOf(running.addresses.accounts, {
        service: 'accounts',
        token: async () => running.embedded.accountsToken,
      }),
      optionsOf(),
    );
    const operation = client(accountsOperations, send)[name] as (
      input: object,
    ) => Promise<{ status: number }>;
    const input = { id: 'acctpw_0000000000', version: 1, auth_method_id: 'ampw_1234567890', attributes: {} };
    const answer = await operation(input).catch((error: unknown) => {
      if (error instanceof LanyardError) return error;
      throw error;
    });
    expect(answer.status).toBeDefined();
    expect(answer.status).not.toBe(405);
    expect(answer instanceof LanyardError ? answer.details : []).not.toContain('Not Found');
  });
});
