import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folder } from '../support.ts';
import { scheduler } from './support.ts';

test('a second bootstrap requires the reset index in a file next to the data, once', async () => {
  const dataDirectory = await folder();
  const { send } = await scheduler({ dataDirectory });
  const file = join(dataDirectory, 'scheduler-acl-bootstrap-reset');
  await send('PUT', 'acl/bootstrap');
  const done = String(await send('PUT', 'acl/bootstrap'));
  const index = /^400 ACL bootstrap already done \(reset index: (\d+)\)$/.exec(done)?.[1];
  await writeFile(file, '1');
  expect(await send('PUT', 'acl/bootstrap')).toBe(
    `400 Invalid bootstrap reset index (specified 1, reset index: ${index})`,
  );
  await writeFile(file, `${index}\n`);
  expect(await send('PUT', 'acl/bootstrap')).toMatch(/^200 /);
  expect(await readdir(dataDirectory)).not.toContain('scheduler-acl-bootstrap-reset');
  expect(await send('PUT', 'acl/bootstrap')).toMatch(/^400 ACL bootstrap already done/);
});
