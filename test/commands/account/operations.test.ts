import { describe, expect, test } from 'vitest';
import { accountsOperations } from '../../../src/api/accounts.ts';
import { client } from '../../../src/api/client.ts';
import { transport } from '../../../src/api/http/client.ts';
import { LanyardError } from '../../../src/errors.ts';
import { homeForAll, servicesForAll } from '../../support/command-tests.ts';
import { endpointOf, optionsOf } from '../../unit/api/support.ts';

const names = Object.keys(accountsOperations) as (keyof typeof accountsOperations)[];

describe('each operation of the account service', () => {
  const at = homeForAll();
  const running = servicesForAll(at);

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
    // An unknown path or action is a 404 or 400 without a body.
    expect(answer instanceof LanyardError ? answer.details.join() : 'no error').not.toBe('');
  });
});
