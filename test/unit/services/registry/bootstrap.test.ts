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
  const index = /reset index: (\d+)/.exec(await again())?.[1] ?? '';
  return { ...all, data, file, again, index };
}

test('the registry is bootstrapped again with the number in the file', async () => {
  const { data, file, again, index, bootstrapped, ask } = await kept();
  await writeFile(file, `${index}\n`);
  const reset = await again();
  expect(reset).toMatch(/^200 /);
  const { SecretID } = JSON.parse(reset.slice(4));
  expect(SecretID).not.toBe(bootstrapped.SecretID);
  for (const secret of [SecretID, bootstrapped.SecretID]) {
    expect((await ask('GET', 'acl/tokens', { headers: { 'X-Registry-Token': String(secret) } })).status).toBe(
      200,
    );
  }
  expect(await readdir(data)).not.toContain('acl-bootstrap-reset');
  const rejection = await again();
  expect(rejection).toMatch(/^403 .*no longer allowed \(reset index: /);
  expect(rejection).not.toContain(`reset index: ${index})`);
});

test('a wrong number is reported, and consumed', async () => {
  const { file, again, index } = await kept();
  await writeFile(file, '12345');
  expect(await again()).toBe(`500 Invalid bootstrap reset index (specified 12345, reset index: ${index})`);
  expect(await again()).toMatch(/^403 /);
});

test('a text that is not a number, or not a file, is rejected', async () => {
  const { file, again } = await kept();
  await writeFile(file, 'please');
  expect(await again()).toMatch(/^403 /);
  const other = await kept();
  await mkdir(other.file);
  expect(await other.again()).toMatch(/^500 .*cannot read and remove/s);
});
