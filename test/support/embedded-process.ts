import { randomBytes } from 'node:crypto';
import { writeSync } from 'node:fs';
import './compile-cache.ts';

// The embedded services as a process of their own, to be measured or killed. Prints one line of JSON when ready.

const { startServices } = await import('../../src/services/start-services.ts');

const [, , data] = process.argv;
const built = await startServices({
  clock: () => new Date(),
  random: (length) => randomBytes(length),
  version: '0.0.0-test',
  ...(data !== undefined && { dataDirectory: data }),
});
const { secrets, registry, box, scheduler, accounts } = await built.listen({
  secrets: 0,
  registry: 0,
  box: 0,
  scheduler: 0,
  accounts: 0,
});
writeSync(
  1,
  `${JSON.stringify({
    address: secrets,
    registry,
    box,
    scheduler,
    accounts,
    token: built.rootToken,
    boxToken: built.boxToken,
    accountsToken: built.accountsToken,
    accountsPassword: built.accountsPassword,
  })}\n`,
);
