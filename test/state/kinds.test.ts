import { beforeAll, describe, expect, test } from 'vitest';
import { isNotFound } from '../../src/errors.ts';
import { compare, merge } from '../../src/state/compare.ts';
import { identityText, type JsonObject, type Kind, type Services } from '../../src/state/kind.ts';
import { kinds } from '../../src/state/kinds.ts';
import { homeForAll, servicesForAll } from '../support/command-tests.ts';
import { setTokens } from '../support/services.ts';
import { kindOf, readExisting, removeObject } from './bench.ts';
import { clientsOf } from './clients.ts';
import { type ObjectCase, objectCases } from './objects.ts';
import { imageContent, imageFile } from './other-objects.ts';

const at = homeForAll();
const running = servicesForAll(at);
let clients: Services;
beforeAll(async () => {
  at.write(imageFile, imageContent);
  await setTokens(at, running);
  const { stdout } = await at.run(['scheduler', 'acl', 'bootstrap', '-o', 'json']);
  at.env.LANYARD_SCHEDULER_TOKEN = JSON.parse(stdout).SecretID;
  clients = clientsOf(at);
});

const options = { isExact: false, stated: new Set<string>(), ignored: new Set<string>(), showsSecrets: true };
const resolvePath = (path: string): string => at.file(path);

async function ensure({ kind: name, identity, spec }: Pick<ObjectCase, 'kind' | 'identity' | 'spec'>) {
  const kind = kindOf(name);
  const live = await kind.read(clients, identity);
  if (!live) await kind.create(clients, { identity, spec, live: undefined, resolvePath });
}

const listed = async (kind: Kind): Promise<readonly string[]> =>
  (await kind.list(clients)).map((identity) => identityText(identity));

// The embedded service has a single CA in a mount: ssh-issuer.test.ts has responses of OpenBao.
const onlyOpenBao = ['secrets.ssh-issuer'];

test('every kind has a case', () => {
  expect(
    kinds.map(({ name }) => name).filter((name) => !objectCases.some(({ kind }) => kind === name)),
  ).toEqual(onlyOpenBao);
});

describe.each(objectCases)('$kind $identity.key', (object) => {
  const { identity, spec, changed, spellings = [], needs = [] } = object;
  const kind = kindOf(object.kind);
  const canonical = (stated: JsonObject) => kind.canonicalSpec?.(stated) ?? stated;
  const differences = (desired: JsonObject, live: JsonObject | undefined) =>
    compare(kind.schema, canonical(desired), live, options);
  const read = () => readExisting(clients, kind, identity);

  test('is created as stated, listed, updated under its guard, and removed', async () => {
    for (const each of needs) await ensure(each);
    expect(await kind.read(clients, identity)).toBeUndefined();
    await kind.create(clients, { identity, spec: canonical(spec), live: undefined, resolvePath });
    const created = await read();
    expect(differences(spec, created.spec)).toEqual([]);
    for (const spelling of spellings) expect(differences(spelling, created.spec)).toEqual([]);
    expect(await listed(kind)).toContain(identityText(identity));
    if (changed) {
      expect(differences(changed, created.spec)).not.toEqual([]);
      const stored = merge(kind.schema, created.spec, canonical(changed));
      await kind.update(clients, { identity, spec: stored, live: created, resolvePath });
      const updated = await read();
      expect(differences(changed, updated.spec)).toEqual([]);
      expect(updated.uid).toBe(created.uid);
      if (kind.guard === 'version' && created.version !== '') {
        expect(updated.version).not.toBe(created.version);
        await expect(
          kind.update(clients, { identity, spec: stored, live: created, resolvePath }),
        ).rejects.toMatchObject({ kind: 'conflict' });
        expect(differences(changed, (await read()).spec)).toEqual([]);
      }
    }
    await removeObject(clients, object, await read());
    expect(await kind.read(clients, identity).catch((error: unknown) => isNotFound(error))).toBeUndefined();
    expect(await listed(kind)).not.toContain(identityText(identity));
  });
});
