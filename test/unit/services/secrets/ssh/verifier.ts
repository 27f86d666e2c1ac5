import { readFileSync, writeSync } from 'node:fs';
import { openStore } from '../../../../../src/services/core/store/store.ts';
import { mount } from './harness.ts';

// A process to be killed: verifies the passwords on its stdin in a data directory, each many times
// concurrently, and prints each verified one immediately.

const [, , directory = ''] = process.argv;
const ssh = mount(await openStore(directory));

for (const password of readFileSync(0, 'utf8').split('\n')) {
  const verify = () => ssh.write('verify', { otp: password }).then(() => writeSync(1, `${password}\n`));
  await Promise.allSettled(Array.from({ length: 5 }, verify));
}
