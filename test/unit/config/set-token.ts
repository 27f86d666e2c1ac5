// Run as a program: stores one token in the file of a folder.
import { credentials } from '../../../src/config/credentials.ts';

const [directory = '', profile = '', token = ''] = process.argv.slice(2);
const store = credentials({ directory, env: { LANYARD_KEYRING: 'off' }, keyring: ['false'] });
await store.set(profile, 'secrets', token);
