import { join } from 'node:path';
import { expect, test } from 'vitest';
import { routesOf, statedResponses } from '../../src/services/core/openapi/document.ts';
import { descriptionOf } from '../../src/services/openapi.ts';
import { serviceNames } from '../../src/wire/services.ts';
import { folderForTest } from '../support/folders.ts';
import { embeddedTargets, unusedTargets } from './embedded.ts';
import { askAccounts, askBox, askRegistry, askScheduler, askSecrets, askUnused } from './openapi-requests.ts';
import { requestLists } from './raw/requests.ts';
import { sendAll } from './raw/send.ts';

/** Operations that do not succeed here, and why. Those without a successful response are not listed. */
const exceptions: Readonly<Record<string, string>> = {
  'secrets writeSysLeasesRenew': 'no lease of the embedded engines is renewable',
  'secrets writeSysStorageRaftSnapshotForce':
    'the data is not in raft storage: a 404, as in OpenBao without it',
  'registry getOidcAuthUrl': 'needs a provider: test/unit/services/registry/auth/oidc.test.ts',
  'registry completeOidcLogin': 'needs a provider: test/unit/services/registry/auth/oidc.test.ts',
};

test('every operation of the OpenAPI documents succeeds, and all responses are as described', async () => {
  const directory = folderForTest();
  const running = await embeddedTargets();
  for (const list of requestLists) {
    const { address, token = '' } = running.targets[list.service];
    await sendAll(list, { address, token });
  }
  for (const ask of [askBox, askRegistry, askScheduler, askAccounts, askSecrets]) await ask(running);
  const unused = await unusedTargets(join(directory, 'audit.log'));
  await askUnused(unused);
  const succeeded = running.succeeded.union(unused.succeeded);
  const missing: string[] = [];
  for (const service of serviceNames)
    for (const { id, operation } of routesOf(await descriptionOf(service)))
      if (Object.keys(statedResponses(operation)).length > 0 && !succeeded.has(`${service} ${id}`))
        missing.push(`${service} ${id}`);
  // Fails for a response that is not as described.
  await running.close();
  await unused.close();
  expect(missing.sort()).toEqual(Object.keys(exceptions).sort());
});
