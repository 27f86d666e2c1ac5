import { expect, test } from 'vitest';
import * as s from '../../../../../src/services/core/schema/types.ts';
import { table } from '../../../../../src/services/core/store/table.ts';
import { namesBelow, tableNamesBelow } from '../../../../../src/services/secrets/model/names-below.ts';
import { memoryStorage } from '../../../../support/memory-storage.ts';

test('lists the names below a prefix without reading the keys below each name', async () => {
  const storage = memoryStorage();
  const secrets = table('secret/', { at: s.number() });
  const keys = [
    ...Array.from({ length: 350 }, (_, at) => `app/${at % 3}/${at}`),
    ...Array.from({ length: 250 }, (_, at) => `app/x${at}`),
    ...Array.from({ length: 150 }, (_, at) => `app/z/\uffff${at}`),
    'app/0',
    'app/zz',
    'b',
  ];
  await storage.write(keys.map((key, at) => secrets.put(key, { at })));
  for (const prefix of ['', 'app/', 'app/1/', 'none/']) {
    const below = secrets.keys(storage, prefix);
    expect(tableNamesBelow(storage, secrets, prefix)).toEqual(namesBelow(prefix, below));
  }
});
