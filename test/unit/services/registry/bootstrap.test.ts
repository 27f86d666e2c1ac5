import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folder } from '../support.ts';
import { guarded } from './support.ts';

/** A bootstrapped registry with its data in a folder, and the file that lets it be bootstrapped again. */
async function kept() {
  const data = await folder();
  const all = await guarded({ dataDirectory: data });
  const file = join(data, 'acl-bootstrap-reset');
  const again = () => all.anonymous('PUT', 'acl/bootstrap');
  const [, rejection] = await again();
  const index = /reset index: (\d+)/.exec(String(rejection))?.[1] ?? '';
  return { ...all, data, file, again, index };
}

test('the registry is bootstrapped again with the number in the file', async () => {
  const { data, file, again, index, bootstrapped, ask } = await kept();
  await writeFile(file, `${index}\n`);
  const [status, text] = await again();
  expect(status, String(text)).toBe(200);
  const { SecretID } = JSON.parse(String(text));
  expect(SecretID).not.toBe(bootstrapped.SecretID);
  for (const secret of [SecretID, bootstrapped.SecretID]) {
    expect((await ask('GET', 'acl/tokens', { headers: { 'X-Registry-Token': String(secret) } })).status).toBe(
      200,
    );
  }
  expect(await readdir(data)).not.toContain('acl-bootstrap-reset');
  const [rejected, why] = await again();
  expect([rejected, why]).toEqual([403, expect.stringContaining('no longer allowed (reset index: ')]);
  expect(why).not.toContain(`reset index: ${index})`);
});

test('a wrong number is reported, and consumed', async () => {
  const { file, again, index } = await kept();
  await writeFile(file, '12345');
  expect(await again()).toEqual([
    500,
    `Invalid bootstrap reset index (specified 12345, reset index: ${index})`,
  ]);
  expect((await again())[0]).toBe(403);
});

test('a text that is not a number, or not a file, is rejected', async () => {
  const { file, again } = await kept();
  await writeFile(file, 'please');
  expect((await again())[0]).toBe(403);
  const other = await kept();
  await mkdir(other.file);
  expect(await other.again()).toEqual([500, expect.stringContaining('cannot read and remove')]);
});
