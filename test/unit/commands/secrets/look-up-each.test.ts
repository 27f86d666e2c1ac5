import { expect, test } from 'vitest';
import { countUnread, lookUpEach } from '../../../../src/commands/secrets/lib/look-up-each.ts';
import { isNotFound, LanyardError } from '../../../../src/errors.ts';

const accessors = Array.from({ length: 300 }, (_, index) => `a${index}`);

test('leaves out what is gone since the list was read, and keeps the order', async () => {
  const found = await lookUpEach(
    accessors,
    async (accessor) => {
      if (Number(accessor.slice(1)) % 3 === 0) throw new LanyardError('not_found', 'gone');
      return accessor.toUpperCase();
    },
    isNotFound,
  );
  expect(found).toHaveLength(200);
  expect(found[0]).toEqual({ accessor: 'a1', properties: 'A1' });
  expect(countUnread(found)).toBe(0);
});

test('sends no further lookups after one that is forbidden, and at most eight at a time', async () => {
  let sent = 0;
  const found = await lookUpEach(
    accessors,
    async () => {
      sent += 1;
      throw new LanyardError('forbidden', 'permission denied');
    },
    isNotFound,
  );
  expect(sent).toBeLessThanOrEqual(8);
  expect([found.length, countUnread(found)]).toEqual([300, 300]);
});

test('ends with any other error', async () => {
  const failing = lookUpEach(
    accessors,
    () => Promise.reject(new LanyardError('unreachable', 'x')),
    isNotFound,
  );
  await expect(failing).rejects.toMatchObject({ kind: 'unreachable' });
});
