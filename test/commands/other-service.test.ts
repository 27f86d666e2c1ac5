import { expect, test } from 'vitest';
import type { ServiceName } from '../../src/wire/services.ts';
import { homeForAll, servicesForAll } from '../support/command-tests.ts';
import { words } from './signing.ts';

// An address of another service: a script must not take its 404 for a missing secret.

const at = homeForAll();
const running = servicesForAll(at);

const lines: readonly (readonly [ServiceName, string])[] = [
  ['secrets', 'kv get secret/a'],
  ['registry', 'registry kv get a'],
  ['scheduler', 'var get a'],
  ['accounts', 'account get acctpw_1234567890'],
  ['box', 'box get a/b'],
];
const titles: Readonly<Record<ServiceName, string>> = {
  secrets: 'secrets service',
  registry: 'service registry',
  scheduler: 'scheduler',
  accounts: 'account service',
  box: 'box registry',
};

test.each(lines.flatMap(([service, line]) => lines.map(([other]) => [line, service, other] as const)))(
  '%s (%s) at the address of %s',
  async (line, service, other) => {
    const env = {
      [`LANYARD_${service.toUpperCase()}_ADDR`]: running.addresses[other],
      ...(service === other ? {} : { [`LANYARD_${service.toUpperCase()}_TOKEN`]: 'x' }),
    };
    const ran = await at.run(words(line), { env });
    if (service === other) {
      // The account service requires a token, which this file has not.
      expect(ran.code, ran.stderr).toBe(service === 'accounts' ? 4 : 3);
      return;
    }
    expect(ran, ran.stderr).toMatchObject({ code: 1, stdout: '' });
    expect(ran.stderr).toContain(`: the ${titles[other]} responds at this address\n`);
    expect(ran.stderr).toContain(
      `  The address is ${running.addresses[other]} (from LANYARD_${service.toUpperCase()}_ADDR).\n`,
    );
  },
);
